"""Builds Spark plans for windows of time; `golden.plans.row_windows` describes their frames.

Plans count times from the start of window 0, in numbers that hold every time of every type: the
start may lie below the smallest time of the column, and two times may be 2**64 apart.
"""

from dataclasses import dataclass

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from golden.order.running import GREATEST
from golden.order.runs import Times
from golden.plans.key_scan import KeyScan
from golden.plans.panes import WINDOWS, Numbers, Results, pane_size, pane_states, window_states
from golden.plans.row_windows import KEY_ARRIVAL
from query.errors import UserError
from query.window import Range

_MOST_WINDOWS = (1 << 63) - 1  # with groups: the number of a window must fit 63 bits of a row


@dataclass(frozen=True)
class Span:
    """Holds the start of window 0, and the smallest and the greatest time, in raw units."""

    start: int
    smallest: int
    greatest: int

    def window_count(self, slide: int) -> int:
        """Returns the number of windows that start at or before the greatest time."""
        return max(0, (self.greatest - self.start) // slide + 1)


def span_of(times: Times | None, window: Range, start: int | None) -> Span | None:
    """Returns the span of tuples with ``times``; None if there are no tuples.

    A start of None selects the time of the tuple that arrives first, less the slack, rounded down
    to a multiple of the slide: with time 27, slack 5 and slide 10 the start is 20.
    """
    if times is None:
        return None
    if start is None:
        start = (times.first - window.slack) // window.slide * window.slide
    return Span(start, times.smallest, times.greatest)


def check_span(tuples: DataFrame, window: Range, span: Span, grouped: bool) -> None:
    """Raises UserError when the times extend so far that the windows are too many.

    Without groups every window from 0 to the last one has a row, and `golden.plans.panes.WINDOWS`
    rows are allowed. With groups only windows that hold a tuple have a row, but the number of each
    window must fit 63 bits.
    """
    limit = _MOST_WINDOWS if grouped else WINDOWS
    count = span.window_count(window.slide)
    if count <= limit:
        return
    time = fn.col("t").cast("decimal(38,0)")
    start = fn.lit(str(span.start)).cast("decimal(38,0)")
    previous = fn.coalesce(fn.lag(time).over(Window.orderBy("t")), start)
    gaps = tuples.filter(time >= start).select(time.alias("gap_end"), previous.alias("gap_start"))
    [gap] = gaps.orderBy(fn.desc(fn.col("gap_end") - fn.col("gap_start"))).take(1)
    text, name = window.attribute.type.text, window.attribute.name
    raise UserError(
        f"{name}: windows with SLIDE {text(window.slide)} from {text(span.start)} to "
        f"{text(span.greatest)} are {count:,}, and at most {limit:,} are answered; "
        f"the longest gap is from {text(int(gap['gap_start']))} to {text(int(gap['gap_end']))}"
    )


def stream_range(
    tuples: DataFrame, window: Range, results: Results, by: list[str], span: Span
) -> tuple[DataFrame, DataFrame]:
    """Returns the rows of ``[RANGE r SLIDE s WATTR t SLACK x]``, and tuples with a flag ``late``.

    The first punctuation is ``span.start``. After each tuple, the punctuation is the greatest
    window start at or before max(t) - x, if this is greater than the last punctuation::

        start + s*floor((max(t) - x - start)/s)

    A tuple is late if its time lies before the punctuation. Only windows that hold a tuple have
    rows. The column `GREATEST` has max(t) up to the tuple; without it no tuple is late. For
    instance with start 0, SLIDE 10 and SLACK 5, a tuple of time 27 makes the punctuation 20, so 19
    is late after it.
    """
    numbers = _numbers(window, span)
    marked = tuples.withColumn("u", _since_start("t", span, numbers))
    late = fn.lit(False)
    if GREATEST in tuples.columns:
        greatest = _since_start(GREATEST, span, numbers) - numbers.lit(window.slack)
        slides = numbers.quotient(greatest, window.slide)
        late = fn.col("u") < fn.greatest(slides * numbers.lit(window.slide), numbers.lit(0))
    marked = marked.withColumn("late", late)
    timely = marked.filter(~fn.col("late"))
    panes = pane_states(timely, fn.col("u"), window, numbers, results, by)
    states = window_states(panes, window, numbers, results, by)
    return states.select(fn.col("window").cast("long"), *by, *results.lower()), marked


def partition_range(
    tuples: DataFrame, window: Range, results: Results, scan: KeyScan, span: Span
) -> tuple[DataFrame, DataFrame]:
    """Returns the rows of ``[PARTITION BY k RANGE ...]``, and the tuples with a flag ``late``.

    ``scan.by`` are the columns that identify a key: ``key``, and ``life`` if a table of limited
    size evicts keys (`golden.plans.lives`).

    A tuple closes every window of its key that ends at or before the tuple's time. A tuple is late
    if its time lies before the start, or before the end of the last window that its key has closed,
    with or without tuples. A window has a row once it is closed, if the key has a tuple in it. For
    instance with RANGE 10, SLIDE 5 and start 0, a tuple of time 17 closes windows 0 and 1, up to
    15. Then 14 is late, though window 2, from 10 to 20, is open.
    """
    numbers = _numbers(window, span)
    size, slide = numbers.lit(window.size), numbers.lit(window.slide)
    by = scan.by
    timed = tuples.withColumn("u", _since_start("t", span, numbers))
    marked = scan.with_greatest(timed, "u", "greatest")
    closed = _closed_window(fn.col("greatest"), window.size, window.slide, numbers)
    end = fn.when(closed >= 0, closed * slide + size).otherwise(numbers.lit(0))
    marked = marked.withColumn("late", fn.col("u") < end)
    timely = scan.counted(marked.filter(~fn.col("late")), KEY_ARRIVAL)
    panes = pane_states(timely, fn.col("u"), window, numbers, results, by)
    panes = _with_closing(panes, window, numbers, by)
    states = window_states(panes, window, numbers, results, by)
    rows = states.select(fn.col("window").cast("long"), *by, "trigger", *results.lower())
    return rows, marked


def _with_closing(panes, window, numbers, by):
    """Returns the panes of keys with the last window that the key closes, and with a new trigger.

    The column ``until`` is the last closed window, or -1. The trigger of a pane becomes the first
    arrival in any later pane of the key, so triggers ascend with the panes. A window is closed by
    the first arrival in any pane after it, which is the greatest trigger of its panes. For instance
    a key with windows of two panes, slid by one pane:

        pane                        0    1    3    4
        first arrival in the pane   2    5    7    9
        trigger of the pane         5    7    9    -

        panes of the window       0-1  1-2  2-3
        trigger of the window       7    7    9
    """
    pane = pane_size(window)
    descending = Window.partitionBy(*by).orderBy(fn.desc("pane"))
    later = descending.rowsBetween(Window.unboundedPreceding, -1)
    last_pane = fn.max("pane").over(descending)
    until = _closed_window(last_pane, window.size // pane, window.slide // pane, numbers)
    return panes.withColumns({"until": until, "trigger": fn.min("first_arrival").over(later)})


def _closed_window(time, size, slide, numbers):
    """Returns the last window that ends at or before a time; -1 if none does.

    ``time``, ``size`` and ``slide`` count the same unit, from the start of window 0.
    """
    window = numbers.quotient(time - numbers.lit(size), slide)
    return fn.when(time >= numbers.lit(size), window).otherwise(numbers.lit(-1))


def _numbers(window, span):
    """Returns numbers that hold every time, and every end of a window, since the start."""
    furthest = max(span.greatest - span.start, 0)
    return Numbers.up_to(furthest + window.size + window.slide + window.slack)


def _since_start(name, span, numbers):
    """Returns the time in column ``name`` since the start, or -1 for a time before the start."""
    small = max(abs(time) for time in (span.start, span.smallest, span.greatest)) < 1 << 61
    exact = Numbers(wide=not small)
    since = fn.col(name).cast(exact.kind) - exact.lit(span.start)
    return fn.greatest(since, exact.lit(-1)).cast(numbers.kind)
