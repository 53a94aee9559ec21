"""The end of each window of time: a multiplication for each row."""

from functools import reduce
from operator import add

from amaranth.hdl import Cat, Const, Module, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import beat

#: Bits of a factor of the products that are added up: one multiplier of an FPGA each.
DIGIT = 16


def without_end(row):
    """Layout of a row that has no end yet."""
    return data.StructLayout({name: field.shape for name, field in row if name != "end"})


class WindowEnds(wiring.Component):
    """Adds to each row the end of its window, start + RANGE + j SLIDE for window j.

    A window that has a row has been closed by a tuple at or behind its end, and has one before it.
    So its end is no less than the least time and no more than the greatest, and **all is added up
    modulo the times that there are**: of products only the digits that count are made. For
    instance with times of 20 bits, digits of 16, and window j = 2**16 * j1 + j0::

        j SLIDE modulo 2**20 = j0 s0 + 2**16 (j0 s1 + j1 s0)

    The products are registers, and so is each sum of two. Order is kept. Latency
    ``1 + ceil(log2(n))`` cycles for n numbers to add: for 32 bits of a window, and times of 32 bits
    5 (3 of products, start and RANGE), of 64 bits 6; so 4 cycles for both. Initiation interval 1
    cycle. A stall at ``o`` stalls ``i`` in the same cycle, when there is something at ``o``.

    Parameters
    ----------
    times : KeyTimes
    row : data.StructLayout
        A row: ``window`` and ``end``, which is as wide as a time or less, among others.

    Members
    -------
    i : In(stream.Signature(beat(without_end(row), 1)))
    lengths : In(times.settings)
        Those of all rows that are inside: they change only while it is not ``busy``.
    o : Out(stream.Signature(beat(row, 1)))
    busy : Out(1)
        A row, or the end of a stream, is inside.

    Source: DESIGN section 2; the rest is ours.
    """

    initiation_interval = 1

    def __init__(self, times, row):
        self._times = times
        self._given = beat(without_end(row), 1)
        super().__init__(
            {
                "i": In(stream.Signature(self._given)),
                "lengths": In(times.settings),
                "o": Out(stream.Signature(beat(row, 1))),
                "busy": Out(1),
            }
        )

    @staticmethod
    def latency_of(times):
        """Cycles of such a component, without making one."""
        terms = len(_products(times.numbers, Shape.cast(times.time).width)) + 2
        return 1 + (terms - 1).bit_length()

    @property
    def latency(self):
        return self.latency_of(self._times)

    def elaborate(self, platform):
        m = Module()
        step = Signal()
        passing, told = self._shift(m, step)
        row = self.o.p.tuples[0]
        m.d.comb += [
            step.eq(~self.o.valid | self.o.ready),
            self.i.ready.eq(step),
            self.o.valid.eq(passing[-1]),
            self.busy.eq(passing.any()),
            self.o.p.valid.eq(told.valid),
            self.o.p.last.eq(told.last),
            row.end.eq(self._end(m, step)),
            *(row[name].eq(told.tuples[0][name]) for name in without_end(row.shape()).members),
        ]
        return m

    def _shift(self, m, step):
        """In which levels there is something, and what is in the last one."""
        passing, told = Signal(self.latency), self.i.p
        with m.If(step):
            m.d.sync += passing.eq(Cat(self.i.valid, passing))
        for level in range(self.latency):
            later = Signal(self._given, name=f"told{level}", reset_less=True)
            with m.If(step):
                m.d.sync += later.eq(told)
            told = later
        return passing, told

    def _end(self, m, step):
        """The sum of all, two by two."""
        width, lengths = Shape.cast(self._times.time).width, self.lengths

        def register(value, name):
            later = Signal(width, name=name, reset_less=True)
            with m.If(step):
                m.d.sync += later.eq(value)
            return later

        window = _digits(self.i.p.tuples[0].window)
        slide = _digits(lengths.slide[:width])
        terms = []
        for k, (digit, others) in enumerate(_products(self._times.numbers, width)):
            # Products of every other digit are beside each other, without a sum.
            parts = [window[digit] * slide[other] for other in others]
            below = Const(0, DIGIT * (digit + others[0]))
            aligned = Cat(below, *(Cat(part, Const(0, 2 * DIGIT))[: 2 * DIGIT] for part in parts))
            terms.append(register(aligned, f"product{k}"))
        terms += [lengths.start, lengths.range]
        level = 0
        while len(terms) > 1:
            pairs = [terms[k : k + 2] for k in range(0, len(terms), 2)]
            terms = [register(reduce(add, p), f"sum{level}_{k}") for k, p in enumerate(pairs)]
            level += 1
        return terms[0]


def _digits(value):
    """Digits of a number, the lowest first; the last one may be narrower."""
    return [value[k : k + DIGIT] for k in range(0, len(value), DIGIT)]


def _products(numbers, width):
    """Which digits are multiplied, of a number of so many bits and one of ``width``.

    For each term (digit of the first, digits of the other): those of which the product has bits
    below ``width``, in two terms for each of the first, of even digits and of odd ones.
    """
    firsts, others = -(-numbers // DIGIT), -(-width // DIGIT)
    found = []
    for first in range(firsts):
        for begin in (0, 1):
            digits = tuple(range(begin, others - first, 2))
            if digits:
                found.append((first, digits))
    return found
