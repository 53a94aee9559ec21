"""Model of a pool of serial decoders: the cycle in which the pool takes each block."""

from collections import deque
from math import log2
from typing import NamedTuple

from rtl.network.run_sums import ROUND
from rtl.network.slot_reduction import SLOTS


class BlockWork(NamedTuple):
    """Describes the work of a serial decoder on a block.

    For instance a block with 14 steps, whose sums need the adder for 27 levels: the state of the
    block is complete 28 cycles and the ``tail`` after its begin, but the slot of the block is
    occupied for 54 cycles.

    Attributes
    ----------
    steps : float
        Number of steps, of 2 cycles each.
    extra : float
        Number of steps by which sums of floating point occupy the block's slot longer.
    tail : float
        Cycles from the last step until sums of floating point are complete.
    """

    steps: float
    extra: float = 0
    tail: float = 0

    @property
    def occupied(self):
        """Number of steps for which the block occupies a slot of a decoder."""
        return self.steps + self.extra

    def of_share(self, share):
        """Returns the work on a block that has only a share of the values; at least one step."""
        return BlockWork(max(1, self.steps * share), self.extra * share, self.tail)

    def for_window(self, values, most):
        """Returns the work on a block of ``values`` values for a window of at most ``most`` values.

        The decoder takes all steps, but the sums have fewer levels: each halving of the values
        saves a level. For instance a window of 50 of 200 values saves 2 levels, 12 cycles.
        """
        if not self.tail or values <= most:
            return self
        return self._replace(tail=max(0, self.tail - ROUND * log2(values / most)))


#: Work on a block of one step.
ONE_STEP = BlockWork(1)


class DecoderTimes:
    """Computes when a :class:`~rtl.keyed.codec.decoder_pool.DecoderPool` takes each block.

    Blocks go to the decoders in turn. Each decoder has a register, and two slots that its blocks
    take in turn. A block in a slot takes a step in every other cycle. A block whose slot is
    occupied waits in the register, and a block whose register is occupied holds up all later
    blocks. For instance one decoder takes blocks of 10 steps in cycles 0, 2, 4, 22, 24, 42 and 44.

    Parameters
    ----------
    decoders : int
    """

    def __init__(self, decoders):
        self._taken = -1.0
        self._begun = deque([-1.0] * decoders, decoders)
        self._ended = deque([0.0] * (SLOTS * decoders), SLOTS * decoders)

    def take(self, cycle, work, head=True):
        """Returns when the pool takes a block that comes in ``cycle``, and when it is decoded.

        ``work`` is the :class:`BlockWork` of the block.
        Each block is the ``head`` of a chain, as no block depends on the block before.
        """
        self._taken = max(cycle, self._taken + 1, self._begun[0] + 1)
        begin = max(self._taken + 1, self._ended[0])
        self._begun.append(begin)
        self._ended.append(begin + SLOTS * work.occupied)
        return self._taken, begin + SLOTS * work.steps + work.tail
