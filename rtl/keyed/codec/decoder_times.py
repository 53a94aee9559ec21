"""Model of a pool of serial decoders: the cycle in which the pool takes each block."""

from collections import deque

from rtl.network.slot_reduction import SLOTS


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

    def take(self, cycle, steps, head=True):
        """Returns when the pool takes a block that comes in ``cycle``, and when it is decoded.

        Each block is the ``head`` of a chain, as no block depends on the block before.
        """
        self._taken = max(cycle, self._taken + 1, self._begun[0] + 1)
        begin = max(self._taken + 1, self._ended[0])
        end = begin + SLOTS * steps
        self._begun.append(begin)
        self._ended.append(end)
        return self._taken, end
