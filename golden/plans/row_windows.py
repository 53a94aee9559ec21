"""Builds Spark plans for windows of arrivals: tuples to panes, panes to windows, windows to rows.

All functions, also those of `golden.plans.time_windows`, take tuples as a frame with these columns:
``n`` (arrival position), ``key`` (if the query has a key), ``life`` (if keys have several lives,
see `golden.plans.lives`), ``t`` (the time, RANGE only) and the values. They return a frame of rows
with ``window``, ``key``, the results, and the columns named in `STREAM_ORDER` or `PARTITION_ORDER`,
by which the caller sorts the rows.
"""

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from golden.plans.key_scan import KeyScan
from golden.plans.pane_scans import scanned_states, scans_pay
from golden.plans.panes import Numbers, Results, named, pane_size, pane_states, window_states
from query.window import Rows

KEY_ARRIVAL = "key_arrival"  # column that counts the tuples of a key, from 0
STREAM_ORDER = ("window", "key")
PARTITION_ORDER = ("trigger", "window")

SHORT = 16  # tuples; up to this size a frame for a window of one key is cheaper than panes
_FRAME = 8192  # tuples; a larger frame costs too much, also if a key has fewer tuples
_COPY = 16  # tuples that a frame reads in the time in which a pane is copied to one window


def whole_stream(tuples: DataFrame, results: Results, by: list[str]) -> DataFrame:
    """Returns the row of each group over all tuples; no rows if there are no tuples."""
    states = tuples.groupBy(*by).agg(fn.count(fn.lit(1)).alias("filled"), *named(results.lift()))
    return states.filter("filled > 0").select(
        fn.lit(0).cast("long").alias("window"), *by, *results.lower()
    )


def rows(tuples: DataFrame, window: Rows, results: Results, by: list[str], count: int) -> DataFrame:
    """Returns the rows of ``[ROWS ws SLIDE wa]``: only of windows whose last tuple has arrived.

    ``n`` must count the ``count`` arrivals from 0 without gaps.
    """
    numbers = Numbers.up_to(window.size)
    last = (count - window.size) // window.slide if count >= window.size else -1
    panes = pane_states(tuples, fn.col("n"), window, numbers, results, by)
    panes = panes.withColumn("until", numbers.lit(last))
    if last >= 0 and not by and scans_pay(window, results):
        windows = scanned_states(panes, window, numbers, results, by)
    else:
        windows = window_states(panes, window, numbers, results, by)
    return windows.select("window", *by, *results.lower())


def partition_rows(tuples: DataFrame, window: Rows, results: Results, scan: KeyScan) -> DataFrame:
    """Returns the rows of ``[PARTITION BY k ROWS ws SLIDE wa]``: windows of each key's arrivals.

    Only windows whose last tuple has arrived have rows. ``scan.by`` are the columns that identify a
    key: ``key``, and ``life`` if keys have several lives.

    Short windows, and some windows that follow each other closely, are aggregated one by one as
    frames over each key's sorted tuples, since panes of few tuples would save nothing. A scan in
    sections always uses panes, because a frame needs the whole key in one task.
    """
    numbered = scan.counted(tuples, KEY_ARRIVAL)
    if _as_frames(window, results) and not scan.in_sections:
        frame = Window.partitionBy(*scan.by).orderBy("n").rowsBetween(1 - window.size, 0)
        states = {name: state.over(frame) for name, state in results.lift().items()}
        first = f"{KEY_ARRIVAL} - {window.size - 1}"
        windows = (
            numbered.withColumns(states)
            .filter(f"{first} >= 0 and ({first}) % {window.slide} = 0")
            .withColumns(
                {"window": fn.expr(f"({first}) div {window.slide}"), "trigger": fn.col("n")}
            )
        )
    else:
        numbers = Numbers.up_to(window.size)
        panes = pane_states(numbered, fn.col(KEY_ARRIVAL), window, numbers, results, scan.by)
        panes = _filled(scan.with_total(panes, "filled", "total"), window, numbers)
        arguments = panes, window, numbers, results, scan.by
        if scans_pay(window, results):
            windows = scanned_states(*arguments, scan.in_sections)
        else:
            windows = window_states(*arguments)
    return windows.select("window", "key", "trigger", *results.lower())


def _as_frames(window, results):
    """Returns True if windows of a key are aggregated as frames, and not by panes.

    Windows of up to `SHORT` tuples are. Longer ones are if they have at most `_FRAME` tuples, if
    copies of panes cost more than the frame, and if scans of the panes (`golden.plans.pane_scans`)
    do not take less time. For each tuple, a frame reads size tuples, while panes make size/slide
    copies of 1/pane of a pane. For instance, 4096 tuples slid by 1 cost 4096 copies of panes for
    each tuple. Slid by 4 they cost 256 copies, which take as long as the frame of 4096; slid by 8
    they cost only 64 copies.
    """
    if window.size <= SHORT:
        return True
    frames_pay = window.size <= _FRAME and pane_size(window) * window.slide <= _COPY
    return frames_pay and not scans_pay(window, results)


def _filled(panes, window, numbers):
    """Returns panes with the column ``until``, the last window that ``total`` arrivals fill.

    Panes of a key whose arrivals fill no window are dropped.
    """
    excess = fn.col("total").cast(numbers.kind) - numbers.lit(window.size)
    last = numbers.quotient(excess, window.slide)
    return panes.filter(excess >= 0).withColumn("until", last)
