"""Models a pool of decoders of chains: the cycle in which the pool accepts each block."""

from collections import deque

from rtl.keyed.codec.chained.chain_pool import CHAINS
from rtl.keyed.codec.chained.chain_queues import ChainQueues
from rtl.network.slot_reduction import SLOTS

#: Cycles from the last step of a chain to its state.
FOLDING = 6


class ChainTimes:
    """Computes when a :class:`~rtl.keyed.codec.chained.chain_pool.ChainPool` accepts each block.

    All blocks of a chain go to one slot, and the next chain to the next slot. A block waits in the
    queue of its slot for the slot's turn to read, and then in a register until the block before it
    has left the slot. A slot makes a step of its block in every other cycle. A block whose queue is
    full delays all later blocks, and so does the first block of a chain if 4 chains for each slot
    are in the pool. For instance with one decoder, so 2 slots, a chain of two blocks of 10 steps
    that come in cycles 0 and 1 begins in cycle 4 and ends in cycle 44, and a chain of one block
    that comes in cycle 2 ends in cycle 27.

    Parameters
    ----------
    decoders : int
    depth : int
        Number of blocks in the queue of a slot.
    """

    def __init__(self, decoders, depth):
        slots = SLOTS * decoders
        self._last_accepted = -1.0
        self._slot = -1
        # Cycle in which each chain leaves the pool, oldest first. The newest chain may get blocks.
        self._chain_ends = deque([-1.0] * (CHAINS * slots + 1), CHAINS * slots + 1)
        # For each slot: cycles in which its queue is read, oldest first; begin and end of its
        # latest block in the decoder.
        self._reads = [deque([-1.0] * depth, depth) for _ in range(slots)]
        self._begin_of = [-1.0] * slots
        self._end_of = [0.0] * slots

    def take(self, cycle, work, head):
        """Returns when the pool accepts a block that comes in ``cycle``, and when it is decoded.

        ``head`` is true if the block begins a chain. Decoders of chains add no floating point, so
        only the steps of the block's :class:`~rtl.keyed.codec.decoder_times.BlockWork` count.
        """
        slots = len(self._end_of)
        if head:
            self._slot = (self._slot + 1) % slots
            self._chain_ends.append(self._chain_ends[-1])
        slot = self._slot
        reads = self._reads[slot]
        accepted = max(cycle, self._last_accepted + 1, reads[0], self._chain_ends[0])
        self._last_accepted = accepted
        # A block spends a cycle in the register of the pool, and the next one in the queue.
        read = max(accepted + 2, self._begin_of[slot] + 1)
        read += (slot - read) % slots
        reads.append(read)
        begin = max(read + ChainQueues.latency, self._end_of[slot])
        end = begin + SLOTS * work.steps
        self._begin_of[slot] = begin
        self._end_of[slot] = end
        self._chain_ends[-1] = max(self._chain_ends[-1], end + FOLDING)
        return accepted, end
