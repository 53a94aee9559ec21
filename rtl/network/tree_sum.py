"""Sums of floating point: one for each window of lines, with a stated order of additions."""

from amaranth.hdl import Const, Module, Mux, Signal, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.float.adder import FloatAdder
from rtl.network.plan import log2
from rtl.stream.beat import split
from rtl.stream.line import line


class TreeSum(wiring.Component):
    """Adds the floating-point numbers of a window, a line in every cycle.

    Rounding makes the order of additions part of the result. Here it is that of a binary tree over
    the numbers that tuples have, whatever the lines are: **tuple n is leaf n, and a node is the sum
    of its left and its right half; what is not of the window is left out.** With [a, b) for the sum
    of the window's tuples from a to before b, and k as small as can be::

        [a, b) = [a, m) + [m, b)   where m, a multiple of 2**k, lies between a and b

    So the tuples 3 to 9 make (x3 + ((x4 + x5) + (x6 + x7))) + (x8 + x9): halved at 8, then at 4 and
    so on. In a window of n tuples in a row each is rounded at most ceil(log2(n)) + 1 times. Lanes
    have the numbers of their tuples modulo the lanes, so each line is a node, and so are two lines
    of which the first has an even number::

        lane 0 --+                   line 0 --+
        lane 1 --+--+                line 1 --+--+
        lane 2 --+  |                line 2 --+  |
        lane 3 --+--+--> line        line 3 --+--+--> ...

             in a cycle                  one after the other

    For lines there is an adder to each level of the tree, too. In front of it a *slot* waits with a
    left half until the right one comes; a slot without one holds -0, and so does a lane that is not
    of the window, for x + -0 is x. A window's last line sends on what is there: a left half
    without a right one. The next window's first line may come in the very next cycle. Of lines 3
    to 6, a node by the numbers of its lines::

        level 0   3 (+ -0)       4 waits      4 + 5    6 (+ -0), last
        level 1   3 (+ -0)                    45 waits  45 + 6, last
        level 2   3 waits                              3 + 456, last

    Moves as one: while ``o`` stalls with a sum on offer nothing moves, and ``i`` stalls. Order is
    kept. A window without any value has the sum -0; one with a NaN, or with infinities of both
    signs, has :class:`~rtl.float.format.Format`'s ``nan``.

    Latency from a window's last line to its sum: an adder's 5 cycles for each level, which are
    ``log2(lanes)``, and with more than one of ``lines`` ``ceil(log2(lines - 1)) + 1``.
    Initiation interval 1 cycle: a line, so also a window, in every cycle.

    Parameters
    ----------
    format_ : Format
    lanes : int
        A power of two.
    lines : int
        Of the largest window.
    passenger : ShapeLike
        What goes along with each window; that of its last line.

    Members
    -------
    i : In(stream.Signature(line(format_.width, lanes, lines=lines, passenger=passenger)))
    o : Out(stream.Signature(sum_payload(format_, passenger)))

    Source: pairwise summation is the usual one; the tree over numbers of tuples is ours.
    """

    initiation_interval = 1

    def __init__(self, format_, lanes, lines, *, passenger=0):
        self._format, self._lanes, self._lines = format_, lanes, lines
        self._lane_levels, self._line_levels = log2(lanes), line_levels(lines)
        self._beside = data.StructLayout(
            {"number": self._line_levels, "last": 1, "passenger": passenger}
        )
        arriving = line(unsigned(format_.width), lanes, passenger=passenger, lines=lines)
        given = sum_payload(format_, passenger)
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(given))})

    @staticmethod
    def latency_of(lanes, lines):
        """An adder's for each level."""
        return FloatAdder.latency * (log2(lanes) + line_levels(lines))

    @property
    def latency(self):
        return self.latency_of(self._lanes, self._lines)

    def elaborate(self, platform):
        m = Module()
        enable = Signal()
        valid, beside = self._enter(m, enable)
        tuples = split(m, self.i.p.tuples, "tuple")
        nothing = Const(self._format.minus_zero, self._format.width)
        values = [Mux(self.i.p.valid[lane], value, nothing) for lane, value in enumerate(tuples)]
        for level in range(self._lane_levels):
            pairs = zip(values[::2], values[1::2], strict=True)
            values = [
                self._add(m, f"lane{level}_{k}", enable, *pair) for k, pair in enumerate(pairs)
            ]
            valid, beside = self._wait(m, f"lane{level}", enable, valid, beside)
        (value,) = values
        for level in range(self._line_levels):
            value, valid, beside = self._pair(m, f"line{level}", enable, value, valid, beside)
        m.d.comb += [
            self.o.valid.eq(valid),
            self.o.p.sum.eq(value),
            self.o.p.passenger.eq(beside.passenger),
            enable.eq(self.o.ready | ~valid),
            self.i.ready.eq(enable),
        ]
        return m

    def _enter(self, m, enable):
        """What goes beside a line; its number is counted from that of its window's first one."""
        arriving, beside = self.i.p, Signal(self._beside)
        m.d.comb += [
            beside.last.eq(arriving.last),
            beside.passenger.eq(
                arriving.passenger if "passenger" in arriving.shape().members else 0
            ),
        ]
        if self._line_levels:
            begun, following = Signal(), Signal.like(beside.number)
            first = arriving.number[: self._line_levels - 1]
            m.d.comb += beside.number.eq(Mux(begun, following, first))
            with m.If(self.i.valid & enable):
                m.d.sync += [begun.eq(~arriving.last), following.eq(beside.number + 1)]
        return self.i.valid, beside

    def _pair(self, m, name, enable, value, valid, beside):
        """A level of the tree over lines: adds a right half to the left one that waits for it."""
        slot = Signal(self._format.width, name=f"{name}_slot", init=self._format.minus_zero)
        waits = ~beside.number[0] & ~beside.last
        with m.If(enable & valid):
            m.d.sync += slot.eq(Mux(waits, value, self._format.minus_zero))
        upper = Signal(self._beside, name=f"{name}_beside")
        m.d.comb += [upper.eq(beside), upper.number.eq(beside.number >> 1)]
        total = self._add(m, name, enable, slot, value)
        return total, *self._wait(m, name, enable, valid & ~waits, upper)

    def _add(self, m, name, enable, left, right):
        m.submodules[name] = adder = FloatAdder(self._format)
        m.d.comb += [adder.enable.eq(enable), adder.left.eq(left), adder.right.eq(right)]
        return adder.sum

    def _wait(self, m, name, enable, valid, beside):
        """The same as late as an adder's sum."""
        for step in range(FloatAdder.latency):
            is_valid = Signal(name=f"{name}_valid{step}")
            later = Signal(self._beside, name=f"{name}_later{step}", reset_less=True)
            with m.If(enable):
                m.d.sync += [is_valid.eq(valid), later.eq(beside)]
            valid, beside = is_valid, later
        return valid, beside


def sum_payload(format_, passenger):
    """Payload of what a :class:`TreeSum` gives: ``sum`` and ``passenger``."""
    return data.StructLayout({"sum": unsigned(format_.width), "passenger": passenger})


def line_levels(lines):
    """Levels of the tree over windows of up to so many lines.

    With k levels below the topmost a window goes over one multiple of 2**k at most, and the topmost
    one adds what lies on both sides of it. So from line 3 on there may be 5 with k = 2: 3, 4 to 7.
    """
    return ceil_log2(lines - 1) + 1 if lines > 1 else 0
