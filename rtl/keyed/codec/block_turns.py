"""Controls a decoder with two stages, which works on two blocks at a time, one in each stage."""

from types import SimpleNamespace

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out


def member_signals(layout, name):
    """Returns a namespace with a signal for each member of a layout; a reset leaves the signals."""
    return SimpleNamespace(
        **{
            member: Signal(field.shape, name=f"{name}_{member}", reset_less=True)
            for member, field in layout
        }
    )


class BlockTurns(wiring.Component):
    """Moves two blocks through two stages in turn, and accepts a new block when a block ends.

    ::

               +------- rest of the block ----------------+
               v                                          |
        i --> first stage: parse --> second stage: remove the step --> o

    The first stage finds the next symbol of a block, and the second stage removes the symbol from
    the block: this is a step. Both take long, and both must be complete before the following symbol
    can be parsed. With a register between the stages a block takes a step in every other cycle, and
    another block takes a step in the cycles between.

    A *slot* is the place of a block; blocks enter slots 0 and 1 in turn. For instance a block of 3
    steps and a block of 1 step enter in cycles 0 and 1, in slots 0 and 1. The steps of the first
    block leave the second stage in cycles 2, 4 and 6, the step of the other block in cycle 3. The
    third block is for slot 0, so it enters in cycle 6, when the first block ends, although slot 1
    is free earlier. So each slot may have a queue of its own after the stages, and reading slots 0
    and 1 in turn restores the order of the blocks.

    Latency 2 cycles, from a block to its first step. Initiation interval 1 cycle, for blocks of one
    step. A block of n steps occupies its slot for 2 * n cycles, and then the next block of the slot
    enters, but at least one cycle after the block of the other slot. A stall at ``o`` stalls both
    stages and ``i``. A reset drops both blocks.

    Members
    -------
    i : In(stream.Signature(0))
        A block, with at least one step.
    o : Out(stream.Signature(1))
        A step of the block in the second stage: its slot.
    ends : In(1)
        The step at ``o`` is the last step of its block.
    advance : Out(1)
        Both stages get new content: the second stage the content of the first stage.
    recirculate : Out(1)
        With ``advance``: the first stage gets the rest of the block in the second stage, instead of
        the block at ``i``.

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(stream.Signature(0)),
                "o": Out(stream.Signature(1)),
                "ends": In(1),
                "advance": Out(1),
                "recirculate": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        first = Signal(name="first_slot")
        second = Signal(name="second_slot")
        next_slot = Signal()
        first_occupied = Signal()
        second_occupied = Signal()
        slot_free = Signal()
        m.d.comb += [
            self.o.valid.eq(second_occupied),
            self.o.p.eq(second),
            self.advance.eq(~second_occupied | self.o.ready),
            self.recirculate.eq(second_occupied & ~self.ends),
            # The first stage is free, and does not hold the earlier block of the slot, which would
            # move on, but not leave the slot.
            slot_free.eq(~self.recirculate & ~(first_occupied & (first == next_slot))),
            self.i.ready.eq(self.advance & slot_free),
        ]
        with m.If(self.advance):
            m.d.sync += [
                second_occupied.eq(first_occupied),
                second.eq(first),
                first_occupied.eq(self.recirculate | (self.i.valid & slot_free)),
                first.eq(Mux(self.recirculate, second, next_slot)),
            ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += next_slot.eq(~next_slot)
        return m
