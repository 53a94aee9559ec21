"""Counts the passes of each window in the search for percentiles, by a search of the data."""

from dataclasses import dataclass
from math import ceil

import numpy as np


class PivotSearches:
    """Searches the percentiles of windows as the hardware does, with the answers of each key.

    A search is the one of :class:`~rtl.aggregate.pivot_selection.PivotSelection`. It begins with
    the answers of the key's window before. For a key's first window these are the answers of the
    key that had the entry before, or 0.

    Parameters
    ----------
    ranks : array of int
        Rank of the value of each tuple: an unsigned number, in the order of the values.
    plan : rtl.keyed.pivot.pivot_plan.PivotPlan
    """

    def __init__(self, ranks, plan):
        self._ranks, self._plan = np.asarray(ranks, np.uint64), plan
        self._latest = {}  # the latest window of each entry, and its answers

    def window(self, life, begin, end):
        """Returns the search of the window of the values ``begin`` to ``end`` - 1 of a life."""
        window = WindowSearch(self, life.indices, begin, end, life.searched)
        life.searched = begin, end
        return window

    def passes(self, ring, window):
        """Returns the number of passes of a window of an entry's key."""
        pivots = self._pivots(ring, window)
        values = self._sorted(window.indices, window.begin, window.end)
        answers = [self._answer(values, fraction) for fraction in self._plan.fractions]
        self._latest[ring] = (window.indices, window.end), answers
        searched = zip(self._plan.fractions, pivots, strict=True)
        return max(self._count(values, fraction, pivot) for fraction, pivot in searched)

    def _pivots(self, ring, window):
        """Returns the pivots with which the search of a window begins."""
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
        near, top = self._plan.neighbours, (1 << self._plan.width) - 1
        low, high, rank, passes = 0, top, ceil(fraction * len(values)), 0
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
                pivot, high = (low + last) // 2 if low else max(0, last - step), last
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
        Number of the tuple of each value of the key, in the arrays of the stream.
    begin, end : int
        The window has the values ``begin`` to ``end`` - 1.
    earlier : (int, int) or None
        The same numbers of the key's window before.
    """

    searches: PivotSearches
    indices: list
    begin: int
    end: int
    earlier: tuple | None

    def passes(self, ring):
        """Returns the number of passes, if the key has the entry ``ring``."""
        return self.searches.passes(ring, self)
