"""Delays a value that closes a block until the ring of its key has a place for the next block."""

from amaranth.hdl import C, Cat, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.order import equal


class RingRoom(wiring.Component):
    """Offers a value when the ring of its key has a free place for the growing block.

    A value comes with ``first``, the oldest block that a window of the key may still need, as known
    at the value's lookup. The blocks from ``first`` on take up the ring. A value that fits in the
    growing block needs no further place. A value that does not fit closes the growing block and
    becomes the first value of the next block, which is the growing one from then on. It waits while
    the place of the next block is still taken. Meanwhile feedback of the same key and life updates
    ``first``. Invariant: **an offered value does not change, nor does its** ``first``. For instance
    in a ring of 4 blocks, with a value that closes block 5, so that block 6, at index 2, is the
    growing block::

        first, fed back    2       2       3
        offered            no      no      value, with 3 blocks before the growing block

    *A ring that is too small* (``plan.gives_way``). While a value waits, no further window of the
    key closes, so if the next window needs the oldest block, too, no feedback will free a place.
    Then the oldest block *gives way*, in two steps. Each step is a request at ``o`` in place of a
    value (:data:`~rtl.keyed.store.blocks.ring_plan.RING_REQUEST`):

    1. ``drain`` asks for an answer after the feedback of all windows before the waiting value. The
       answer is feedback with ``drained``. Now ``first`` is the block in which the next window
       begins. If there is a place, the value is offered, and step 2 is not needed.
    2. ``drop`` makes the collector read block ``first``, because only the block itself tells how
       many values it has. The answer is feedback like a window's: the block after ``first``, the
       number of its first value, and ``overflow``. Now there is a place. With this request
       ``block_index`` is the index of the new growing block, which begins with the waiting value.

    Invariant: **a ring of n blocks holds the newest n - 1 closed blocks of its key**, if no window
    has freed them. So a window is complete if its values are in these blocks and the growing block,
    whatever the timing. For instance in a ring of 4 blocks, with a value that makes block 4 the
    growing block, and a window that has values of block 0 and is still open::

        offered      drain    drop     value, with 3 blocks before the growing block
        first        0        0        1, overflow

    Each request waits for all windows before it, so a block that gives way takes two times the
    latency of a window: a ring that often overflows makes the engine slow.

    *Windows of time with a cache* (``plan.joined``). A value that closes a window and a block comes
    with the window, which does not have the value. While the value waits, the window goes first,
    because only its feedback may make room: the item is offered once with ``early``, as the window
    alone, and later with ``late``, as the value alone.

    If a value takes n cycles from the lookup of ``first`` to RingRoom, feedback must arrive at
    RingRoom n cycles after it arrives at the lookup. So a value sees each feedback exactly once, at
    the lookup or here.

    Order is kept. Latency 1 cycle, initiation interval 1 cycle. A stall at ``o`` stalls ``i``,
    and ``has_room`` depends on registers alone. After a reset no request is under way.

    Parameters
    ----------
    plan : RingPlan
    passenger : ShapeLike
        With ``plan.joined`` a layout with ``closes``, high if the value closes a window.

    Members
    -------
    i : In(stream.Signature(plan.numbered_value(passenger)))
    o : Out(stream.Signature(plan.value_in_ring(passenger)))
    feedback : In(stream.Signature(plan.feedback, always_ready=True))

    Source: ours.
    """

    latency = 1
    initiation_interval = 1

    def __init__(self, plan, passenger=0):
        self._plan = plan
        super().__init__(
            {
                "i": In(stream.Signature(plan.numbered_value(passenger))),
                "o": Out(stream.Signature(plan.value_in_ring(passenger))),
                "feedback": In(stream.Signature(plan.feedback, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        fed = self.feedback
        o = self.o.p
        plan = self._plan
        value = Signal(self.i.p.shape(), reset_less=True)
        occupied = Signal()
        has_room = Signal()
        offers = Signal()
        updates = Signal()
        entry_and_life = Cat(value.entry, value.first.life)
        is_feedback = fed.valid & ~fed.p.drained if plan.gives_way else fed.valid
        last_index = value.block_index
        if plan.joined:
            last_index = Mux(value.closes, plan.previous(value.block_index), value.block_index)
        m.d.comb += [
            has_room.eq(~value.closes | (value.block_index != value.first.block_index)),
            updates.eq(
                equal(
                    entry_and_life,
                    Cat(fed.p.index, fed.p.entry.life),
                    is_feedback & ~has_room,
                )
            ),
            *(o[name].eq(value[name]) for name in value.shape().members),
            o.any.eq(last_index != o.first.block_index),
            o.blocks.eq(plan.distance(o.first.block_index, last_index)),
            self.o.valid.eq(occupied & offers),
            self.i.ready.eq(~occupied | (self.o.ready & offers)),
        ]
        if plan.gives_way or plan.joined:
            self._wait(m, value, occupied, has_room, offers)
        else:
            m.d.comb += offers.eq(has_room)
        with m.If(self.i.ready):
            m.d.sync += [occupied.eq(self.i.valid), value.eq(self.i.p)]
        with m.Elif(updates):
            m.d.sync += value.first.eq(fed.p.entry)
        return m

    def _wait(self, m, value, occupied, has_room, offers):
        """Sends the window of a value that has no room, and then makes room if that is necessary.

        If feedback makes room before ``drained`` comes, the value is offered at once. The answer,
        which comes later, does not cover the windows after this value. So the next value that
        waits sends its own ``drain`` only when the earlier answer has come.
        """
        fed = self.feedback
        o = self.o.p
        plan = self._plan
        self._window_sent = Signal()
        has_window = C(0)
        # Feedback may change ``first`` of the value, but an offered window must not change.
        window_first = Signal.like(value.first, reset_less=True)
        if plan.joined:
            has_window = self._send_window(m, value)
        drained = Signal()
        unanswered = Signal()
        if plan.gives_way:
            m.d.comb += drained.eq(fed.valid & fed.p.drained)
        with m.If(drained):
            m.d.sync += unanswered.eq(0)
        with m.FSM():
            with m.State("VALUE"):
                m.d.comb += offers.eq(has_room)
                if plan.joined:
                    with m.If(occupied & ~has_room & has_window):
                        m.d.sync += window_first.eq(value.first)
                        m.next = "WINDOW"
                if plan.gives_way:
                    with m.If(occupied & ~has_room & ~has_window & ~unanswered):
                        m.next = "DRAIN"
            if plan.joined:
                with m.State("WINDOW"):
                    m.d.comb += [self.o.valid.eq(1), o.early.eq(1), o.first.eq(window_first)]
                    with m.If(self.o.ready):
                        m.d.sync += self._window_sent.eq(1)
                        m.next = "VALUE"
            if plan.gives_way:
                self._give_way(m, has_room, drained, unanswered)

    def _give_way(self, m, has_room, drained, unanswered):
        """Adds the states in which the oldest block gives way to the block of a waiting value."""
        o = self.o.p
        with m.State("DRAIN"):
            # Feedback may still change ``first``, but an offered request must not change.
            m.d.comb += [o.first.eq(0), o.any.eq(0), o.blocks.eq(0)]
            m.d.comb += [self.o.valid.eq(1), o.ring_request.drain.eq(1)]
            with m.If(self.o.ready):
                m.d.sync += unanswered.eq(1)
                m.next = "DRAINING"
        with m.State("DRAINING"):
            with m.If(has_room):
                m.next = "VALUE"
            with m.Elif(drained):
                m.next = "DROP"
        with m.State("DROP"):
            m.d.comb += [self.o.valid.eq(1), o.ring_request.drop.eq(1)]
            with m.If(self.o.ready):
                m.next = "DROPPING"
        with m.State("DROPPING"), m.If(has_room):
            m.next = "VALUE"

    def _send_window(self, m, value):
        """Returns a bit: the value comes with a window, and the window must be sent before it."""
        m.d.comb += self.o.p.late.eq(self._window_sent)
        with m.If(self.i.ready):
            m.d.sync += self._window_sent.eq(0)
        return value.passenger.closes & ~self._window_sent
