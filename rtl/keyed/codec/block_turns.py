"""Whose turn it is in a decoder that has two blocks, each in one of its two stages."""

from types import SimpleNamespace

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

#: Blocks that are in a decoder's stages.
SLOTS = 2


def apart(layout, name):
    """The members of a layout as signals of their own, each by its name; not reset."""
    return SimpleNamespace(
        **{
            member: Signal(field.shape, name=f"{name}_{member}", reset_less=True)
            for member, field in layout
        }
    )


class BlockTurns(wiring.Component):
    """Lets two blocks go round two stages, one in each, and a new block in where one has ended.

    ::

                     +---------------- passes, less a step -----------------+
                     v                                                      |
        i, loads --> first stage: what comes next? --> second stage: take it off --> its step

    What comes next in a block takes long to find, and so does taking it off; and both must be done
    before the next symbol can be looked at. With a register between them a block takes a step in
    every other cycle, and in the cycles between another block does.

    Blocks have the slots 0 and 1 in turn. For instance a block of 3 steps and one of 1 come in
    cycles 0 and 1, in slots 0 and 1. The first one's steps leave the second stage in cycles 2, 4
    and 6, the other one's in cycle 3. A third block is for slot 0, so it comes in cycle 6, when
    that ends, though slot 1 is free before: so of all that is behind the stages each slot may be a
    queue of its own, and what comes out of slots 0 and 1 in turn is in the order of the blocks.

    Latency 2 cycles, from a block to its first step. Initiation interval 1 cycle, of blocks of one
    step: a slot's next block comes ``2 * steps`` cycles behind its last one, and a cycle behind the
    other slot's at least. A stall at ``o`` stalls all.

    Members
    -------
    i : In(stream.Signature(0))
        A block.
    o : Out(stream.Signature(1))
        A step of the block in the second stage: its slot.
    ends : In(1)
        That is its last one.
    moves : Out(1)
        What is in the first stage goes into the second one, and ...
    passes : Out(1)
        ... what is in the second one into the first one, or else what ``i`` has, if anything.

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
                "moves": Out(1),
                "passes": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        first, second, following = (
            Signal(name=f"{name}_slot") for name in ("first", "second", "following")
        )
        looks, takes, free = Signal(), Signal(), Signal()
        m.d.comb += [
            self.o.valid.eq(takes),
            self.o.p.eq(second),
            self.moves.eq(~takes | self.o.ready),
            self.passes.eq(takes & ~self.ends),
            # Not while the block before the last one is still in that slot.
            free.eq(~self.passes & ~(looks & (first == following))),
            self.i.ready.eq(self.moves & free),
        ]
        with m.If(self.moves):
            m.d.sync += [
                takes.eq(looks),
                second.eq(first),
                looks.eq(self.passes | (self.i.valid & free)),
                first.eq(Mux(self.passes, second, following)),
            ]
        with m.If(self.i.valid & self.i.ready):
            m.d.sync += following.eq(~following)
        return m
