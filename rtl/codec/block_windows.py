"""The data collector of compressed windows: blocks from M3, then the one that is growing."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import (
    BLOCK_BITS,
    COUNT_BITS,
    HEAD_BITS,
    MARK,
    MARK_BITS,
    block_layout,
    told_layout,
)
from rtl.memory.line_stripes import marked_line


def coded_window_layout(ring, passenger):
    """Layout of a window that is to be collected.

    Members: ``growing``, the block with its last value, and ``count``, how many it has; ``alone``,
    no block comes before that; ``first``, where the first block lies and which number its first
    value has (:attr:`~rtl.codec.block_ring.RingPlan.read`); ``line``, where the growing one will;
    ``begin``, the number of the window's first value, ``end``, that behind its last, and ``next``,
    that of the next window's first; ``empty``, there is no value, so nothing of these counts, and
    ``alone`` is high; ``begins``, this is no window, but a key that begins at ``first``;
    ``passenger``. With a cache ``cached``, what is known there of the window
    (:attr:`~rtl.codec.cache_plan.CachePlan.told`): a ``hit`` is ``empty``, too; and ``noted``, the
    growing block begins with the value before ``end``, and that is to be known: if nothing else is
    told with that value, ``begins`` and ``empty`` are high.
    """
    number, line = ring.number_bits, range(ring.blocks)
    numbers = dict.fromkeys(("begin", "end", "next"), number)
    cached = {} if ring.cache is None else {"cached": ring.cache.told, "noted": 1}
    return data.StructLayout(
        {
            "growing": BLOCK_BITS,
            "count": COUNT_BITS,
            "alone": 1,
            "entry": range(ring.entries),
            "first": ring.read,
            "line": line,
            **numbers,
            "empty": 1,
            "begins": 1,
            **cached,
            "passenger": passenger,
        }
    )


class BlockWindows(wiring.Component):
    """Collects the blocks of windows, one window after the other.

    All levels are asked at once, when a window closes, and the growing block waits in ``windows``
    for what M3 gives. How many values a block has stands in it, or it is a raw one; so the numbers
    of its values are known before it is decoded, and how many of them come before the window, to
    be skipped. A block of which all are skipped is left out. And it is known in which block the
    next window begins: that is fed back with the last one. For instance, a window of the values 10
    to 34, the next from 15::

        blocks    0 to 9      10 to 29    30 to 34, growing
        skip      10, all     0           0
        o         -           20 values   5 values, last     fed back: the one from 10 on

    ``m3``: the block comes out of M3. ``error``, in a window's last block, when one of its lines
    was answered with an error; when the blocks have not as many values as they must have together,
    so that one of them is damaged; or when it begins before what the ring still has. Then the next
    window is read from the growing block on, so that what is wrong is left behind.

    Order is kept. Latency 0 cycles from a line, or from a window without lines. Initiation interval
    1 cycle. A stall at ``o`` stalls both inputs.

    Parameters
    ----------
    ring : RingPlan
    passenger : ShapeLike
        What goes along with each window.

    Members
    -------
    windows : In(stream.Signature(coded_window_layout(ring, passenger)))
        Taken with the window's last block.
    lines : In(stream.Signature(marked_line()))
        Of the windows that are not ``alone``, in order.
    o : Out(stream.Signature(block_layout(told_layout(passenger))))
        ``passenger`` has ``error``, ``m3``, ``cached``, and the window's ``passenger``.
    feedback : Out(stream.Signature(ring.feedback, always_ready=True))

    Source: seed 000, sections 3.4.2 and 3.4.5; that numbers come before values is ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, ring, passenger=0):
        self._ring = ring
        super().__init__(
            {
                "windows": In(stream.Signature(coded_window_layout(ring, passenger))),
                "lines": In(stream.Signature(marked_line())),
                "o": Out(stream.Signature(block_layout(told_layout(passenger)))),
                "feedback": Out(stream.Signature(ring.feedback, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        window, given, o = self.windows.p, self.lines.p, self.o.p
        read, wrong = Signal(), Signal()  # all lines have been given; something is wrong with them
        ends, moves, unwanted = Signal(), Signal(), Signal()
        number, count, coded = self._number(m, ends, moves)
        before, behind = (Signal(self._ring.number_bits, name=n) for n in ("before", "behind"))
        early, beyond, skip = Signal(), Signal(), Signal(COUNT_BITS)
        m.d.comb += [
            ends.eq(read | window.alone),
            # All modulo 2^number_bits; what is more than half of it is less than nothing.
            before.eq(window.begin - number),
            early.eq(before[-1]),
            behind.eq(number + count),
            # Damaged ones may have more values than a window has place for.
            beyond.eq((window.end - behind)[self._ring.number_bits - 1]),
            skip.eq(Mux((before > count) & ~early | beyond, count, Mux(early, 0, before))),
            unwanted.eq((skip == count) & ~ends | window.begins),
            self.o.valid.eq(self.windows.valid & (ends | self.lines.valid) & ~unwanted),
            moves.eq(self.windows.valid & (ends | self.lines.valid) & (self.o.ready | unwanted)),
            self.lines.ready.eq(moves & ~ends),
            self.windows.ready.eq(moves & ends),
            o.block.eq(Mux(ends, window.growing, given.data)),
            o.coded.eq(coded & ~window.empty),
            o.count.eq(Mux(window.empty, 0, count)),
            o.skip.eq(Mux(window.empty, 0, skip)),
            o.last.eq(ends),
            o.passenger.m3.eq(~ends),
            o.passenger.cached.eq(0 if self._ring.cache is None else window.cached.hit),
            o.passenger.passenger.eq(window.passenger),
        ]
        bad, whole, first = Signal(), Signal(), Signal()
        m.d.comb += [
            first.eq(Mux(ends, window.alone, given.first)),
            bad.eq(wrong | (~ends & given.error) | (early & first) | beyond),
            whole.eq(~bad & (behind == window.end)),
            o.passenger.error.eq(ends & ~whole & ~window.empty),
        ]
        with m.If(moves):
            m.d.sync += [read.eq(~ends & given.last), wrong.eq(~ends & bad)]
        self._feed(m, ends, moves, number, whole)
        return m

    def _number(self, m, ends, moves):
        """Of the block that is given the number of its first value, its values, its kind."""
        window, given = self.windows.p, self.lines.p
        at = BLOCK_BITS - HEAD_BITS
        block, begun = Signal(BLOCK_BITS), Signal()
        following, number = Signal(self._ring.number_bits), Signal(self._ring.number_bits)
        count, coded = Signal(COUNT_BITS), Signal()
        m.d.comb += [
            block.eq(Mux(ends, window.growing, given.data)),
            coded.eq(block[-MARK_BITS:] == MARK),
            count.eq(
                Mux(
                    ends,
                    window.count,
                    Mux(coded, block[at:][:COUNT_BITS], self._ring.format.raw_values),
                )
            ),
            number.eq(Mux(begun, following, window.first.number)),
        ]
        with m.If(moves):
            m.d.sync += [begun.eq(~ends), following.eq(number + count)]
        return number, count, coded

    def _feed(self, m, ends, moves, number, whole):
        """Tells with the last block in which one the next window begins."""
        window, fed, ring = self.windows.p, self.feedback, self._ring
        line, begun, here = Signal(range(ring.blocks)), Signal(), Signal()
        following, found = Signal.like(line), Signal(ring.read, reset_less=True)
        m.d.comb += [
            line.eq(Mux(begun, following, window.first.line)),
            here.eq(~(window.next - number)[ring.number_bits - 1]),  # it begins here or later
            fed.valid.eq(moves & ends & ~window.empty),
            fed.p.index.eq(window.entry),
            fed.p.entry.eq(found),
            fed.p.entry.life.eq(window.first.life),
        ]
        with m.If(window.begins):
            m.d.comb += fed.p.entry.eq(window.first)
        with m.Elif(here | ~whole):
            m.d.comb += [
                fed.p.entry.line.eq(window.line),
                fed.p.entry.number.eq(window.end - window.count),
            ]
        with m.If(moves):
            m.d.sync += [begun.eq(~ends), following.eq(line + 1)]
            with m.If(here):
                m.d.sync += [found.line.eq(line), found.number.eq(number)]
