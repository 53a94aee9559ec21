"""Computes when windows pass the decoders and the kernels."""

from collections import deque

from rtl.keyed.codec.decoder_times import ONE_STEP

#: Number of blocks that wait in front of the pool of decoders, in the skid buffer of
#: :class:`~rtl.keyed.pivot.window_passes.WindowPasses`.
SKID = 2


class KernelTimes:
    """Computes when the decoders and the kernels take the lines of each window, in order.

    A window occupies the kernels for one cycle per line, or as long as a sorter works; with a
    serial codec its blocks pass the decoders first. For instance the kernels take a line per cycle,
    and a window of 4 lines has its last line at the kernels in cycle 10. The next window, of 3
    lines, could have its last line there in cycle 11, but must follow the first window, so it ends
    in cycle 10 + 3 = 13.

    Parameters
    ----------
    decoders : DecoderTimes, ChainTimes or None
        Pool of serial decoders; None where blocks are decoded at once.
    decoder_work : callable or None
        Returns the :class:`~rtl.keyed.codec.decoder_times.BlockWork` of a decoder for (life, block,
        values so far). The number of values so far is None for a full block.
    is_head : callable or None
        With chains of blocks, returns for (life, block) whether the block can be decoded by itself.
    capacity : int
        Greatest number of blocks inside the pool of decoders. The pool takes block n once the
        kernels have taken the result of block n - ``capacity``. ``ChainTimes`` itself
        limits the blocks in a pool of chains; the default is more than such a pool holds.

    Attributes
    ----------
    end : float
        Cycle in which the kernels have taken the last line of the last window.
    sent : float
        Cycle in which the last line or block of the last window was sent. With a pool of decoders
        up to :data:`SKID` blocks are sent before the pool takes them.
    ended_early : bool
        The last window was sent in part only.
    """

    def __init__(self, decoders=None, decoder_work=None, is_head=None, capacity=1 << 16):
        self._decoders = decoders
        self._decoder_work = decoder_work
        self._is_head = is_head
        # Cycles in which the kernels took the states of the last blocks.
        self._states_taken = deque([0.0] * capacity, capacity)
        self._dealt = deque([0.0] * SKID, SKID)  # cycles in which the pool took the last blocks
        self.end = self.sent = 0.0
        self.ended_early = False
        self._cache_free = 0.0  # cycle in which the cache has read the last window

    def take(self, job, cycle, interval, until=None):
        """Sends a window whose last line comes in ``cycle``; it occupies the kernels ``interval``.

        With ``until`` the first line or block that is sent in this cycle or later is the last one;
        a window from the cache, which is never sent twice, ignores ``until`` with serial decoders.
        Returns the cycle in which the kernels, or the pool of decoders, take the last line.
        """
        self.ended_early = False
        if self._decoders is None:
            end = max(cycle, self.end + interval)
            self.ended_early = until is not None and end > until
            self.end = self.sent = end if until is None else max(self.end, min(end, until))
            return self.end
        if job.window.cached:
            # An empty block keeps the window's place in the pool. Meanwhile the cache reads the
            # lines, and the next window out of the cache must wait for them.
            dealt, decoded = self._deal(cycle, ONE_STEP, True)
            share = 1
            self._cache_free = max(self._cache_free + interval, dealt)
            dealt = self._cache_free
        else:
            dealt, decoded, share = self._decode(job, cycle, until)
        self.end = max(decoded, self.end + interval * share)
        return max(cycle, dealt)

    def head_of(self, life, block):
        """Returns the first block of the chain of ``block``."""
        while block and not self._is_head(life, block):
            block -= 1
        return block

    def _decode(self, job, cycle, until):
        """Sends blocks until the window's last one, or until ``until``.

        Returns when the pool takes the last block that is sent, when all of them are decoded, and
        which share of the window they are: with 6 of 24 blocks it is 0.25.

        The blocks come one in each cycle, the last one in ``cycle``.

        With chains all blocks that are read are decoded, and a window that begins in the middle of
        a chain takes a step more. With windows of time blocks of earlier slides are not decoded.
        """
        dealt = decoded = 0.0
        sent = 0
        unsent = 0
        window = job.window
        begins_chain = True
        first = window.first
        growing_block = window.count
        if self._is_head is not None:
            first = growing_block - job.count - job.copied
        for block in range(first, growing_block + 1):
            if block < growing_block and self._is_dropped(window, block):
                continue
            values = window.growing if block == growing_block else None
            work = self._decoder_work(window.life, block, values)
            if self._is_head is not None:
                is_head = self._is_head(window.life, block)
                if block == first and not is_head:
                    work = work._replace(steps=work.steps + 1)
                begins_chain = block == first or is_head
            comes = cycle - (growing_block - block)
            dealt, end = self._deal(comes, work, begins_chain)
            decoded = max(decoded, end)
            sent += 1
            if until is not None and self.sent >= until:
                unsent = growing_block - block
                break
        self.ended_early = unsent > 0
        return dealt, decoded, sent / (sent + unsent)

    def _deal(self, comes, work, begins_chain):
        """Returns when the pool takes a block, and when the block is decoded."""
        has_room = self._states_taken[0]
        dealt, decoded = self._decoders.take(max(comes, has_room), work, begins_chain)
        self.sent = max(comes, self._dealt[0])
        self._dealt.append(dealt)
        taken = max(decoded, self.end, self._states_taken[-1] + 1)
        self._states_taken.append(taken)
        return dealt, decoded

    @staticmethod
    def _is_dropped(window, block):
        return window.slides is not None and window.slides[block] < window.least_slide
