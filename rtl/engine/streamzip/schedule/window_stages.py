"""Computes when windows leave the stages after the memory: decoders, kernels and searches."""

from rtl.keyed.codec.chained.chain_times import FOLDING

#: Least number of cycles from the previous window to a window whose key claims a place of the
#: cache. In the cycle between them the collector learns that no search uses the place's last key.
CLAIM = 2


class WindowStages:
    """Computes for each window when its lines are collected, and when the kernels have them.

    Windows pass in order. A window occupies the kernels for one cycle per line, or as long as a
    sorter works; with a serial codec its blocks pass the decoders first, and with pivots it takes
    several passes. For instance the kernels take a line per cycle, and a window of 4 lines has its
    last line at the kernels in cycle 10. The next window, of 3 lines, could have its last line
    there in cycle 11, but must follow the first window, so it ends in cycle 10 + 3 = 13.

    Parameters
    ----------
    interval : callable
        Returns the cycles for which a window of (values, lines) occupies the kernels.
    decoders : DecoderTimes, ChainTimes or None
        Pool of serial decoders; None where blocks are decoded at once.
    decoder_steps : callable or None
        Returns the steps of a decoder for (life, block, values so far). The number of values so far
        is None for a full block.
    is_head : callable or None
        With chains of blocks, returns for (life, block) whether the block can be decoded by itself.
    passes : PassTimes or None
        Passes of windows with pivots; None without.
    out_gap : float
        Least number of cycles from one row to the next.

    Attributes
    ----------
    collected : float
        Cycle in which the data collector had the last line, or the last window. The schedule
        writes it, too, when the collector has a line that is to be changed.
    ends : list of float
        Cycle in which the kernels have taken the last line of each window, in its last pass. Marks
        of new lives have none.
    """

    def __init__(
        self, *, interval, decoders=None, decoder_steps=None, is_head=None, passes=None, out_gap=1
    ):
        self._interval, self._out_gap = interval, out_gap
        self._decoders, self._decoder_steps, self._is_head = decoders, decoder_steps, is_head
        self._passes = passes
        self._kernels = self._last_collected = 0.0
        self.collected, self.ends = 0.0, []

    def take(self, job, cycle):
        """Sends a window through all stages.

        ``cycle`` is the cycle in which the kernels could take its last line if they were free.
        Returns the cycle in which the window feeds back its first block; None for a mark, which
        feeds back nothing.
        """
        window, ring = job.window, job.ring
        if window.is_mark:
            self.collected = self._last_collected = max(cycle, self.collected + 1)
            return None
        if window.claims:
            cycle = max(cycle, self._last_collected + CLAIM)
        interval = max(self._out_gap, self._interval(window.values, window.lines))
        collected = feedback_cycle = cycle
        if self._passes is not None:
            lines = 1 if window.cached else window.lines
            # The collector feeds back before the window waits for its pivots.
            collected = max(cycle, self.collected + 1, self._passes.room(lines))
            feedback_cycle = collected
            cycle = max(collected, self._passes.begin(ring, window.cached) + interval)
        if window.life is not None and self._decoders is not None:
            dealt, decoded = self._decode(job, cycle)
            self._kernels = max(decoded, self._kernels + interval)
            if self._is_head is not None:
                feedback_cycle = self._kernels + FOLDING
            self.collected = max(cycle, dealt)
        else:
            self._kernels = self.collected = max(cycle, self._kernels + interval)
        if self._passes is not None:
            self._search(job, interval)
            self.collected = collected
        self._last_collected = self.collected
        self.ends.append(self._kernels)
        return feedback_cycle

    def _search(self, job, interval):
        """Adds the passes of a window with pivots."""
        window, ring = job.window, job.ring
        passes = 1 if window.cached else None
        if window.search is not None and not window.cached:
            passes = window.search.passes(ring)
        if passes is None or self._decoders is None or window.life is None:
            self._kernels += self._passes.extra(ring, interval, passes)
        else:
            for _ in range(passes - 1):
                self._send_again(job, interval)
        self._passes.end(ring, self._kernels, window.cached)

    def _send_again(self, job, interval):
        """Adds a further pass of a window with serial decoders.

        The windows behind this window are sent again after it. Their blocks have passed the
        decoders before in vain; the model does not count these cycles.
        """
        verdict = self._kernels + self._passes.latency
        _, decoded = self._decode(job, verdict + job.window.lines)
        self._kernels = max(decoded, verdict + interval)

    def _decode(self, job, cycle):
        """Returns when the pool takes a window's last block, and when all blocks are decoded.

        The blocks come one in each cycle, the last one in ``cycle``.

        With chains all blocks that are read are decoded, and a window that begins in the middle of
        a chain takes a step more.
        """
        dealt = decoded = 0.0
        window, begins_chain = job.window, True
        first = window.first
        if self._is_head is not None:
            first = window.count - job.count - job.copied
        for block in range(first, window.count + 1):
            growing = window.growing if block == window.count else None
            steps = self._decoder_steps(window.life, block, growing)
            if self._is_head is not None:
                is_head = self._is_head(window.life, block)
                steps += block == first and not is_head
                begins_chain = block == first or is_head
            dealt, end = self._decoders.take(cycle - (window.count - block), steps, begins_chain)
            decoded = max(decoded, end)
        return dealt, decoded
