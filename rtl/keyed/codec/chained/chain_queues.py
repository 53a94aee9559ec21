"""Queues blocks for the slots of all decoders, in one memory."""

from functools import reduce
from operator import or_

from amaranth.hdl import C, Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.memory.block import BlockMemory


class ChainQueues(wiring.Component):
    """Queues blocks for several slots, in one memory with a part of ``depth`` blocks for each slot.

    The blocks of a chain come in successive cycles, but a slot decodes a block only after the block
    before it. So blocks wait in the queue of their slot, while blocks for other slots pass. One
    block can be written in each cycle, to any slot. One block can be read in each cycle: slot k may
    read in cycle k modulo the number of slots, if slot k is ``free`` in this cycle. Most blocks
    take more cycles in their slot than there are slots, so the wait for the turn costs little. For
    instance 2 slots, blocks A0 A1 for slot 0 and B0 for slot 1, where slot 0 is free in cycle 2 and
    again in cycle 6::

        cycle    0    1    2    3    4    5    6    7
        i        A0   A1   B0
        reads              A0   B0   -         A1
        o                       A0   B0             A1

    Slot 1 may read in odd cycles, so B0 is read in cycle 3 if slot 1 is free then. In cycle 4 slot
    0 is not free, so nothing is read.

    Order is kept for each slot. Latency 2 cycles, and the cycles until the turn of the slot.
    Initiation interval 1 cycle. ``i`` stalls if the queue of the slot is full.

    Parameters
    ----------
    shape : data.Layout
    slots : int
        At least 2.
    depth : int
        A power of two of at least 2.

    Members
    -------
    i : In(stream.Signature(shape))
    slot : In(slots)
        One-hot; the slot for the block at ``i``.
    free : In(slots)
        The slot has room for a block. A block that is read in cycle t is at ``o`` in cycle t + 1,
        and ``free`` is low from cycle t + 2 on, the earliest next turn, if the slot is then full.
    o : Out(shape)
    enters : Out(slots)
        The block at ``o`` is for this slot; one-hot or 0.

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, shape, slots, depth):
        self._slots = slots
        self._depth = depth
        super().__init__(
            {
                "i": In(stream.Signature(shape)),
                "slot": In(slots),
                "free": In(slots),
                "o": Out(shape),
                "enters": Out(slots),
            }
        )

    @staticmethod
    def memory_bits_of(shape, slots, depth):
        """Returns the size of the memory, in bits, without building the component."""
        return BlockMemory.bits_of(shape.size, depth << ceil_log2(slots))

    def elaborate(self, platform):
        m = Module()
        shape = self.o.shape()
        m.submodules.blocks = blocks = BlockMemory(
            shape.size, self._depth << ceil_log2(self._slots)
        )
        turn = Signal(self._slots, init=1)
        writes = Signal(self._slots)
        reads = Signal(self._slots)
        not_full = Signal(self._slots)
        not_empty = Signal(self._slots)
        write_at = []
        read_at = []
        for k in range(self._slots):
            level = Signal(range(self._depth + 1), name=f"level{k}")
            write_at.append(Signal(range(self._depth), name=f"write_at{k}"))
            read_at.append(Signal(range(self._depth), name=f"read_at{k}"))
            m.d.comb += [not_full[k].eq(level != self._depth), not_empty[k].eq(level.any())]
            m.d.sync += [
                level.eq(level + writes[k] - reads[k]),
                write_at[k].eq(write_at[k] + writes[k]),
                read_at[k].eq(read_at[k] + reads[k]),
            ]
        m.d.sync += [turn.eq(turn.rotate_left(1)), self.enters.eq(reads)]
        m.d.comb += [
            self.i.ready.eq((self.slot & not_full).any()),
            writes.eq(self.slot & not_full & self.i.valid.replicate(self._slots)),
            reads.eq(turn & not_empty & self.free),
            blocks.write_enable.eq(writes.any()),
            blocks.write_address.eq(self._address(self.slot, write_at)),
            blocks.write_data.eq(self.i.p.as_value()),
            blocks.read_enable.eq(reads.any()),
            blocks.read_address.eq(self._address(turn, read_at)),
            self.o.as_value().eq(blocks.read_data),
        ]
        return m

    def _address(self, slot, places):
        """Returns the address of the place of a slot; ``slot`` is one-hot."""
        bits = ceil_log2(self._slots)
        parts = [
            Cat(place, C(k, bits)) & slot[k].replicate(len(place) + bits)
            for k, place in enumerate(places)
        ]
        return reduce(or_, parts)
