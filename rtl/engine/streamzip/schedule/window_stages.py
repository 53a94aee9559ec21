"""Computes when windows leave the stages after the memory: collector, decoders and kernels."""

from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.pass_schedule import PassSchedule
from rtl.keyed.codec.chained.chain_times import FOLDING

#: Least number of cycles from the previous window to a window whose key claims a place of the
#: cache. In the cycle between them the collector learns that no search uses the place's last key.
CLAIM = 2


class WindowStages:
    """Computes for each window when its lines are collected, and when the kernels have them.

    Windows pass in order. Without pivots the collector keeps a window until the decoders and
    kernels take its last line. With pivots it has a buffer, out of which
    :class:`~rtl.engine.streamzip.schedule.pass_schedule.PassSchedule` sends the windows.

    Parameters
    ----------
    interval : callable
        Returns the cycles for which a window of (values, lines) occupies the kernels.
    kernels : KernelTimes
        Decoders and kernels, empty.
    chained : bool
        The decoders feed back each window's first block, as with chains of blocks.
    passes : Passes or None
        Passes of windows with pivots; None without.
    out_gap : float
        Least number of cycles from one row to the next.

    Attributes
    ----------
    collected : float
        Cycle in which the data collector had the last line, or the last window. The schedule
        writes it, too, when the collector has a line that is to be changed.
    """

    def __init__(self, *, interval, kernels=None, chained=False, passes=None, out_gap=1.0):
        self._interval, self._out_gap = interval, out_gap
        self._kernels, self._chained = kernels or KernelTimes(), chained
        self._passes = None if passes is None else PassSchedule(passes, self._kernels, out_gap)
        self._last_collected = 0.0
        self.collected, self._ends = 0.0, []

    def take(self, job, cycle):
        """Sends a window through all stages.

        ``cycle`` is the cycle in which the kernels could take its last line if they were free.
        Returns the cycle in which the window feeds back its first block; None for a mark, which
        feeds back nothing.
        """
        window = job.window
        if window.is_mark:
            self.collected = self._last_collected = max(cycle, self.collected + 1)
            return None
        if window.claims:
            cycle = max(cycle, self._last_collected + CLAIM)
        interval = self._interval(window.values, window.lines)
        if self._passes is None:
            self.collected = self._kernels.take(job, cycle, max(self._out_gap, interval))
            self._ends.append(self._kernels.end)
            feedback_cycle = cycle
        else:
            room = self._passes.room(1 if window.cached else window.lines)
            # The collector feeds back before the window waits for its pivots.
            feedback_cycle = self.collected = max(cycle, self.collected + 1, room)
            self._passes.add(job, self.collected, interval)
        self._last_collected = self.collected
        return self._kernels.end + FOLDING if self._chained else feedback_cycle

    def finish(self):
        """Returns the cycle of the end of each window, as a list.

        The end is the cycle in which the kernels have taken the window's last line, in its last
        pass. Marks of new lives have no end.
        """
        if self._passes is None:
            return self._ends
        self._passes.finish()
        return self._passes.ends
