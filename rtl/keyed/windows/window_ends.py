"""Adds to each row the end of the row's window of time, by a multiplication."""

from functools import reduce
from operator import add

from amaranth.hdl import Cat, Const, Module, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat

#: Width of the factors of a partial product, in bits: one multiplier of an FPGA computes a product.
DIGIT = 16


def without_end(row):
    """Returns the layout of a row before its ``end`` is added."""
    return data.StructLayout({name: field.shape for name, field in row if name != "end"})


class WindowEnds(wiring.Component):
    """Adds to each row the end of its window, start + RANGE + j SLIDE for window j.

    A window with a row has a tuple before its end, and was closed by a tuple at or after its end.
    So the end lies between two times of the column's type. Therefore **all sums are modulo
    2^width**, where width is the width of a time, and only digits below this width are computed.
    For instance with times of 20 bits, digits of 16 bits, window j = 2^16 j1 + j0, and a SLIDE of
    2^16 s1 + s0::

        j SLIDE modulo 2^20 = j0 s0 + 2^16 (j0 s1 + j1 s0)

    Each product is a register, and each sum of two numbers is a register. Order is kept. Latency
    ``1 + ceil(log2(n))`` cycles for n numbers to add. With 32 bits of a window number and times of
    32 bits, n is 5 (3 products, start and RANGE); with times of 64 bits, n is 6; so both take 4
    cycles. Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` in the same cycle if a beat
    is at ``o``.

    Parameters
    ----------
    times : KeyTimes
    row : data.StructLayout
        A row with the members ``window`` and ``end``, among others; ``end`` is at most as wide as a
        time.

    Members
    -------
    i : In(stream.Signature(beat(without_end(row), 1)))
    lengths : In(times.settings)
        Settings of all rows inside: ``range``, ``slide`` and ``start``. They may change only while
        ``busy`` is low.
    o : Out(stream.Signature(beat(row, 1)))
    busy : Out(1)
        A row, or the end of a stream, is in the pipeline.

    Source: docs/query-language.md, Windows; the rest is ours.
    """

    initiation_interval = 1

    def __init__(self, times, row):
        self._times = times
        self._beat = beat(without_end(row), 1)
        super().__init__(
            {
                "i": In(stream.Signature(self._beat)),
                "lengths": In(times.settings),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
            }
        )

    @staticmethod
    def latency_of(times):
        """Returns the latency, in cycles, without building the component."""
        terms = len(_products(times.number_bits, Shape.cast(times.time).width)) + 2
        return 1 + (terms - 1).bit_length()

    @property
    def latency(self):
        return self.latency_of(self._times)

    def elaborate(self, platform):
        m = Module()
        step = Signal()
        occupied, beat_out = self._shift(m, step)
        row = self.o.p.tuples[0]
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            self.i.ready.eq(step),
            self.o.valid.eq(occupied[-1]),
            self.busy.eq(occupied.any()),
            self.o.p.valid.eq(beat_out.valid),
            self.o.p.last.eq(beat_out.last),
            row.end.eq(self._end(m, step)),
            *(row[name].eq(beat_out.tuples[0][name]) for name in without_end(row.shape()).members),
        ]
        return m

    def _shift(self, m, step):
        """Delays the beats by the latency; returns a bit per occupied level, and the last beat."""
        occupied = Signal(self.latency)
        level_beat = self.i.p
        with m.If(step):
            m.d.sync += occupied.eq(Cat(self.i.valid, occupied))
        for level in range(self.latency):
            delayed = Signal(self._beat, name=f"beat{level}", reset_less=True)
            with m.If(step):
                m.d.sync += delayed.eq(level_beat)
            level_beat = delayed
        return occupied, level_beat

    def _end(self, m, step):
        """Returns the end of the window: the sum of all terms, added in pairs."""
        width = Shape.cast(self._times.time).width
        lengths = self.lengths

        def register(value, name):
            later = Signal(width, name=name, reset_less=True)
            with m.If(step):
                m.d.sync += later.eq(value)
            return later

        window = _digits(self.i.p.tuples[0].window)
        slide = _digits(lengths.slide[:width])
        terms = []
        for k, (digit, others) in enumerate(_products(self._times.number_bits, width)):
            # The products of one digit with every other digit do not overlap, so one concatenation
            # replaces their sum.
            parts = [window[digit] * slide[other] for other in others]
            low_zeros = Const(0, DIGIT * (digit + others[0]))
            aligned = Cat(
                low_zeros, *(Cat(part, Const(0, 2 * DIGIT))[: 2 * DIGIT] for part in parts)
            )
            terms.append(register(aligned, f"product{k}"))
        terms += [lengths.start, lengths.range]
        level = 0
        while len(terms) > 1:
            pairs = [terms[k : k + 2] for k in range(0, len(terms), 2)]
            terms = [register(reduce(add, p), f"sum{level}_{k}") for k, p in enumerate(pairs)]
            level += 1
        return terms[0]


def _digits(value):
    """Returns the digits of a number, the lowest first; the last digit may be narrower."""
    return [value[k : k + DIGIT] for k in range(0, len(value), DIGIT)]


def _products(number_bits, width):
    """Returns the partial products of a number of ``number_bits`` bits and one of ``width`` bits.

    Each product is a pair (digit of the first number, digits of the second number). Only digits
    whose product has bits below ``width`` are listed. Each digit of the first number has at most
    two products: with the even digits of the second number, and with its odd digits. For instance
    32 and 64 bits have the products (0, (0, 2)), (0, (1, 3)), (1, (0, 2)) and (1, (1,)).
    """
    firsts = -(-number_bits // DIGIT)
    others = -(-width // DIGIT)
    products = []
    for first in range(firsts):
        for begin in (0, 1):
            digits = tuple(range(begin, others - first, 2))
            if digits:
                products.append((first, digits))
    return products
