"""Models passes with a pivot: when each window may begin, and when its answer is known."""

from collections import defaultdict, deque
from dataclasses import dataclass
from math import log2

from rtl.keyed.pivot.pivot_plan import WINDOWS

#: Typical number of further passes for each doubling of SLIDE beyond K, and of ROWS beyond K for
#: the first window of a key, whose pivot is no answer of the key.
PER_DOUBLING, FIRST_PER_DOUBLING = 0.6, 0.9


def first_passes(size, neighbours):
    """Returns the typical number of passes of the first window of a key, of ``size`` values."""
    return 1 + FIRST_PER_DOUBLING * max(0.0, log2(max(size, 1) / neighbours))


def usual_passes(slide, neighbours):
    """Returns the typical number of passes of a window after the first one of its key.

    Data between noise and a walk take about so many: with K = 1 and SLIDE 16 noise takes 2, a walk
    5, and this function returns 3.4.
    """
    return 1 + PER_DOUBLING * max(0.0, log2(max(slide, 1) / neighbours))


def pass_cycles(lines, passes, restart):
    """Returns the cycles of a window with several passes, each of so many lines.

    A pass begins ``restart`` cycles after the last line of the pass before. For instance 2 passes
    of 10 lines with a ``restart`` of 20 take 40 cycles.
    """
    return lines + (passes - 1) * (lines + restart)


@dataclass(frozen=True, kw_only=True)
class Passes:
    """Describes the passes of the windows of a stream.

    Attributes
    ----------
    latency : int
        Cycles from the last line of a window at the kernels to the next pass of its key.
    decoding : int
        Cycles of a serial decoder for a block; 0 without serial decoders.
    first : float
        Mean passes of the first window of a key.
    usual : float
        Mean passes of a window after the first one of its key.
    ahead : int
        Number of windows of a key that may be under way.
    lines : int
        Lines of the buffer of windows.
    """

    latency: int
    decoding: int
    first: float
    usual: float
    ahead: int
    lines: int

    def cycles_of(self, lines, passes):
        """Returns the cycles of a window with several passes, each of so many lines."""
        return pass_cycles(lines, passes, self.latency + self.decoding)


class PassTimes:
    """Computes when the windows of each key begin, in the order of all windows.

    For instance with ``latency`` 20 and ``ahead`` 1, two windows of one key of 10 lines: the first
    takes cycles 0 to 10, and the second begins in cycle 30. A window of another key begins in
    cycle 10, but after a window that waits. A window out of the cache waits for the answers of all
    windows before that are not out of the cache.

    Parameters
    ----------
    passes : Passes
    """

    def __init__(self, passes):
        self._passes = passes
        self._answers = defaultdict(lambda: deque([0.0] * passes.ahead, passes.ahead))
        self._finished = deque([0.0] * WINDOWS, WINDOWS)
        self._searched = 0.0  # all windows that are not out of the cache have their answers

    @property
    def latency(self):
        """Cycles from the last line of a window at the kernels to the next pass of its key."""
        return self._passes.latency

    def room(self, lines):
        """Returns the cycle in which the buffer has room for a window of ``lines`` lines."""
        windows = max(1, min(WINDOWS, int(self._passes.lines // lines)))
        return self._finished[-windows]

    def begin(self, ring, cached=False):
        """Returns the cycle from which on a window of an entry's key may begin."""
        if cached:
            return self._searched
        return self._answers[ring][0] if ring in self._answers else 0.0

    def extra(self, ring, lines, passes=None):
        """Returns the cycles of all passes of a window after its first one.

        Without ``passes`` the number of passes is a typical one.
        """
        if passes is None:
            passes = self._passes.usual if ring in self._answers else self._passes.first
        return self._passes.cycles_of(lines, passes) - lines

    def end(self, ring, cycle, cached=False):
        """Notes the cycle of a window's last line in its last pass."""
        answered = cycle + self._passes.latency
        self._answers[ring].append(answered)
        self._finished.append(answered)
        if not cached:
            self._searched = answered
