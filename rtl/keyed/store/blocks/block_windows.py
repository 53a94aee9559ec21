"""Selects the blocks of compressed windows, and feeds back where the next window begins."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import COUNT_BITS
from rtl.keyed.store.blocks.block_numbers import numbered_layout


class BlockWindows(wiring.Component):
    """Selects the blocks of windows, one window after the other.

    The numbers of a block's values say how many values come before the window and are skipped. A
    block without other values is dropped. The numbers also say in which block the next window
    begins: this block is fed back with the window's last block. For instance with a window of the
    values 10 to 34, and the next window from 15 on::

        blocks    0 to 9      10 to 29    30 to 34, growing
        skip      10, all     0           0
        o         -           20 values   5 values, last     fed back: the one from 10 on

    ``m3``: the block comes from M3. ``error``, in a window's last block: the read of one of its
    blocks failed, or the blocks have too many or too few values together, so a block is damaged.
    Then the next window is read from the growing block on, so that damaged blocks are not read
    again; windows that begin before that block lack values, are called *short*, and have an
    ``error``, too.

    If blocks may give way (``ring.gives_way``), the collector answers the ring's requests here:
    ``drain`` at once, because all windows before it have been fed back; ``drop`` by the block after
    the one that gives way, with its number. Windows that begin before the first block are then
    short, too. They have an ``error``, and the member ``overflow`` of their ``passenger`` says that
    the reason is no damage. For instance with windows of 25 values every 5, when values 0 to 9 gave
    way::

        blocks         0 to 9 gave way    10 to 29    30 to 34, growing
        window         5 to 29            10 to 34
        before         -5, short          0

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
        i, o = self.i.p, self.o.p
        early, beyond, passed = Signal(), Signal(), Signal()
        skip, unwanted, moves = Signal(COUNT_BITS), Signal(), Signal()
        m.d.comb += [
            early.eq(i.before[-1]),
            # Damaged blocks may have more values than the window.
            beyond.eq((i.end - i.behind)[self._ring.number_bits - 1]),
            passed.eq((i.before >= i.count) & ~early | beyond | self._foreign()),
            # The end of a stream has no numbers: behind an empty stream they were never written.
            skip.eq(Mux(i.empty, 0, Mux(passed, i.count, Mux(early, 0, i.before)))),
            unwanted.eq(self._useless(passed) & ~i.last | i.begins | self._is_request),
            self.o.valid.eq(self.i.valid & ~unwanted),
            self.i.ready.eq((self.o.ready | unwanted) & ~self._waits),
            moves.eq(self.i.valid & self.i.ready),
            o.block.eq(i.block),
            o.coded.eq(i.coded & ~i.empty),
            o.count.eq(i.count),
            o.skip.eq(skip),
            o.last.eq(i.last),
            o.passenger.m3.eq(i.m3),
            o.passenger.cached.eq(i.cached.hit),
            o.passenger.passenger.eq(i.passenger),
        ]
        if self._ring.sum_bits is not None:
            m.d.comb += o.passenger.passenger.number.eq(i.behind - i.count + skip)
        bad_before = Signal()  # a block of the window before this one has an error
        bad, complete = Signal(), Signal()
        short, short_before = Signal(), Signal()  # the window begins before its first block
        m.d.comb += [
            bad.eq(bad_before | i.error | beyond),
            complete.eq(~bad & (i.behind == i.end)),
            short.eq(Mux(i.opens, self._short(early), short_before)),
            o.passenger.error.eq(i.last & (short | ~complete) & ~i.empty),
        ]
        with m.If(moves):
            m.d.sync += [bad_before.eq(~i.last & bad), short_before.eq(short)]
        self._feed(m, moves, complete, short)
        if self._ring.gives_way:
            m.d.comb += o.passenger.passenger.overflow.eq(short & complete & i.first.overflow)
            self._answer(m, moves, bad)
        return m

    def _useless(self, passed):
        """Returns whether a block is dropped; ``passed``, the window has none of its values."""
        return passed | (self.i.p.count == 0)

    @property
    def _waits(self):
        """True if the input waits, whatever the output."""
        return 0

    @property
    def _is_request(self):
        """True if the input is a request of the ring, and no window."""
        return self.i.p.drain | self.i.p.drop if self._ring.gives_way else 0

    def _answer(self, m, moves, bad):
        """Answers the requests of the ring.

        The block that gives way is the only block of a ``drop``, and the growing block counts as
        empty, so ``behind`` is the number of the first value after the block that gives way.
        """
        i, fed = self.i.p, self.feedback
        with m.If(self._is_request):
            m.d.comb += [
                fed.valid.eq(moves & i.last),
                fed.p.drained.eq(i.drain),
                fed.p.entry.block_index.eq(self._ring.following(i.first.block_index)),
                fed.p.entry.number.eq(i.behind),
                fed.p.entry.overflow.eq(1),
            ]
            if self._ring.stamped:
                m.d.comb += fed.p.entry.lost.eq(1)
            with m.If(bad):
                m.d.comb += [
                    fed.p.entry.block_index.eq(i.block_index),
                    fed.p.entry.number.eq(i.end),
                    fed.p.entry.overflow.eq(0),
                ]

    def _foreign(self):
        """Returns whether the whole block lies outside of the window, whatever its numbers."""
        return 0

    def _short(self, early):
        """Returns whether a window lacks values because it begins before its first block."""
        return early

    def _feed(self, m, moves, complete, short):
        """Feeds back, with a window's last block, the block in which the next window begins."""
        i = self.i.p
        m.d.comb += self.feedback.valid.eq(moves & i.last & ~i.empty)
        self._choose_place(m, self.feedback.p, moves, complete, short)

    def _choose_place(self, m, place, moves, complete, short):
        """Drives the block in which the next window begins, when a window's last block is here.

        After a window that is ``short`` and has no other error, all blocks may be needed.
        """
        i = self.i.p
        found, growing = self._find(m, moves, self._block_index(m, moves))
        m.d.comb += [
            place.index.eq(i.entry),
            place.entry.eq(found),
            place.entry.life.eq(i.first.life),
        ]
        with m.If(i.begins | (short & complete)):
            m.d.comb += place.entry.eq(i.first)
        with m.Elif(growing | ~complete):
            m.d.comb += [
                place.entry.block_index.eq(i.block_index),
                place.entry.number.eq(i.end - i.count),
            ]
        if self._ring.stamped:
            with m.If(~complete):
                m.d.comb += place.entry.lost.eq(1)

    def _block_index(self, m, moves):
        """Returns the index of the block in its ring."""
        block_index, has_begun = Signal(range(self._ring.blocks)), Signal()
        following = Signal.like(block_index)
        m.d.comb += block_index.eq(Mux(has_begun, following, self.i.p.first.block_index))
        with m.If(moves):
            next_index = self._ring.following(block_index)
            m.d.sync += [has_begun.eq(~self.i.p.last), following.eq(next_index)]
        return block_index

    def _find(self, m, moves, block_index):
        """Returns the block in which the next window begins, and whether this block grows."""
        i, found = self.i.p, Signal(self._ring.read, reset_less=True)
        with m.If(moves & i.here):
            m.d.sync += [found.block_index.eq(block_index), found.number.eq(i.behind - i.count)]
        return found, i.here
