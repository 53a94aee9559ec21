"""Selects the blocks of compressed windows, and feeds back where the next window begins."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.keyed.store.blocks.block_numbers import numbered_layout


class BlockWindows(wiring.Component):
    """Selects the blocks of windows, one window after the other.

    Blocks come with the sequence numbers of their values, and the last block of a window is the
    growing block. The numbers tell how many values come before the window and are skipped. A
    block without a value of the window is dropped, unless it is the window's last block: this block
    is sent with all values skipped, because it carries ``last``. The numbers also tell in which
    block the next window begins: this block is fed back with the window's last block. For instance
    with a window of the values 10 to 34, and the next window from 15 on::

        blocks    0 to 9      10 to 29    30 to 34, growing
        skip      10, all     0           0
        o         -           20 values   5 values, last     fed back: the block from 10 on

    *Damage.* A window has an ``error``, in its last block, if the read of one of its blocks failed,
    or if its blocks together have too many or too few values, because a count was damaged. Then the
    next window is read from the growing block on, so that no damaged block is read again. A window
    that begins before the first block that is read for it is *short*: it lacks values, and has an
    ``error``, too. So all windows that begin before this growing block are short.

    *Requests of the ring.* If blocks may give way (``ring.gives_way``), the two requests of
    :data:`~rtl.keyed.store.blocks.ring_plan.RING_REQUEST` come among the windows, and the answers
    are feedback. ``drain`` is answered at once, because all windows before it have been fed back.
    ``drop`` is answered with the index of the block after the block that gives way, and the number
    of its first value. Windows that begin before this value are short, too. Their ``passenger`` has
    ``overflow``, because their ``error`` is no damage. For instance with windows of 25 values every
    5, when the block of the values 0 to 9 gave way::

        blocks          0 to 9 gave way    10 to 29    30 to 34, growing
        window          5 to 29            10 to 34
        begin_offset    -5, short          0

    Order is kept. Latency 0 cycles. Initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    ring : RingPlan
    passenger : ShapeLike
        Data that go along with each window.

    Members
    -------
    i : In(stream.Signature(numbered_layout(ring, passenger)))
    o : Out(stream.Signature(ring.window_block(passenger)))
        ``passenger`` has ``error``, ``m3``, ``cached``, and the window's ``passenger``, where
        ``number`` is set to the number of the block's first value in the window, if sums need it.
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))

    Source: seed 000, sections 3.4.2 and 3.4.5.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, ring, passenger=0):
        self._ring = ring
        super().__init__(self._members(ring, passenger))

    @staticmethod
    def _members(ring, passenger):
        """Returns the ports, by name."""
        return {
            "i": In(stream.Signature(numbered_layout(ring, passenger))),
            "o": Out(stream.Signature(ring.window_block(passenger))),
            "feedback": Out(stream.Signature(ring.feedback, always_ready=True)),
        }

    def elaborate(self, platform):
        m = Module()
        i = self.i.p
        o = self.o.p
        begins_earlier = Signal()  # the window begins before the block
        exceeds = Signal()  # the block ends after the window, because a block is damaged
        is_outside = Signal()  # no value of the block is in the window
        skip = Signal(COUNT_BITS)
        is_dropped = Signal()
        transfer = Signal()
        m.d.comb += [
            begins_earlier.eq(i.begin_offset[-1]),
            exceeds.eq((i.end - i.block_end)[self._ring.number_bits - 1]),
            is_outside.eq(
                (i.begin_offset >= i.count) & ~begins_earlier | exceeds | self._is_of_other_slide()
            ),
            # An ``empty`` item may have undefined numbers, for instance the end of an empty stream.
            skip.eq(
                Mux(
                    i.empty,
                    0,
                    Mux(is_outside, i.count, Mux(begins_earlier, 0, i.begin_offset)),
                )
            ),
            is_dropped.eq(
                self._is_needless(is_outside) & ~i.last | i.is_announcement | self._is_request
            ),
            self.o.valid.eq(self.i.valid & ~is_dropped),
            self.i.ready.eq((self.o.ready | is_dropped) & ~self._waits),
            transfer.eq(self.i.valid & self.i.ready),
            o.block.eq(i.block),
            o.coded.eq(i.coded & ~i.empty),
            o.count.eq(i.count),
            o.skip.eq(skip),
            o.last.eq(i.last),
            o.passenger.m3.eq(i.m3),
            o.passenger.cached.eq(i.cached.hit),
            o.passenger.passenger.eq(i.passenger),
        ]
        fold = self._ring.fold
        if fold is not None and fold.window_number:
            m.d.comb += o.passenger.passenger.number.eq(i.block_end - i.count + skip)
        has_error = Signal()  # an error in a block of the window up to this one
        had_error = Signal()  # the same up to the block before
        complete = Signal()  # in the last block: the blocks have as many values as they must
        short = Signal()  # the window begins before its first block
        was_short = Signal()  # ``short`` at the block before
        next_short = Signal()  # the next window begins before its first block
        was_next_short = Signal()  # ``next_short`` at the block before
        m.d.comb += [
            has_error.eq(had_error | i.error | exceeds),
            complete.eq(~has_error & (i.block_end == i.end)),
            short.eq(Mux(i.opens, self._is_short(begins_earlier), was_short)),
            next_short.eq(short & Mux(i.opens, ~i.next_begins_here_or_later, was_next_short)),
            o.passenger.error.eq(i.last & (short | ~complete) & ~i.empty),
        ]
        with m.If(transfer):
            m.d.sync += [
                had_error.eq(~i.last & has_error),
                was_short.eq(short),
                was_next_short.eq(next_short),
            ]
        self._feed(m, transfer, complete, next_short)
        if self._ring.gives_way:
            m.d.comb += o.passenger.passenger.overflow.eq(short & complete & i.first.overflow)
            self._answer(m, transfer, has_error)
        return m

    def _is_needless(self, is_outside):
        """Returns whether the decoder needs no value of the block, so that the block is dropped."""
        return is_outside | (self.i.p.count == 0)

    @property
    def _waits(self):
        """Reason for a stall of ``i`` that does not depend on ``o``."""
        return 0

    @property
    def _is_request(self):
        """High if the input is a request of the ring, and no window."""
        if not self._ring.gives_way:
            return 0
        request = self.i.p.ring_request
        return request.drain | request.drop

    def _answer(self, m, transfer, has_error):
        """Answers the requests of the ring.

        A ``drop`` has two blocks: the block that gives way, and the growing block, which counts as
        empty. So with the last block ``block_end`` is the number after the block that gives way. If
        that block is damaged, its count may be wrong. Then the answer is the block that the waiting
        value closes, because the number of its first value (``i.end``) comes with the request.
        """
        i = self.i.p
        fed = self.feedback
        with m.If(self._is_request):
            m.d.comb += [
                fed.valid.eq(transfer & i.last),
                fed.p.drained.eq(i.ring_request.drain),
                fed.p.entry.block_index.eq(self._ring.following(i.first.block_index)),
                fed.p.entry.number.eq(i.block_end),
                fed.p.entry.overflow.eq(1),
            ]
            if self._ring.stamped:
                m.d.comb += fed.p.entry.lost.eq(1)
            with m.If(has_error):
                m.d.comb += [
                    fed.p.entry.block_index.eq(i.block_index),
                    fed.p.entry.number.eq(i.end),
                    fed.p.entry.overflow.eq(0),
                ]

    def _is_of_other_slide(self):
        """Returns whether the stamp of the block tells that no value of it is in the window."""
        return 0

    def _is_short(self, begins_earlier):
        """Returns a bit: the window lacks values, because it begins before its first block."""
        return begins_earlier

    def _feed(self, m, transfer, complete, next_short):
        """Feeds back, with a window's last block, the block in which the next window begins."""
        i = self.i.p
        m.d.comb += self.feedback.valid.eq(transfer & i.last & ~i.empty)
        self._choose_place(m, self.feedback.p, transfer, complete, next_short)

    def _choose_place(self, m, place, transfer, complete, next_short):
        """Drives ``place``, the block in which the next window begins, with a window's last block.

        If the next window is short, too, it is read from the first block of this window on, or
        after damage from the growing block on. Otherwise the feedback must be the block in which
        the next window begins, and not an earlier one, even after a short window. A walk of the
        cache starts at this block, and knows only the first numbers of blocks that began after the
        key got its place in the cache.
        """
        i = self.i.p
        closed, is_growing = self._next_block(m, transfer, self._block_index(m, transfer))
        m.d.comb += [
            place.index.eq(i.entry),
            place.entry.eq(closed),
            place.entry.life.eq(i.first.life),
        ]
        with m.If(i.is_announcement | (next_short & complete)):
            m.d.comb += place.entry.eq(i.first)
        with m.Elif(is_growing | ~complete):
            m.d.comb += [
                place.entry.block_index.eq(i.block_index),
                place.entry.number.eq(i.end - i.count),
            ]
        if self._ring.stamped:
            with m.If(~complete):
                m.d.comb += place.entry.lost.eq(1)

    def _block_index(self, m, transfer):
        """Returns the index of the block at ``i`` in the ring of its key."""
        block_index = Signal(range(self._ring.blocks))
        has_begun = Signal()
        next_index = Signal.like(block_index)
        m.d.comb += block_index.eq(Mux(has_begun, next_index, self.i.p.first.block_index))
        with m.If(transfer):
            following = self._ring.following(block_index)
            m.d.sync += [has_begun.eq(~self.i.p.last), next_index.eq(following)]
        return block_index

    def _next_block(self, m, transfer, block_index):
        """Returns the closed block in which the next window begins, and if it is the growing one.

        The next window begins in the last block of which the first number is not greater than the
        next window's. With blocks from 0, 10 and 30 on, and a next window from 15 on, this is the
        block from 10 on. With the window's last block, which is the growing block, the register has
        the last such closed block.
        """
        i = self.i.p
        closed = Signal(self._ring.first_block, reset_less=True)
        with m.If(transfer & i.next_begins_here_or_later):
            m.d.sync += [
                closed.block_index.eq(block_index),
                closed.number.eq(i.block_end - i.count),
            ]
        return closed, i.next_begins_here_or_later
