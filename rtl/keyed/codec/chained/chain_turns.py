"""Control of a decoder with two stages and two chains of blocks, one chain in each stage."""

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.slot_reduction import SLOTS


class ChainTurns(wiring.Component):
    """Moves two chains of blocks through two stages in turn, each with blocks of its own input.

    ::

        i0, i1 --> first stage: parse --> second stage: remove the step --> o
                         ^                                |
                         +-- recirculates: the slot's block, or only its state --+

    As in :class:`~rtl.keyed.codec.block_turns.BlockTurns` the decoder makes a step of one slot's
    block in even cycles, and a step of the other slot's block in odd cycles. But slot 0 gets the
    blocks of ``i0`` alone, and slot 1 the blocks of ``i1``. Both stages advance in the same cycles,
    so with each advance the two slots change places, with or without a block. Invariant: **the
    state after a block stays in its slot until the slot's next block continues in this state.**

    Chains begin in slots 0 and 1 in turn: the first block of a chain (``head``) enters its slot
    only after the chain before has begun in the other slot. So when a chain begins, at most the
    chain before is still being decoded, and reading the results of slots 0 and 1 in turn restores
    the order of the chains. For instance chain A of 2 blocks in slot 0, B of 1 block in slot 1, and
    then C in slot 0 and D in slot 1, where each block has one step::

        cycle     0   1   2   3   4   5
        enters    A1  B1  A2  -   C1  D1

    D could enter slot 1 in cycle 3, but then D might be decoded before C.

    Latency 2 cycles, from a block to its first step. Initiation interval 1 cycle for both inputs
    together. A stall at ``o`` stalls both inputs.

    Members
    -------
    i0, i1 : In(stream.Signature(1))
        A block of the slot; the payload is high for the ``head`` of a chain.
    o : Out(stream.Signature(1))
        A step of the block in the second stage; the payload is the slot of this block.
    ends : In(1)
        The step at ``o`` is the last step of its block.
    advance : Out(1)
        The content of both stages moves.
    enters : Out(1)
        With ``advance``: the first stage gets a block of slot ``o.p`` from the slot's input. If
        low, the first stage gets the content of the second stage.
    decodes : Out(1)
        With ``advance`` and without ``enters``: the content of the second stage is a block that has
        not ended.

    Source: ours.
    """

    latency = 2
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i0": In(stream.Signature(1)),
                "i1": In(stream.Signature(1)),
                "o": Out(stream.Signature(1)),
                "ends": In(1),
                "advance": Out(1),
                "enters": Out(1),
                "decodes": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        slot = Signal()  # in the second stage
        next_slot = Signal()  # of the next chain that begins
        first_occupied = Signal()
        second_occupied = Signal()
        inputs = (self.i0, self.i1)
        may_enter = Signal(SLOTS)
        m.d.comb += [
            self.o.valid.eq(second_occupied),
            self.o.p.eq(slot),
            self.advance.eq(~second_occupied | self.o.ready),
            self.decodes.eq(second_occupied & ~self.ends),
            may_enter.eq(
                Cat(
                    (slot == k) & ~self.decodes & (~source.p | (next_slot == k))
                    for k, source in enumerate(inputs)
                )
            ),
            self.enters.eq((may_enter & Cat(source.valid for source in inputs)).any()),
            *(source.ready.eq(self.advance & may_enter[k]) for k, source in enumerate(inputs)),
        ]
        with m.If(self.advance):
            m.d.sync += [
                slot.eq(~slot),
                second_occupied.eq(first_occupied),
                first_occupied.eq(self.decodes | self.enters),
            ]
            with m.If(self.enters & Mux(slot, self.i1.p, self.i0.p)):
                m.d.sync += next_slot.eq(~next_slot)
        return m
