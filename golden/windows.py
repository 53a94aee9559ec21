"""Windows as Spark plans: tuples to panes, panes to windows, windows to rows.

Window bounds are multiples of a *pane*, the greatest common divisor of size and slide. So tuples
are first aggregated by pane, and each pane's states are then handed to the windows that cover it:
the work is one aggregation of the tuples and one of size/slide copies of the far fewer panes.

All functions take tuples as a frame with the columns ``n`` (arrival position), ``key`` (when the
query has one; `golden.aggregates.ordered`), ``t`` (the time, RANGE only) and the values, and give
rows with ``window``, ``window_end`` (RANGE only), ``key``, the results, and the columns named in
the constant ``ORDER`` of their scope, by which rows are to be sorted.
"""

from dataclasses import dataclass
from functools import reduce
from math import gcd
from operator import or_

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

from golden.aggregates import Operator, flat
from query.types import Type
from query.window import Range, Rows

STREAM_ORDER = ("window", "key")
PARTITION_ORDER = ("trigger", "window")

SHORT = 16  # tuples; up to here a window of one key is cheaper aggregated alone than by panes


@dataclass(frozen=True)
class Results:
    """The SELECT list: ``operators[i]`` aggregates the column ``values[i]`` (None for count(*))."""

    operators: tuple[Operator, ...]
    values: tuple[str | None, ...]

    def lift(self) -> dict[str, Column]:
        n, pairs = fn.col("n"), zip(self.operators, self.values, strict=True)
        states = [op.lift(fn.col(value) if value else n, n) for op, value in pairs]
        return reduce(or_, states, {})

    def lifted(self):
        return [state.alias(name) for name, state in self.lift().items()]

    def combine(self):
        return flat([op.combine() for op in self.operators])

    def lower(self):
        return [op.lower().alias(f"row_{op.name}") for op in self.operators]

    def names(self):
        return [f"row_{op.name}" for op in self.operators]

    def empty(self):
        return [
            fn.when(fn.col("filled").isNull(), op.empty()).otherwise(fn.col(f"row_{op.name}"))
            for op in self.operators
        ]


def whole(tuples: DataFrame, results: Results, by: list[str]) -> DataFrame:
    """One window over everything: a row per group; none from no tuple."""
    states = tuples.groupBy(*by).agg(fn.count(fn.lit(1)).alias("filled"), *results.lifted())
    return states.filter("filled > 0").select(
        fn.lit(0).cast("long").alias("window"), *by, *results.lower()
    )


def rows(tuples: DataFrame, window: Rows, results: Results, by: list[str]) -> DataFrame:
    """``[ROWS ws SLIDE wa]``: only windows whose last tuple has arrived.

    ``n`` must count the arrivals from 0 without gaps.
    """
    pane = gcd(window.size, window.slide)
    last = tuples.agg(fn.max("n").alias("last"))
    panes = _panes(tuples.withColumn("pane", fn.expr(f"n div {pane}")), results, by)
    windows = _windows(panes, window, pane, results, by).crossJoin(fn.broadcast(last))
    return windows.filter(f"window * {window.slide} + {window.size - 1} <= last").select(
        "window", *by, *results.lower()
    )


def partition_rows(tuples: DataFrame, window: Rows, results: Results) -> DataFrame:
    """``[PARTITION BY k ROWS ws SLIDE wa]``: by each key's own arrivals, when the last is in.

    Short windows are aggregated where they stand, as frames over each key's sorted tuples: panes
    of few tuples would save nothing.
    """
    pane = gcd(window.size, window.slide)
    arrivals = Window.partitionBy("key").orderBy("n")
    numbered = tuples.withColumn("own", (fn.row_number().over(arrivals) - 1).cast("long"))
    if window.size <= SHORT:
        frame = arrivals.rowsBetween(1 - window.size, 0)
        states = {name: state.over(frame) for name, state in results.lift().items()}
        begun = f"own - {window.size - 1}"
        windows = (
            numbered.withColumns(states)
            .filter(f"{begun} >= 0 and ({begun}) % {window.slide} = 0")
            .withColumns(
                {"window": fn.expr(f"({begun}) div {window.slide}"), "trigger": fn.col("n")}
            )
        )
    else:
        panes = _panes(numbered.withColumn("pane", fn.expr(f"own div {pane}")), results, ["key"])
        windows = _windows(panes, window, pane, results, ["key"])
        windows = windows.filter(fn.col("filled") == window.size)
    return windows.select("window", "key", "trigger", *results.lower())


def bounds(tuples: DataFrame, window: Range, start: int | None) -> DataFrame:
    """One row: ``start``, and ``last``, the greatest time after it; both null without tuples.

    A start that is None is the first tuple's time less the slack, rounded down to a multiple of
    the slide.
    """
    wide = fn.col("t").cast("decimal(38,0)")
    if start is None:
        first = fn.min_by(wide, "n") - window.slack
        given = first - fn.pmod(first, fn.lit(window.slide).cast("decimal(38,0)"))
    else:
        given = fn.lit(str(start)).cast("decimal(38,0)")
    extremes = tuples.agg(given.cast("decimal(38,0)").alias("start"), fn.max(wide).alias("last"))
    return extremes.withColumn("last", (fn.col("last") - fn.col("start")).cast("long"))


def stream_range(tuples, window: Range, results, by, start) -> tuple[DataFrame, DataFrame]:
    """``[RANGE r SLIDE s WATTR t SLACK x]``: the rows, and the tuples with the mark ``late``.

    After each tuple there is a punctuation at start + s*floor((max(t) - x - start)/s), when that
    has grown; before the first it is at start. A tuple before the punctuation is late. Every
    window that has begun by the last time gives its rows, an empty one too when there is no group.
    """
    size, slide = window.size, window.slide
    extent = bounds(tuples, window, start)
    greatest = fn.max("u").over(Window.orderBy("n"))
    marked = _since_start(tuples, extent).withColumn("greatest", greatest)
    marked = marked.withColumn(
        "late", fn.expr(f"u < greatest((greatest - {window.slack}) div {slide} * {slide}, 0)")
    )
    found = _range_windows(marked, window, results, by).select(
        "window", *by, "filled", *results.lower()
    )
    if not by:
        begun = extent.filter("last >= 0").select(
            fn.explode(fn.expr(f"sequence(0L, last div {slide})")).alias("window")
        )
        found = begun.join(found, "window", "left").select(
            "window", *(e.alias(n) for e, n in zip(results.empty(), results.names(), strict=True))
        )
    return _with_end(found, extent, size, slide, window.attribute.type), marked


def partition_range(tuples, window: Range, results, start) -> tuple[DataFrame, DataFrame]:
    """``[PARTITION BY k RANGE r SLIDE s WATTR t]``: the rows, and tuples with the mark ``late``.

    A tuple closes every window of its key that ends at or before it; a tuple before its key's
    last closed end, or before the start, is late. A window appears when it is closed, if the key
    has a tuple in it.
    """
    size, slide = window.size, window.slide
    extent = bounds(tuples, window, start)
    greatest = fn.max("u").over(Window.partitionBy("key").orderBy("n"))
    marked = _since_start(tuples, extent).withColumn("greatest", greatest)
    closed = f"if(greatest >= {size}, (greatest - {size}) div {slide}, -1L)"
    marked = marked.withColumn("closed", fn.expr(closed)).withColumn(
        "late", fn.expr(f"u < if(closed >= 0, closed * {slide} + {size}, 0L)")
    )
    found = _range_windows(marked, window, results, ["key"])
    found = found.select("key", "window", fn.lit(True).alias("row"), *results.lower())
    closings = marked.filter("closed >= 0").groupBy("key", fn.col("closed").alias("window"))
    closings = closings.agg(fn.min("n").alias("n"))
    # A window's trigger is the first tuple that closes it or a later one.
    later = Window.partitionBy("key").orderBy(fn.desc("window"))
    both = found.unionByName(closings, allowMissingColumns=True)
    both = both.withColumn("trigger", fn.min("n").over(later))
    triggered = both.filter("row and trigger is not null")
    return _with_end(triggered, extent, size, slide, window.attribute.type), marked


def _panes(tuples, results, by):
    return tuples.groupBy("pane", *by).agg(
        fn.count(fn.lit(1)).alias("filled"), fn.max("n").alias("trigger"), *results.lifted()
    )


def _windows(panes, window, pane, results, by):
    """States of windows: window j covers panes j*slide/pane up to size/pane of them."""
    size, slide = window.size // pane, window.slide // pane
    first = f"if(pane >= {size}, (pane - {size}) div {slide} + 1, 0L)"
    covering = panes.withColumn("from", fn.expr(first)).withColumn(
        "to", fn.expr(f"pane div {slide}")
    )
    spread = covering.filter("from <= to").withColumn(
        "window", fn.expr("explode(sequence(from, to))")
    )
    return spread.groupBy("window", *by).agg(
        fn.sum("filled").alias("filled"), fn.max("trigger").alias("trigger"), *results.combine()
    )


def _since_start(tuples, extent):
    elapsed = (fn.col("t").cast("decimal(38,0)") - fn.col("start")).cast("long")
    return tuples.crossJoin(fn.broadcast(extent)).withColumn("u", elapsed)


def _range_windows(marked, window, results, by):
    pane = gcd(window.size, window.slide)
    timely = marked.filter(~fn.col("late")).withColumn("pane", fn.expr(f"u div {pane}"))
    return _windows(_panes(timely, results, by), window, pane, results, by)


def _with_end(found, extent, size, slide, type_: Type):
    kind = "long" if type_.raw_max < 1 << 63 else "decimal(20,0)"
    end = fn.expr(f"start + cast(window as decimal(20,0)) * {slide} + {size}").cast(kind)
    return found.crossJoin(fn.broadcast(extent.select("start"))).withColumn("window_end", end)
