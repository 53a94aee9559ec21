"""Combines panes into windows by two scans of the panes, if many windows share a pane.

The panes of a key are divided into blocks of as many panes as a window has. A forward scan combines
each pane with the earlier panes of its block, and a backward scan with the later panes. A window
that begins with a block is the whole block: its state is the backward state of its first pane. Any
other window ends in the next block: its state is the backward state of its first pane, combined
with the forward state of its last pane. So a pane becomes at most two rows of the plan, whatever
the number of windows that hold the pane; but the panes are sorted twice. For instance sums of
windows of 3 panes, with a slide of 1 pane. The data end with pane 6, so the last full window begins
at pane 4:

    pane                       0    1    2 |  3    4    5 |  6
    sum of the pane            5    1    2 |  4    7    1 |  3
    forward                    5    6    8 |  4   11   12 |  3
    backward                   8    3    2 | 12    8    1 |  3
    window that begins here    8  3+4 2+11 | 12  8+3

This is the algorithm of van Herk, and of Gil and Werman. The algorithm needs every pane from 0 to
the last. So it is used neither for windows of time, nor for groups of a stream's windows: both may
lack panes.
"""

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

from golden.plans.panes import Numbers, Results, combined, named, pane_size
from query.window import Rows

_FORWARD, _BACKWARD = "forward", "backward"
#: Least size/SLIDE for which two scans take less time than a copy of each pane for each of its
#: windows: the first number if a window begins at every pane, the second number if not.
_FEWEST, _FEWEST_APART = 8, 64


def scans_pay(window: Rows, results: Results) -> bool:
    """Returns True if so many windows share a pane that scans take less time than copies.

    Returns False if a state has no fixed size, as the list of values of a median: a scan would
    collect all values of a block.
    """
    fewest = _FEWEST if window.slide == pane_size(window) else _FEWEST_APART
    return window.size // window.slide >= fewest and results.have_fixed_size


def scanned_states(
    panes: DataFrame,
    window: Rows,
    numbers: Numbers,
    results: Results,
    by: list[str],
    in_sections: bool = False,
) -> DataFrame:
    """Returns the states that `golden.plans.panes.window_states` returns, by scans.

    ``panes`` are the states of panes; each key has every pane from 0 to its last one. The column
    ``until`` is the number of the last full window, of the key or of the stream. ``by`` are the
    columns of the key. ``in_sections`` is true if a key may be too big for a task; then the blocks
    of a key are divided among the tasks.
    """
    # ``size`` and ``slide`` count panes.
    panes_of_window = window.size // pane_size(window)
    size, slide = numbers.lit(panes_of_window), window.slide // pane_size(window)
    number = fn.col("pane")
    block = numbers.quotient(number, panes_of_window)
    states = combined(results)
    order = {_FORWARD: number.asc(), _BACKWARD: number.desc()}
    scanned = panes.withColumn("block", block)
    if in_sections:
        scanned = scanned.repartition(*by, "block")
    for direction, ordering in order.items():
        scan = Window.partitionBy(*by, "block").orderBy(ordering)
        scan = scan.rowsBetween(Window.unboundedPreceding, Window.currentRow)
        scanned = scanned.withColumns(
            {f"{direction}_{name}": state.over(scan) for name, state in states.items()}
        )
    begin = number - size + numbers.lit(1)  # of the window that ends with this pane
    ends_window = (begin >= numbers.lit(0)) & (begin % size != numbers.lit(0))
    windows = {
        _BACKWARD: _number_of(number, slide, numbers),
        _FORWARD: fn.when(ends_window, _number_of(begin, slide, numbers)),
    }
    cells = [
        column
        for direction, window_number in windows.items()
        for column in (window_number, *(fn.col(f"{direction}_{name}") for name in states))
    ]
    halves = scanned.select(*by, "until", fn.stack(fn.lit(2), *cells).alias("window", *states))
    halves = halves.filter("window <= until")  # drops NULL, a half of no window, too
    return halves.groupBy("window", *by).agg(*named(states))


def _number_of(begin: Column, slide: int, numbers: Numbers) -> Column:
    """Returns the number of the window that begins at a pane; NULL if none begins there."""
    begins = begin % numbers.lit(slide) == numbers.lit(0)
    return fn.when(begins, numbers.quotient(begin, slide))
