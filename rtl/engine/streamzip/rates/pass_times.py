"""Describes the passes of windows with pivots: their typical numbers and their cycles."""

from dataclasses import dataclass
from math import log2

#: After an answer, the key's next window may begin at once. After a pass that fails, the next pass
#: of the window begins so many cycles later than that.
LATER = 2
#: Typical number of further passes for each doubling of SLIDE beyond K, the option ``neighbours``.
PER_DOUBLING = 0.6
#: Typical number of further passes for each doubling of ROWS beyond K in the first window of a key,
#: whose pivot is left from an earlier key of the entry.
FIRST_PER_DOUBLING = 0.9


def first_passes(size, neighbours):
    """Returns the typical number of passes of the first window of a key, of ``size`` values."""
    return 1 + FIRST_PER_DOUBLING * max(0.0, log2(max(size, 1) / neighbours))


def usual_passes(slide, neighbours):
    """Returns the typical number of passes of a window after the first one of its key.

    Data between noise and a walk take about so many: with K = 1 and SLIDE 16 noise takes 2, a walk
    5, and this function returns 3.4.
    """
    return 1 + PER_DOUBLING * max(0.0, log2(max(slide, 1) / neighbours))


def pass_cycles(lines, passes, gap, together=1.0):
    """Returns the mean cycles of a window with several passes, each of so many lines.

    A pass begins ``gap`` cycles after the last line of the pass before. For instance 2 passes of 10
    lines with a ``gap`` of 20 take 40 cycles. The passes of other windows fill the gap:
    ``together`` windows share a further pass and its gap, or as many as fit there. For instance 2
    windows that are searched together share the 30 cycles of the further pass, so each takes 25
    cycles.
    """
    share = min(together, 1 + gap / max(1, lines))
    return lines + (passes - 1) * (lines + gap) / share


@dataclass(frozen=True, kw_only=True)
class Passes:
    """Describes the passes of the windows of a stream.

    Attributes
    ----------
    latency : int
        Cycles from the last line of a window at the kernels to the begin of its key's next window.
        A further pass of the window begins :data:`LATER` cycles later.
    decoding : int
        Cycles of a serial decoder for a block; 0 without serial decoders.
    first : float
        Mean passes of the first window of a key.
    usual : float
        Mean passes of a window after the first one of its key.
    under_way : int
        Greatest number of windows of a key that may be sent and have no answers yet. It is one more
        than ``ahead`` of :class:`~rtl.keyed.pivot.window_passes.WindowPasses`.
    lines : int
        Lines of the buffer of windows.
    """

    latency: int
    decoding: int
    first: float
    usual: float
    under_way: int
    lines: int

    def cycles_of(self, lines, passes, together=1.0):
        """Returns the mean cycles of a window with several passes, see :func:`pass_cycles`."""
        return pass_cycles(lines, passes, self.latency + LATER + self.decoding, together)
