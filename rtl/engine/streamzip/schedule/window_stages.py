"""Computes when windows leave the stages after the memory: collector, decoders and kernels."""

from rtl.engine.streamzip.schedule.kernel_times import KernelTimes
from rtl.engine.streamzip.schedule.pass_schedule import PassSchedule
from rtl.keyed.codec.chained.chain_times import FOLDING

#: Least number of cycles from the previous window to a window whose key claims a place of the
#: cache. In the cycle between them the report of the previous window reaches the walks, so the
#: collector knows whether the walk of the place goes on.
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
        The decoders report the first block of a key's next window, as with chains of blocks; if
        false, the collector reports it. The walk of a key's first window out of the cache waits for
        the reports of earlier windows, and the claim of a place waits for the walk of the place.
    places : int
        Places of the cache.
    passes : Passes or None
        Passes of windows with pivots; None without.
    out_gap : float
        Least number of cycles from one row to the next.

    Attributes
    ----------
    collected : float
        Cycle in which the data collector has finished its latest window, or line to be changed.
        :class:`~rtl.engine.streamzip.schedule.key_schedule.KeySchedule` sets it for such lines.
    """

    def __init__(
        self, *, interval, kernels=None, chained=False, places=0, passes=None, out_gap=1.0
    ):
        self._interval = interval
        self._out_gap = out_gap
        self._kernels = kernels or KernelTimes()
        self._chained = chained
        self._buffer = None if passes is None else PassSchedule(passes, self._kernels, out_gap)
        self._window_collected = 0.0  # as `collected`, of the latest window
        self._places = places
        # With chains, cycle of the latest report of a window that was read.
        self._read_report = 0.0
        # With chains, by entry: cycle from which on the walks of the key need not wait.
        self._settled = {}
        # With chains, by entry of each key with a place: end of the key's walk. The key whose last
        # window is oldest comes first.
        self._walk_ends = {}
        self.collected = 0.0
        self._ends = []

    def take(self, job, cycle):
        """Sends a window through all stages.

        ``cycle`` is the earliest cycle in which its last line can leave the collector.
        Returns the cycle in which the first block of the key's next window is reported; None for
        the announcement of a key's life, which is no window and reports nothing.
        """
        window = job.window
        if window.is_announcement:
            self.collected = self._window_collected = max(cycle, self.collected + 1)
            return None
        if window.claims:
            cycle = max(cycle, self._window_collected + CLAIM, self._claim(job.entry))
        interval = self._interval(job.values, job.lines)
        if self._buffer is None:
            self.collected = self._kernels.take(job, cycle, max(self._out_gap, interval))
            self._ends.append(self._kernels.end)
            feedback_cycle = cycle
        else:
            # One line stands for a window from the cache.
            room = self._buffer.room(1 if window.cached else job.lines)
            # The collector reports before the window waits for its pivots.
            feedback_cycle = self.collected = max(cycle, self.collected + 1, room)
            self._buffer.add(job, self.collected, interval)
        self._window_collected = self.collected
        return self._report(job, feedback_cycle) if self._chained else feedback_cycle

    def first_block(self, window):
        """Returns the block that is reported for a window: a walk reports the head of a chain."""
        if self._chained and window.cached:
            return self._kernels.head_of(window.life, window.following)
        return window.following

    def _claim(self, entry):
        """Gives the key at ``entry`` a place; returns the end of the walk of the place's last key.

        Without chains every walk has ended by then.
        """
        if not self._chained:
            return 0.0
        self._settled.pop(entry, None)
        walk_end = self._walk_ends.pop(entry, 0.0)
        if len(self._walk_ends) >= self._places:
            walk_end = max(walk_end, self._walk_ends.pop(next(iter(self._walk_ends))))
        self._walk_ends[entry] = 0.0
        return walk_end

    def _report(self, job, cycle):
        """Returns the cycle of the report of a window whose last line leaves in ``cycle``."""
        if job.window.cached:
            settled = self._settled.setdefault(job.entry, self._read_report)
            walk_end = max(cycle, settled, self._walk_ends.pop(job.entry, 0.0))
            self._walk_ends[job.entry] = walk_end
            return walk_end
        if job.entry in self._walk_ends:  # a window that is read also renews the key's place
            self._walk_ends[job.entry] = self._walk_ends.pop(job.entry)
        self._read_report = self._kernels.end + FOLDING
        return self._read_report

    def finish(self):
        """Returns the cycle of the end of each window, as a list.

        Without pivots it is the cycle in which the kernels have taken the window's last line; with
        pivots the cycle in which its row leaves, at least ``out_gap`` cycles after the row before.
        Announcements of lives have no end.
        """
        if self._buffer is None:
            return self._ends
        self._buffer.finish()
        return self._buffer.ends
