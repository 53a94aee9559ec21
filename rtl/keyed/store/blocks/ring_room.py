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
    ``first``.** For instance in a ring of 4 blocks, with a value that makes block 6, at index 2,
    the growing block::

        first, fed back    2       2       3
        offered            no      no      3, and 3 blocks before the growing one

    *A ring that is too small* (``plan.gives_way``). No feedback may come for a waiting value,
    because the next window needs the oldest block, too. Then the oldest block *gives way*, in two
    steps. Each step is a request at ``o`` in place of a value:

    1. ``drain``: its answer comes after the feedback of all windows before, as ``drained``. Now
       ``first`` is the block in which the next window begins. If there is a place, the value goes
       on.
    2. ``drop``: block ``first`` is read, because only the block says how many values it has. The
       answer is feedback like a window's: the next block with its number, and ``overflow``. Now
       there is a place. ``block_index`` of the request is the new growing block, which begins with
       the waiting value.

    Invariant: **a ring of n blocks holds the newest n - 1 closed blocks of its key**, if no window
    has freed them. So a window is complete if its values are in these blocks and the growing block,
    whatever the timing. For instance in a ring of 4 blocks, with a value that makes block 4 the
    growing block, and a window that has values of block 0 and is still open::

        request      drain    drop     -
        first        0        0        1, overflow
        offered                        1, and 3 blocks before the growing one

    Each of the two requests waits for all windows before it, so together they take two times the
    latency of a window: a ring that often overflows makes the engine slow.

    Feedback must arrive here later than at the lookup of ``first``, by the cycles from the lookup
    to here: so a value sees each feedback exactly once, at the lookup or here.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i``,
    and whether there is room depends on registers alone. After a reset no request is under way.

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
        self._plan = plan
        super().__init__(
            {
                "i": In(stream.Signature(plan.numbered(passenger))),
                "o": Out(stream.Signature(plan.placed(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        fed, o, plan = self.feedback, self.o.p, self._plan
        held_value = Signal(self.i.p.shape(), reset_less=True)
        occupied, room, offers, updates = Signal(), Signal(), Signal(), Signal()
        mine = Cat(held_value.entry, held_value.first.life)
        is_feedback = fed.valid & ~fed.p.drained if plan.gives_way else fed.valid
        has_blocks = held_value.block_index != held_value.first.block_index
        m.d.comb += [
            o.any.eq(has_blocks),
            room.eq(~held_value.closes | has_blocks),
            updates.eq(equal(mine, Cat(fed.p.index, fed.p.entry.life), is_feedback & ~room)),
            *(o[name].eq(held_value[name]) for name in held_value.shape().members),
            o.blocks.eq(plan.distance(held_value.first.block_index, held_value.block_index)),
            self.o.valid.eq(occupied & offers),
            self.i.ready.eq(~occupied | (self.o.ready & offers)),
        ]
        if plan.gives_way:
            self._give_way(m, occupied, room, offers)
        else:
            m.d.comb += offers.eq(room)
        with m.If(self.i.ready):
            m.d.sync += [occupied.eq(self.i.valid), held_value.eq(self.i.p)]
        with m.Elif(updates):
            m.d.sync += held_value.first.eq(fed.p.entry)
        return m

    def _give_way(self, m, occupied, room, offers):
        """Sends the requests by which the oldest block gives way to the block of a waiting value.

        If feedback makes room before ``drained`` comes, the value goes on at once, and the answer
        is ignored: it says nothing about the windows that come after this value.
        """
        fed, o = self.feedback, self.o.p
        drained, unanswered = Signal(), Signal()
        m.d.comb += drained.eq(fed.valid & fed.p.drained)
        with m.If(drained):
            m.d.sync += unanswered.eq(0)
        with m.FSM():
            with m.State("VALUE"):
                m.d.comb += offers.eq(room)
                with m.If(occupied & ~room & ~unanswered):
                    m.next = "DRAIN"
            with m.State("DRAIN"):
                # Feedback may change ``first`` now, and an offered request does not change.
                m.d.comb += [o.first.eq(0), o.any.eq(0), o.blocks.eq(0)]
                m.d.comb += [self.o.valid.eq(1), o.drain.eq(1)]
                with m.If(self.o.ready):
                    m.d.sync += unanswered.eq(1)
                    m.next = "DRAINING"
            with m.State("DRAINING"):
                with m.If(room):
                    m.next = "VALUE"
                with m.Elif(drained):
                    m.next = "DROP"
            with m.State("DROP"):
                m.d.comb += [self.o.valid.eq(1), o.drop.eq(1)]
                with m.If(self.o.ready):
                    m.next = "DROPPING"
            with m.State("DROPPING"), m.If(room):
                m.next = "VALUE"
