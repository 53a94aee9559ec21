"""Models a pool of serial decoders: when it takes each block, and when the block is decoded."""

from collections import deque
from math import inf, log2
from typing import NamedTuple

from rtl.network.equal_runs import BLOCKS
from rtl.network.run_sums import ROUND
from rtl.network.slot_reduction import SLOTS


class BlockWork(NamedTuple):
    """Describes the work of a serial decoder on a block.

    A decoder works on two blocks at a time, and has one adder for floating point. So in the long
    run a block takes as many cycles as the greatest of ``steps``, ``levels`` and ``nodes``. For
    instance a block with 14 steps, 27 levels and 10 cycles for its nodes takes 27 cycles; alone in
    a decoder it is complete 28 cycles and the ``tail`` after its begin.

    Attributes
    ----------
    steps : float
        Number of steps, of 2 cycles each.
    levels : float
        Cycles for which sums of floating point occupy the adder.
    nodes : float
        Cycles for which the block's nodes leave the sums of floating point.
    tail : float
        Cycles from the last step until sums of floating point are complete.
    """

    steps: float
    levels: float = 0
    nodes: float = 0
    tail: float = 0

    @property
    def cycles(self):
        """Mean cycles from one block to the next, if a decoder takes such blocks without a gap."""
        return max(self.steps, self.levels, self.nodes)

    def of_share(self, share):
        """Returns the work on a block that has only a share of the values; at least one step."""
        steps = max(1, self.steps * share)
        return BlockWork(steps, self.levels * share, self.nodes * share, self.tail)

    def for_window(self, block_values, window_values):
        """Returns the work on a block of ``block_values`` values for one window.

        The window has at most ``window_values`` values, and may need only some of the block. The
        decoder takes all steps, but the sums have fewer levels: each halving of the values saves a
        level. For instance a block of 200 values for a window of 50 saves 2 levels, 12 cycles. The
        last of n values goes up at least log2(n) / 2 levels on average, if all differ, and at most
        log2(n) levels.
        """
        if not self.tail:
            return self
        saved = ROUND * log2(max(1, block_values / window_values))
        greatest = ROUND * log2(max(1, min(block_values, window_values)))
        least = min(self.tail, greatest / 2)
        return self._replace(tail=min(max(self.tail - saved, least), greatest))


#: Work on a block of one step.
ONE_STEP = BlockWork(1)


class DecoderTimes:
    """Computes when a :class:`~rtl.keyed.codec.decoder_pool.DecoderPool` takes each block.

    Blocks go to the decoders in turn. Each decoder has a register, and two slots that its blocks
    take in turn. A block in a slot takes a step in every other cycle. A block whose slot is
    occupied waits in the register, and a block whose register is occupied holds up all later
    blocks. For instance one decoder takes blocks of 10 steps in cycles 0, 2, 4, 22, 24, 42 and 44.

    With sums of floating point a block also occupies its slot until the decoder's adder has done
    all levels of the block, after those of the blocks before. Then the nodes leave, block by block.
    A block begins only if fewer than 8 blocks are inside its decoder.

    The adder serves both blocks of a decoder in turn, so the levels of a block end later if the
    next block begins before. The next block is not known yet. It is assumed to come as long after
    this block as this one after the block before, and to have as many levels. For instance blocks
    of 25 levels come to one decoder without a gap. The third and the fourth have their sums after
    about 100 cycles; one after the other they would have them after 75 and 100.

    Parameters
    ----------
    decoders : int
    """

    def __init__(self, decoders):
        self._taken = -1.0
        # Blocks go to n decoders in turn. So the n-th last block was the last in this decoder, the
        # 2 n-th last was the last in this slot, and the 8 n-th last must have left: each is item 0
        # of its deque. For instance with 3 decoders block 7 follows block 4 in its decoder, and
        # block 1 in its slot.
        #
        # Cycle in which each decoder's last block came, and ends of the blocks of both slots if the
        # adder serves them in turn.
        self._came = deque([-inf] * decoders, decoders)
        self._shared_ends = deque([0.0] * (SLOTS * decoders), SLOTS * decoders)
        self._begun = deque([-1.0] * decoders, decoders)
        self._ended = deque([0.0] * (SLOTS * decoders), SLOTS * decoders)
        self._added = deque([0.0] * decoders, decoders)
        self._left = deque([0.0] * (BLOCKS * decoders), BLOCKS * decoders)

    def take(self, cycle, work, head=True):
        """Returns when the pool takes a block that comes in ``cycle``, and when it is decoded.

        ``work`` is the :class:`BlockWork` of the block. ``head`` has no effect here, as each block
        is decoded by itself; it is there because ``ChainTimes`` has the same method.
        """
        self._taken = max(cycle, self._taken + 1, self._begun[0] + 1)
        begin = max(self._taken + 1, self._ended[0], self._left[0])
        added = max(begin, self._added[0]) + work.levels
        last_left = self._left[-len(self._added)]  # of the block before in this decoder
        leaves = max(added, last_left)
        steps_end = begin + SLOTS * work.steps
        shared_end = max(steps_end, self._share_adder(cycle, begin, added, work.levels))
        self._came.append(cycle)
        self._begun.append(begin)
        self._ended.append(max(steps_end, added))
        self._shared_ends.append(shared_end)
        self._added.append(added)
        self._left.append(leaves + work.nodes)
        return self._taken, max(shared_end + work.tail, leaves)

    def _share_adder(self, cycle, begin, added, levels):
        """Returns when a block's levels are done, if the adder serves the next block in turn.

        Also moves the end of the block before in this decoder, which this block delays. ``added``
        is the cycle in which the levels would be done if the adder served the earlier block first.
        """
        decoders = len(self._added)
        added_before = self._added[0]
        begin = max(begin, self._shared_ends[0])  # the slot is free when its last block has ended
        end_before = added_before + min(max(0, added_before - begin), levels)
        end_before = self._shared_ends[decoders] = max(end_before, self._ended[decoders])
        next_comes = 2 * cycle - self._came[0]
        next_begin = max(next_comes + 1, end_before, begin + 1)
        return added + min(max(0, added - next_begin), levels)
