"""Runs an engine on a part of a stream, and returns the rows that belong to this part."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from host.spark.cuts import Cut, StreamWindows, TimeWindows
from host.spark.task import REPLAYED, EngineTask

Columns = Mapping[str, np.ndarray]


def run_segment(
    task: EngineTask,
    windows: StreamWindows,
    columns: Columns,
    replayed: int,
    cut: Cut,
    end: int | None,
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Returns the rows of the windows that a part of a stream closes, and the counts of the part.

    Parameters
    ----------
    task : EngineTask
    windows : RowWindows or TimeWindows
    columns : dict of str to numpy.ndarray
        Raw values: first the ``replayed`` tuples from before the cut that the open windows cover
        and that pass WHERE, then the tuples of the part; both in order of arrival. Replayed tuples
        that were late are left out here.
    cut : Cut
        The cut before the part; see `host.spark.cuts`.
    end : int or None
        Number of the first window that is open after the part, whose row another part has; None if
        the stream ends here.

    Returns
    -------
    rows : dict of str to numpy.ndarray
        Columns of the rows; ``window`` counts from the begin of the stream.
    counts : dict of str to int
        Of the tuples of the part alone: replayed tuples contribute to no count of dropped tuples,
        ``tuples`` is without them, and ``replayed`` is their number.
    """
    start = None
    if isinstance(windows, TimeWindows):
        start = cut.threshold
        timely = is_timely(windows, columns[windows.time][:replayed], start)
        chosen = np.concatenate([timely, np.ones(_length(columns) - replayed, np.bool_)])
        columns = {name: column[chosen] for name, column in columns.items()}
        replayed = int(timely.sum())
    rows, counts = task.run(columns, start)
    rows = with_windows(rows, rows["window"].astype(np.int64) + cut.window)
    if end is not None:
        rows = select(rows, rows["window"] < end)
    return rows, own_counts(counts, rows, replayed)


def is_timely(windows: TimeWindows, times: np.ndarray, start: int) -> np.ndarray:
    """Returns True for each tuple that is not late in a stream whose window 0 begins at ``start``.

    A tuple before the start is late, too.
    """
    if not len(times):
        return np.zeros(0, np.bool_)
    since = since_start(times, start, windows.slack, windows.slide)
    slides = (np.maximum.accumulate(since) - windows.slack) // windows.slide
    return np.asarray(since >= np.maximum(slides, 0) * windows.slide, np.bool_)


def is_at_least(times: np.ndarray, bound: int) -> np.ndarray:
    """Returns True for each time at or after ``bound``, which may lie outside of 64 bits."""
    return np.asarray(since_start(times, bound) >= 0, np.bool_)


def run_near(
    task: EngineTask, windows: TimeWindows, columns: Columns, times: np.ndarray
) -> tuple[dict[str, np.ndarray], dict[str, int]]:
    """Returns the rows and counts of tuples of keys; window 0 of the rows begins at the start.

    The engine itself starts near the oldest of ``times``, because it counts up to 2^32 slides
    (`TimeWindows.near`). ``times`` are raw, those of all tuples that reach a window.
    """
    cut = windows.near(int(times.min()) if len(times) else windows.start)
    rows, counts = task.run(columns, cut.threshold)
    return with_windows(rows, rows["window"].astype(np.int64) + cut.window), counts


def since_start(times: np.ndarray, start: int, *others: int) -> np.ndarray:
    """Returns ``times`` less ``start``: int64, or Python integers where 64 bits may overflow.

    ``others`` are numbers that the caller adds to, or subtracts from, the result.
    """
    limit = 1 << 61
    extremes = [start, *others, *((int(times.min()), int(times.max())) if len(times) else ())]
    if all(-limit < time < limit for time in extremes):
        return times.astype(np.int64) - start
    return times.astype(object) - start


def with_windows(rows: dict[str, np.ndarray], windows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns rows with other numbers of windows."""
    return rows | {"window": windows}


def select(rows: Columns, chosen: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the rows, or tuples, for which ``chosen`` is True, or the rows at these indices."""
    return {name: column[chosen] for name, column in rows.items()}


def own_counts(counts: dict[str, int], rows: Columns, replayed: int) -> dict[str, int]:
    """Returns the counts without replayed tuples and without rows of other parts."""
    tuples = counts["tuples"] - replayed
    return counts | {"tuples": tuples, "rows": _length(rows), REPLAYED: replayed}


def _length(columns: Columns) -> int:
    """Returns the number of rows."""
    return len(next(iter(columns.values())))
