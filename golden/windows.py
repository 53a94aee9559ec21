"""Windows of arrivals as Spark plans: tuples to panes, panes to windows, windows to rows.

All functions, also those of `golden.times`, take tuples as a frame with the columns ``n`` (arrival
position), ``key`` (when the query has one), ``life`` (when keys have more than one, see
`golden.lives`), ``t`` (the time, RANGE only) and the values, and give
rows with ``window``, ``key``, the results, and the columns named in the constant ``ORDER`` of their
scope, by which rows are to be sorted.
"""

from math import gcd

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from golden.panes import Numbers, Results, window_states
from query.window import Rows

OWN = "own"  # the column of the numbers that the tuples of a key have, from 0
STREAM_ORDER = ("window", "key")
PARTITION_ORDER = ("trigger", "window")

SHORT = 16  # tuples; up to here a window of one key is cheaper aggregated alone than by panes
_FRAME = 8192  # tuples; a frame takes in all of its window, also where a key fills few of them
_COPY = 16  # tuples that a frame takes in, in the time in which a pane is handed to one window


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
    numbers = Numbers.up_to(window.size)
    total = fn.broadcast(tuples.agg(fn.count(fn.lit(1)).alias("total")))

    def bound(panes):
        return _filled(panes.crossJoin(total), window, numbers)

    windows = window_states(tuples, fn.col("n"), window, numbers, results, by, bound)
    return windows.select("window", *by, *results.lower())


def partition_rows(tuples: DataFrame, window: Rows, results: Results, by: list[str]) -> DataFrame:
    """``[PARTITION BY k ROWS ws SLIDE wa]``: by each key's own arrivals, when the last is in.

    ``by`` are the columns that make a key: ``key``, and ``life`` if keys have more than one.

    Short windows, and those that follow each other closely, are aggregated where they stand, as
    frames over each key's sorted tuples: panes of few tuples would save nothing.
    """
    arrivals, numbered = Window.partitionBy(*by).orderBy("n"), with_own(tuples, by)
    if _as_frames(window):
        frame = arrivals.rowsBetween(1 - window.size, 0)
        states = {name: state.over(frame) for name, state in results.lift().items()}
        begun = f"{OWN} - {window.size - 1}"
        windows = (
            numbered.withColumns(states)
            .filter(f"{begun} >= 0 and ({begun}) % {window.slide} = 0")
            .withColumns(
                {"window": fn.expr(f"({begun}) div {window.slide}"), "trigger": fn.col("n")}
            )
        )
    else:
        numbers = Numbers.up_to(window.size)

        def bound(panes):
            total = fn.sum("filled").over(Window.partitionBy(*by))
            return _filled(panes.withColumn("total", total), window, numbers)

        windows = window_states(numbered, fn.col(OWN), window, numbers, results, by, bound)
    return windows.select("window", "key", "trigger", *results.lower())


def with_own(tuples: DataFrame, by: list[str]) -> DataFrame:
    """The tuples with the column `OWN`, which counts those of each key from 0."""
    arrivals = Window.partitionBy(*by).orderBy("n")
    return tuples.withColumn(OWN, (fn.row_number().over(arrivals) - 1).cast("long"))


def _as_frames(window):
    """Whether windows of a key are aggregated alone, and not by panes.

    For each tuple a frame takes in size tuples, and 1/pane of a pane is handed to size/slide
    windows. For instance, 4096 tuples slid by 1 are 4096 copies of panes for each tuple; slid by 4
    they are 256, which take as long as the frame of 4096, and by 8 only 64.
    """
    pane = gcd(window.size, window.slide)
    return window.size <= SHORT or (window.size <= _FRAME and pane * window.slide <= _COPY)


def _filled(panes, window, numbers):
    """Panes up to the last window that ``total`` arrivals fill; none when they fill none."""
    rest = fn.col("total").cast(numbers.kind) - numbers.lit(window.size)
    last = numbers.quotient(rest, window.slide)
    return panes.filter(rest >= 0).withColumn("until", last)
