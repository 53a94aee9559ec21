"""Where a value waits until the ring of its key has room for the block that it closes."""

from amaranth.hdl import Cat, Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class RingRoom(wiring.Component):
    """Lets a value go on once there is a place in the ring of its key for the block that grows.

    It comes with the block from which on windows are read, ``first``, as that was known. A value
    that closes a block needs one place more; while it has none it waits, and what is fed back of
    its key is its ``first``. **Always: what is offered stays as it is, and so does its first.** A
    value of one life does not listen to what is told of another. For instance, in a ring of 4
    blocks, with a value that makes block 2 the growing one::

        first, fed back    2       2       3
        offered            no      no      3, and 3 blocks before the growing one

    So what is fed back must be shown here later than where ``first`` is looked up, by as many
    cycles as that takes to get here: then no cycle is between the two.

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
        kept = Signal(self.i.p.shape(), reset_less=True)
        there, room, told = Signal(), Signal(), Signal()
        mine = Cat(kept.entry, kept.first.life)
        m.d.comb += [
            o.any.eq(kept.line != kept.first.line),
            room.eq(~kept.closes | o.any),
            told.eq(equal(mine, Cat(fed.p.index, fed.p.entry.life), fed.valid & ~room)),
            *(o[name].eq(kept[name]) for name in kept.shape().members),
            o.blocks.eq(kept.line - kept.first.line),
            self.o.valid.eq(there & room),
            self.i.ready.eq(~there | (self.o.ready & room)),
        ]
        with m.If(self.i.ready):
            m.d.sync += [there.eq(self.i.valid), kept.eq(self.i.p)]
        with m.Elif(told):
            m.d.sync += kept.first.eq(fed.p.entry)
        return m
