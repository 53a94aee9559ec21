"""The data collector of compressed windows: blocks from M3, then the one that is growing."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import COUNT_BITS, block_info_layout, block_layout
from rtl.keyed.store.blocks.block_numbers import numbered_layout


class BlockWindows(wiring.Component):
    """Collects the blocks of windows, one window after the other.

    Of a block with the numbers of its values it is known how many of them come before the window,
    to be skipped. A block of which all are skipped is left out. And it is known in which block the
    next window begins: that is fed back with the last one. For instance, a window of the values 10
    to 34, the next from 15::

        blocks    0 to 9      10 to 29    30 to 34, growing
        skip      10, all     0           0
        o         -           20 values   5 values, last     fed back: the one from 10 on

    ``m3``: the block comes out of M3. ``error``, in a window's last block, when one of its lines
    was answered with an error; or the blocks have not as many values as they must have together,
    so that one of them is damaged. Then the next window is read from the growing block on, so that
    what is wrong is left behind; and there is an ``error``, too, in windows that are *short*, as
    they begin before that block.

    Order is kept. Latency 0 cycles. Initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    ring : RingPlan
    passenger : ShapeLike
        What goes along with each window.

    Members
    -------
    i : In(stream.Signature(numbered_layout(ring, passenger)))
    o : Out(stream.Signature(block_layout(block_info_layout(passenger))))
        ``passenger`` has ``error``, ``m3``, ``cached``, and the window's ``passenger``.
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))

    Source: seed 000, sections 3.4.2 and 3.4.5.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, ring, passenger=0):
        self._ring = ring
        super().__init__(
            {
                "i": In(stream.Signature(numbered_layout(ring, passenger))),
                "o": Out(stream.Signature(block_layout(block_info_layout(passenger)))),
                "feedback": Out(stream.Signature(ring.feedback, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        i, o = self.i.p, self.o.p
        early, beyond, passed = Signal(), Signal(), Signal()
        skip, unwanted, moves = Signal(COUNT_BITS), Signal(), Signal()
        m.d.comb += [
            early.eq(i.before[-1]),
            # Damaged ones may have more values than a window has place for.
            beyond.eq((i.end - i.behind)[self._ring.number_bits - 1]),
            passed.eq((i.before >= i.count) & ~early | beyond | self._foreign()),
            skip.eq(Mux(passed, i.count, Mux(early, 0, i.before))),
            unwanted.eq((passed | (i.count == 0)) & ~i.last | i.begins),
            self.o.valid.eq(self.i.valid & ~unwanted),
            self.i.ready.eq(self.o.ready | unwanted),
            moves.eq(self.i.valid & self.i.ready),
            o.block.eq(i.block),
            o.coded.eq(i.coded & ~i.empty),
            o.count.eq(i.count),
            o.skip.eq(skip),
            o.last.eq(i.last),
            o.passenger.m3.eq(~i.last),
            o.passenger.cached.eq(0 if self._ring.cache is None else i.cached.hit),
            o.passenger.passenger.eq(i.passenger),
        ]
        wrong, bad, whole = Signal(), Signal(), Signal()  # something is wrong with blocks before
        short, since = Signal(), Signal()  # it lacks values, since its first block
        m.d.comb += [
            bad.eq(wrong | i.error | beyond),
            whole.eq(~bad & (i.behind == i.end)),
            short.eq(Mux(i.opens, self._short(early), since)),
            o.passenger.error.eq(i.last & (short | ~whole) & ~i.empty),
        ]
        with m.If(moves):
            m.d.sync += [wrong.eq(~i.last & bad), since.eq(short)]
        self._feed(m, moves, whole, short)
        return m

    def _foreign(self):
        """Whether no value of a block may be in the window, whatever its number."""
        return 0

    def _short(self, early):
        """Whether a window lacks values, as it begins before its first block."""
        return early

    def _feed(self, m, moves, whole, short):
        """Tells with the last block in which one the next window begins.

        Behind one that is ``short``, and has no other mistake, all blocks may be needed.
        """
        i, fed = self.i.p, self.feedback
        found, growing = self._find(m, moves, self._line(m, moves))
        m.d.comb += [
            fed.valid.eq(moves & i.last & ~i.empty),
            fed.p.index.eq(i.entry),
            fed.p.entry.eq(found),
            fed.p.entry.life.eq(i.first.life),
        ]
        with m.If(i.begins | (short & whole)):
            m.d.comb += fed.p.entry.eq(i.first)
        with m.Elif(growing | ~whole):
            m.d.comb += [
                fed.p.entry.line.eq(i.line),
                fed.p.entry.number.eq(i.end - i.count),
            ]
        if self._ring.stamped:
            with m.If(~whole):
                m.d.comb += fed.p.entry.lost.eq(1)

    def _line(self, m, moves):
        """Where the block lies."""
        line, begun = Signal(range(self._ring.blocks)), Signal()
        following = Signal.like(line)
        m.d.comb += line.eq(Mux(begun, following, self.i.p.first.line))
        with m.If(moves):
            m.d.sync += [begun.eq(~self.i.p.last), following.eq(line + 1)]
        return line

    def _find(self, m, moves, line):
        """The block in which the next window begins, and whether that is the growing one."""
        i, found = self.i.p, Signal(self._ring.read, reset_less=True)
        with m.If(moves & i.here):
            m.d.sync += [found.line.eq(line), found.number.eq(i.behind - i.count)]
        return found, i.here
