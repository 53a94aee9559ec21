"""Answers windows of a stream without keys, micro-batch after micro-batch.

Each micro-batch is a segment of the stream, and gives the rows of the windows that it closes.
Between two micro-batches lies a cut (`host.spark.cuts`). The saved state holds the tuples of the
windows that are open at the cut. For example, ``ROWS 4 SLIDE 2`` and micro-batches of 3 tuples:

    tuples 0 to 2: no row; saves tuples 0 to 2
    tuples 3 to 5: rows of windows 0 and 1; saves tuples 4 and 5, the first of window 2
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from host.errors import HostError
from host.spark.cuts import RowWindows, StreamWindows, TimeWindows
from host.spark.saved import Saved, check_ascending, joined
from host.spark.segment import Columns, is_at_least, is_timely, run_segment, select
from host.spark.task import EngineTask

#: Most windows that a micro-batch may close. Each window has a row, even an empty window.
MOST_WINDOWS = 100_000_000


@dataclass(frozen=True)
class StreamJob:
    """Describes a job over a stream without keys.

    Attributes
    ----------
    task : EngineTask
    windows : RowWindows or TimeWindows
        The start of windows of time has no effect if ``has_start`` is False.
    identity : str
        As in `host.spark.saved.Saved`.
    has_start : bool
        True if the user gave the start of windows of time. Else it is the time of the first
        accepted tuple, less the slack, rounded down to a multiple of the slide.
    """

    task: EngineTask
    windows: StreamWindows
    identity: str
    has_start: bool

    def advance(
        self, saved: Saved | None, columns: Columns, accepted: np.ndarray, order: pa.Array
    ) -> tuple[dict[str, np.ndarray], dict[str, int], Saved]:
        """Returns the rows and counts of a micro-batch, and the state after it.

        Raises HostError if the order does not ascend, or if too many windows close.

        Parameters
        ----------
        saved : Saved or None
            State before the micro-batch; None before the first one.
        columns : dict of str to numpy.ndarray
            Raw values of the tuples, in order of arrival.
        accepted : numpy.ndarray of bool
            True for each tuple that has no NaN and that WHERE lets pass.
        order : pyarrow.Array
            Values of the column of the order, of all tuples; each must be greater than the one
            before, in earlier micro-batches, too.
        """
        earlier = {"count": 0, "greatest": None, "start": None} if saved is None else saved.numbers
        last = None if saved is None else saved.facts["last"][0].as_py()
        for value in order.to_pylist():
            check_ascending(last, value, "of the stream")
            last = value
        replays = {} if saved is None else saved.tuples
        passing = select(columns, accepted)
        windows, start = self._windows(earlier["start"], passing)
        count_before, count = earlier["count"], int(accepted.sum())
        assert count_before is not None
        greatest_before = greatest = earlier["greatest"]
        if isinstance(windows, TimeWindows) and count:
            newest = int(passing[windows.time].max())
            greatest = newest if greatest_before is None else max(greatest_before, newest)
        cut = _cut(windows, count_before, greatest_before)
        next_cut = _cut(windows, count_before + count, greatest)
        if next_cut.window - cut.window > MOST_WINDOWS:
            cause = "a gap in the times" if isinstance(windows, TimeWindows) else "the micro-batch"
            raise HostError(
                f"{cause} closes {next_cut.window - cut.window:,} windows, and at most "
                f"{MOST_WINDOWS:,} are answered in a micro-batch"
            )
        sent = joined(replays, columns)
        replayed = len(next(iter(replays.values()))) if replays else 0
        rows, counts = run_segment(self.task, windows, sent, replayed, cut, next_cut.window)
        candidates = joined(replays, passing)
        if isinstance(windows, TimeWindows):
            times = candidates[windows.time]
            is_saved = is_timely(windows, times, cut.threshold)
            is_saved &= is_at_least(times, next_cut.threshold)
        else:
            is_saved = cut.threshold + np.arange(replayed + count) >= next_cut.threshold
        facts = pa.table({"last": pa.array([last], order.type)})
        state = {"count": count_before + count, "greatest": greatest, "start": start}
        return rows, counts, Saved(self.identity, state, select(candidates, is_saved), facts)

    def _windows(self, start, passing):
        """Returns the windows with their start, and the start to save.

        ``start`` is the saved start. None is saved for windows of rows, for a start that the user
        gave, and before the first accepted tuple. With time 27, slack 5 and slide 10 it is 20.
        """
        windows = self.windows
        if isinstance(windows, RowWindows) or self.has_start:
            return windows, None
        times = passing[windows.time]
        if start is None and len(times):
            start = (int(times[0]) - windows.slack) // windows.slide * windows.slide
        return windows.starting(0 if start is None else start), start


def _cut(windows, count, greatest):
    """Returns the cut after ``count`` tuples, of which ``greatest`` is the greatest time."""
    return windows.cut(count if isinstance(windows, RowWindows) else greatest)
