"""Windows of time as Spark plans; see `golden.windows` for the frames that go in and come out.

Times are counted from the start of window 0, in numbers that hold every time of every type: the
start may lie below the least time of the column, and 2**64 be between two times.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from golden.panes import WINDOWS, Numbers, window_states
from golden.windows import OWN, with_own
from query.errors import UserError
from query.window import Range

_LAST = (1 << 63) - 1  # the greatest number of a window that a row can hold


@dataclass(frozen=True)
class Span:
    """Where window 0 starts, and the greatest time; in raw units of the time column."""

    start: int
    greatest: int

    def begun(self, slide: int) -> int:
        """How many windows have begun at the greatest time."""
        return max(0, (self.greatest - self.start) // slide + 1)


def span_of(tuples: DataFrame, window: Range, start: int | None) -> Span | None:
    """The span of tuples; None when there is none of them.

    A start that is None is the first tuple's time less the slack, rounded down to a multiple of
    the slide.
    """
    time = fn.col("t").cast("decimal(38,0)")
    found = tuples.agg(fn.min_by(time, "n").alias("first"), fn.max(time).alias("greatest")).head()
    if found["first"] is None:
        return None
    if start is None:
        start = (int(found["first"]) - window.slack) // window.slide * window.slide
    return Span(start, int(found["greatest"]))


def check_span(tuples: DataFrame, window: Range, span: Span, grouped: bool):
    """Raises UserError when the times go so far that the windows are too many.

    Without groups every window that has begun has a row, up to `golden.panes.WINDOWS` of them; with
    groups only those that hold a tuple, but each window needs its number.
    """
    limit, count = _LAST if grouped else WINDOWS, span.begun(window.slide)
    if count <= limit:
        return
    at = fn.col("t").cast("decimal(38,0)")
    start = fn.lit(str(span.start)).cast("decimal(38,0)")
    before = fn.coalesce(fn.lag(at).over(Window.orderBy("t")), start)
    times = tuples.filter(at >= start).select(at.alias("after"), before.alias("before"))
    gap = times.orderBy(fn.desc(fn.col("after") - fn.col("before"))).head()
    text, name = window.attribute.type.text, window.attribute.name
    raise UserError(
        f"{name}: windows with SLIDE {text(window.slide)} from {text(span.start)} to "
        f"{text(span.greatest)} are {count:,}, and at most {limit:,} are answered; "
        f"the longest gap is from {text(int(gap['before']))} to {text(int(gap['after']))}"
    )


def stream_range(tuples, window: Range, results, by, span: Span) -> tuple[DataFrame, DataFrame]:
    """``[RANGE r SLIDE s WATTR t SLACK x]``: the rows, and the tuples with the mark ``late``.

    After each tuple there is a punctuation at start + s*floor((max(t) - x - start)/s), when that
    has grown; before the first it is at start. A tuple before the punctuation is late. There are
    rows for the windows that hold a tuple.
    """
    numbers = _numbers(window, span)
    greatest = fn.max("u").over(Window.orderBy("n"))
    marked = _since_start(tuples, span, numbers).withColumn("greatest", greatest)
    slides = numbers.quotient(fn.col("greatest") - numbers.lit(window.slack), window.slide)
    punctuation = fn.greatest(slides * numbers.lit(window.slide), numbers.lit(0))
    marked = marked.withColumn("late", fn.col("u") < punctuation)
    found = _timely(marked, window, numbers, results, by)
    return found.select(fn.col("window").cast("long"), *by, *results.lower()), marked


def partition_range(tuples, window: Range, results, by, span: Span) -> tuple[DataFrame, DataFrame]:
    """``[PARTITION BY k RANGE r SLIDE s WATTR t]``: the rows, and tuples with the mark ``late``.

    ``by`` are the columns that make a key: ``key``, and ``life`` if keys have more than one.

    A tuple closes every window of its key that ends at or before it; a tuple before its key's
    last closed end, or before the start, is late. A window appears when it is closed, if the key
    has a tuple in it.
    """
    numbers = _numbers(window, span)
    size, slide, none = numbers.lit(window.size), numbers.lit(window.slide), numbers.lit(-1)
    greatest, closed = fn.col("greatest"), fn.col("closed")
    marked = _since_start(tuples, span, numbers).withColumn(
        "greatest", fn.max("u").over(Window.partitionBy(*by).orderBy("n"))
    )
    last = numbers.quotient(greatest - size, window.slide)
    marked = marked.withColumn("closed", fn.when(greatest >= size, last).otherwise(none))
    end = fn.when(closed >= 0, closed * slide + size).otherwise(numbers.lit(0))
    marked = marked.withColumn("late", fn.col("u") < end)
    ended = marked.groupBy(*by).agg(fn.max("closed").alias("until"))
    found = _timely(marked, window, numbers, results, by, lambda panes: panes.join(ended, by))
    found = found.select(*by, "window", fn.lit(True).alias("row"), *results.lower())
    closings = marked.filter(closed >= 0).groupBy(*by, closed.alias("window"))
    closings = closings.agg(fn.min("n").alias("n"))
    # A window's trigger is the first tuple that closes it or a later one.
    later = Window.partitionBy(*by).orderBy(fn.desc("window"))
    both = found.unionByName(closings, allowMissingColumns=True)
    both = both.withColumn("trigger", fn.min("n").over(later))
    triggered = both.filter("row and trigger is not null")
    return triggered.withColumn("window", fn.col("window").cast("long")), marked


def _numbers(window, span):
    furthest = max(span.greatest - span.start, 0)
    return Numbers.up_to(furthest + window.size + window.slide + window.slack)


def _since_start(tuples, span, numbers):
    """Tuples with ``u``, their time since the start; -1 stands for all times before it."""
    exact = Numbers(wide=True)
    since = fn.col("t").cast(exact.kind) - exact.lit(span.start)
    return tuples.withColumn("u", fn.greatest(since, exact.lit(-1)).cast(numbers.kind))


def _timely(marked, window, numbers, results, by, bound=None):
    timely = marked.filter(~fn.col("late"))
    if results.order == OWN:
        timely = with_own(timely, by)
    return window_states(timely, fn.col("u"), window, numbers, results, by, bound)
