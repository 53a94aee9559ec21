"""Holds back a value until the ring of its key has room for the block that it closes."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class RingRoom(wiring.Component):
    """Offers a value when the ring of its key has a place for the growing block.

    A value comes with ``first``, the block from which windows were read at its lookup. A value that
    closes a block needs one place more. While there is no place the value waits, and feedback of
    its key and life updates ``first``. Invariant: **an offered value does not change, nor does its
    ``first``.** For instance in a ring of 4 blocks, with a value that makes block 2 the growing
    block::

        first, fed back    2       2       3
        offered            no      no      3, and 3 blocks before the growing one

    Feedback must arrive here later than at the lookup of ``first``, by the cycles from the lookup
    to here: so a value sees each feedback either at the lookup or here.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i``,
    and whether there is room depends on registers alone.

    Parameters
    ----------
    plan : RingPlan
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(plan.numbered(passenger)))
    o : Out(stream.Signature(plan.placed(passenger)))
    feedback : In(stream.Signature(plan.feedback, always_ready=True))

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        super().__init__(
            {
                "i": In(stream.Signature(plan.numbered(passenger))),
                "o": Out(stream.Signature(plan.placed(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        fed, o = self.feedback, self.o.p
        held_value = Signal(self.i.p.shape(), reset_less=True)
        occupied, room, updates = Signal(), Signal(), Signal()
        mine = Cat(held_value.entry, held_value.first.life)
        m.d.comb += [
            o.any.eq(held_value.block_index != held_value.first.block_index),
            room.eq(~held_value.closes | o.any),
            updates.eq(equal(mine, Cat(fed.p.index, fed.p.entry.life), fed.valid & ~room)),
            *(o[name].eq(held_value[name]) for name in held_value.shape().members),
            o.blocks.eq(held_value.block_index - held_value.first.block_index),
            self.o.valid.eq(occupied & room),
            self.i.ready.eq(~occupied | (self.o.ready & room)),
        ]
        with m.If(self.i.ready):
            m.d.sync += [occupied.eq(self.i.valid), held_value.eq(self.i.p)]
        with m.Elif(updates):
            m.d.sync += held_value.first.eq(fed.p.entry)
        return m
