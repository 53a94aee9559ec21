"""Counts the passes that each window takes until its percentiles are found, from the data."""

from dataclasses import dataclass
from math import ceil

import numpy as np


class PivotSearches:
    """Searches the percentiles of windows as the hardware does, and counts the passes.

    A search takes the steps of :class:`~rtl.aggregate.pivot_selection.PivotSelection`. Its first
    pivots are the answers of the key's previous window. For a key's first window the pivots are
    the answers of the key that had the entry before, or 0.

    Parameters
    ----------
    ranks : array of int
        The value of each tuple as an unsigned number: greater values have greater numbers. (Inside
        this class the rank of a percentile is another thing: its place in the sorted window.)
    plan : rtl.keyed.pivot.pivot_plan.PivotPlan
    """

    def __init__(self, ranks, plan):
        self._ranks = np.asarray(ranks, np.uint64)
        self._plan = plan
        self._latest = {}  # by entry: (indices and end of the latest window, its answers)

    def window(self, life, begin, end):
        """Returns the search of a window: the values ``begin`` to ``end`` - 1 of a key's ``life``.

        ``life`` is a :class:`~rtl.engine.streamzip.schedule.key_stream.Life`.
        """
        window = WindowSearch(self, life.indices, begin, end, life.searched)
        life.searched = begin, end
        return window

    def passes(self, ring, window):
        """Returns the passes of a :class:`WindowSearch` whose key has the entry ``ring``.

        Stores the answers as the pivots of the next window of the entry. So the windows of an entry
        come in order, each once.
        """
        pivots = self._pivots(ring, window)
        values = self._sorted(window.indices, window.begin, window.end)
        answers = [self._answer(values, fraction) for fraction in self._plan.fractions]
        self._latest[ring] = (window.indices, window.end), answers
        searched = zip(self._plan.fractions, pivots, strict=True)
        return max(self._count(values, fraction, pivot) for fraction, pivot in searched)

    def _pivots(self, ring, window):
        """Returns the pivots with which the search of a window begins.

        If the key's previous window was not searched, its answers are computed here.
        """
        place, answers = self._latest.get(ring, (None, [0] * len(self._plan.fractions)))
        if window.earlier is None or place == (window.indices, window.earlier[1]):
            return answers
        values = self._sorted(window.indices, *window.earlier)
        return [self._answer(values, fraction) for fraction in self._plan.fractions]

    def _sorted(self, indices, begin, end):
        return np.sort(self._ranks[indices[begin:end]])

    @staticmethod
    def _answer(values, fraction):
        return int(values[ceil(fraction * len(values)) - 1]) if len(values) else 0

    def _count(self, values, fraction, pivot):
        """Returns the number of passes over sorted values until a percentile is found."""
        near = self._plan.neighbours
        top = (1 << self._plan.width) - 1
        low = 0
        high = top
        rank = ceil(fraction * len(values))
        passes = 0
        while len(values):
            less = int(np.searchsorted(values, np.uint64(pivot), "left"))
            upto = int(np.searchsorted(values, np.uint64(pivot), "right"))
            passes += 1
            if less - near < rank <= upto + near:
                break
            falls = rank <= less
            index = less - rank if falls else rank - upto - 1
            last = int(values[less - near if falls else upto + near - 1])
            distance = abs(pivot - last).bit_length() + (index // near).bit_length()
            step = 1 << (distance + passes - 2)
            if falls:
                pivot = (low + last) // 2 if low else max(0, last - step)
                high = last
            else:
                pivot = min(top, last + step) if high == top else -(-(last + high) // 2)
                low = last
        return max(passes, 1)


@dataclass(frozen=True, slots=True)
class WindowSearch:
    """Search for the percentiles of one window.

    Attributes
    ----------
    searches : PivotSearches
    indices : list of int
        For each value of the key's life, the index of its tuple in the arrays of the stream.
    begin, end : int
        The window has the values ``begin`` to ``end`` - 1 of the life.
    earlier : (int, int) or None
        ``begin`` and ``end`` of the previous window of the life; None for the first window.
    """

    searches: PivotSearches
    indices: list
    begin: int
    end: int
    earlier: tuple | None

    def passes(self, ring):
        """Returns the number of passes, if the key has the entry ``ring``."""
        return self.searches.passes(ring, self)
