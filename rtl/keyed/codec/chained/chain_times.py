"""Model of a pool of decoders of chains: the cycle in which the pool takes each block."""

from collections import deque

from rtl.keyed.codec.block_turns import SLOTS
from rtl.keyed.codec.chained.chain_pool import CHAINS
from rtl.keyed.codec.chained.chain_queues import ChainQueues

#: Cycles from the last step of a chain to its state.
FOLDING = 6


class ChainTimes:
    """Computes when a :class:`~rtl.keyed.codec.chained.chain_pool.ChainPool` takes each block.

    Each chain goes to the next slot, with all of its blocks. A block waits in the queue of its slot
    until it is the slot's turn to read, and then in a register until the block before it has left
    the slot. In the slot it takes a step in every other cycle. A block whose queue is full holds up
    all later blocks, and so does a chain if 4 chains for each slot are in the pool. For instance
    with one decoder, so 2 slots, a chain of two blocks of 10 steps that come in cycles 0 and 1
    begins in cycle 4 and ends in cycle 44, and a chain of one block that comes in cycle 2 ends in
    cycle 27.

    Parameters
    ----------
    decoders : int
    depth : int
        Number of blocks in the queue of a slot.
    """

    def __init__(self, decoders, depth):
        self._taken, self._slot = -1.0, -1
        slots = SLOTS * decoders
        # Cycles in which chains have left the pool, in order; the last one is still in the pool.
        self._left = deque([-1.0] * (CHAINS * slots + 1), CHAINS * slots + 1)
        self._left_queue = [deque([-1.0] * depth, depth) for _ in range(slots)]
        self._begun, self._ended = [-1.0] * slots, [0.0] * slots

    def take(self, cycle, steps, head):
        """Returns when the pool takes a block that comes in ``cycle``, and when it is decoded.

        ``head`` is true if the block begins a chain.
        """
        slots = len(self._ended)
        if head:
            self._slot = (self._slot + 1) % slots
            self._left.append(self._left[-1])
        slot = self._slot
        left_queue = self._left_queue[slot]
        self._taken = max(cycle, self._taken + 1, left_queue[0], self._left[0])
        # A block spends a cycle in the register of the pool, and the next one in the queue.
        reads = max(self._taken + 2, self._begun[slot] + 1)
        reads += (slot - reads) % slots
        left_queue.append(reads)
        begin = max(reads + ChainQueues.latency, self._ended[slot])
        self._begun[slot], self._ended[slot] = begin, begin + SLOTS * steps
        self._left[-1] = max(self._left[-1], self._ended[slot] + FOLDING)
        return self._taken, self._ended[slot]
