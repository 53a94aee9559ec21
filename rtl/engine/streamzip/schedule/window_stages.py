"""Computes when windows leave the stages after the memory: decoders, kernels and searches."""

from rtl.keyed.codec.chained.chain_times import FOLDING

#: Cycles from a window in the data collector to a window whose key claims a place of the cache. In
#: the cycle between them the collector learns that no block of the place's last key is searched.
CLAIM = 2


class WindowStages:
    """Computes for each window when its lines are collected, and when the kernels have them.

    Windows pass in order. A window occupies the kernels for one cycle per line, or as long as a
    sorter works; with a serial codec its blocks pass the decoders first, and with pivots it takes
    several passes. For instance with one cycle per line and nothing else, a window of 4 lines whose
    last line arrives in cycle 10 ends in cycle 10; one of 3 lines behind it, whose last line
    arrives in cycle 11, ends in cycle 13.

    Parameters
    ----------
    interval : callable
        Returns the cycles for which a window of (values, lines) occupies the kernels.
    decoders : DecoderTimes, ChainTimes or None
        Pool of serial decoders; None where blocks are decoded at once.
    steps : callable or None
        Returns the steps of a decoder for (life, block, values so far); the last is None for a full
        block.
    is_head : callable or None
        With chains of blocks, returns for (life, block) whether the block can be decoded by itself.
    passes : PassTimes or None
        Passes of windows with pivots; None without.
    out_gap : float
        Least number of cycles from one row to the next.

    Attributes
    ----------
    collected : float
        Cycle in which the data collector had the last line, or the last window.
    ends : list of float
        Cycle in which the kernels have taken the last line of each window, in its last pass. Marks
        of new lives have none.
    """

    def __init__(
        self, *, interval, decoders=None, steps=None, is_head=None, passes=None, out_gap=1
    ):
        self._interval, self._out_gap = interval, out_gap
        self._decoders, self._steps, self._is_head = decoders, steps, is_head
        self._passes = passes
        self._kernels = self._entered = 0.0
        self.collected, self.ends = 0.0, []

    def take(self, reading, cycle):
        """Sends a window through all stages; ``cycle`` is that of its last line.

        Returns the cycle in which the window feeds back its first block; None for a mark, which
        feeds back nothing.
        """
        window, ring = reading.window, reading.ring
        if window.is_mark:
            self.collected = self._entered = max(cycle, self.collected + 1)
            return None
        if window.claims:
            cycle = max(cycle, self._entered + CLAIM)
        interval = max(self._out_gap, self._interval(window.values, window.lines))
        collected = cycle
        if self._passes is not None:
            lines = 1 if window.cached else window.lines
            collected = max(cycle, self._passes.room(lines))
            cycle = max(collected, self._passes.begin(ring, window.cached) + interval)
        fed = cycle
        if window.life is not None and self._decoders is not None:
            dealt, decoded = self._decode(reading, cycle)
            self._kernels = max(decoded, self._kernels + interval)
            if self._is_head is not None:
                fed = self._kernels + FOLDING
            self.collected = max(cycle, dealt)
        else:
            self._kernels = self.collected = max(cycle, self._kernels + interval)
        if self._passes is not None:
            self._search(window, ring, interval)
            self.collected = collected
        self._entered = self.collected
        self.ends.append(self._kernels)
        return fed

    def _search(self, window, ring, interval):
        """Adds the passes of a window with pivots."""
        passes = 1 if window.cached else None
        if window.search is not None and not window.cached:
            passes = window.search.passes(ring)
        self._kernels += self._passes.extra(ring, interval, passes)
        self._passes.end(ring, self._kernels, window.cached)

    def _decode(self, reading, cycle):
        """Returns when the pool takes a window's last block, and when all blocks are decoded.

        With chains all blocks that are read are decoded, and a window that begins in the middle of
        a chain takes a step more.
        """
        dealt = decoded = 0.0
        window, begins_chain = reading.window, True
        first = window.first
        if self._is_head is not None:
            first = window.count - reading.count - reading.copied
        for block in range(first, window.count + 1):
            growing = window.growing if block == window.count else None
            steps = self._steps(window.life, block, growing)
            if self._is_head is not None:
                is_head = self._is_head(window.life, block)
                steps += block == first and not is_head
                begins_chain = block == first or is_head
            dealt, end = self._decoders.take(cycle - (window.count - block), steps, begins_chain)
            decoded = max(decoded, end)
        return dealt, decoded
