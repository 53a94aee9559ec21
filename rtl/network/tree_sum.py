"""Sums floating-point numbers of each window of lines, in a fixed order of additions."""

from amaranth.hdl import Const, Module, Mux, Signal, unsigned
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.float.adder import FloatAdder
from rtl.network.plan import log2
from rtl.stream.beat import split
from rtl.stream.line import line


class TreeSum(wiring.Component):
    """Adds the floating-point numbers of a window, one line per cycle.

    Rounding makes the order of additions part of the result. The order is that of a binary tree
    over the tuples' numbers, for any lines: **tuple n is leaf n; a node is the sum of its left and
    its right half; leaves outside the window are left out.** With [a, b) for the sum of the
    window's tuples from a to b - 1, and the greatest possible k::

        [a, b) = [a, m) + [m, b)   where m, a multiple of 2**k, lies between a and b

    So the sum of tuples 3 to 9 is (x3 + ((x4 + x5) + (x6 + x7))) + (x8 + x9): halved at 8, then at
    4, and so on. In a window of n consecutive tuples each tuple is rounded at most
    ceil(log2(n)) + 1 times. Tuple n lies in lane n modulo the lanes, so each line is a node, and
    two lines are a node if the first one's number is even::

        lane 0 --+                   line 0 --+
        lane 1 --+--+                line 1 --+--+
        lane 2 --+  |                line 2 --+  |
        lane 3 --+--+--> line        line 3 --+--+--> ...

             in a cycle                  one after the other

    Each level of the tree over lines has one adder as well. A *slot* in front of the adder stores a
    left half until the right half arrives. An empty slot, and a lane outside the window, hold -0,
    because x + -0 is x. A window's last line passes every level at once, also as a left half
    without a right one. The next window's first line may arrive in the next cycle. For lines 3 to
    6, with nodes written as the numbers of their lines::

        level 0   3 (+ -0)       4 waits      4 + 5    6 (+ -0), last
        level 1   3 (+ -0)                    45 waits  45 + 6, last
        level 2   3 waits                              3 + 456, last

    All stages advance together: while ``o`` stalls with a valid sum nothing advances, and ``i``
    stalls. Order is kept. The sum of a window without values is -0; the sum with a NaN, or with
    infinities of both signs, is the ``nan`` of :class:`~rtl.float.format.Format`.

    Latency from a window's last line to its sum: 5 cycles of an adder per level. Levels:
    ``log2(lanes)``, and for more than one line ``ceil(log2(lines - 1)) + 1`` more.
    Initiation interval 1 cycle: a line, and so possibly a window, per cycle.

    Parameters
    ----------
    format_ : Format
    lanes : int
        A power of two.
    lines : int
        Lines of the largest window.
    passenger : ShapeLike
        Shape of the data that each window carries to its sum, taken from its last line.

    Members
    -------
    i : In(stream.Signature(line(format_.width, lanes, lines=lines, passenger=passenger)))
    o : Out(stream.Signature(sum_payload(format_, passenger)))

    Source: pairwise summation is common; the tree over numbers of tuples is ours.
    """

    initiation_interval = 1

    def __init__(self, format_, lanes, lines, *, passenger=0):
        self._format = format_
        self._lanes = lanes
        self._lines = lines
        self._lane_levels = log2(lanes)
        self._line_levels = line_levels(lines)
        self._side_layout = data.StructLayout(
            {"number": self._line_levels, "last": 1, "passenger": passenger}
        )
        arriving = line(unsigned(format_.width), lanes, passenger=passenger, lines=lines)
        result = sum_payload(format_, passenger)
        super().__init__({"i": In(stream.Signature(arriving)), "o": Out(stream.Signature(result))})

    @staticmethod
    def latency_of(lanes, lines):
        """Latency in cycles: an adder's for each level."""
        return FloatAdder.latency * (log2(lanes) + line_levels(lines))

    @property
    def latency(self):
        return self.latency_of(self._lanes, self._lines)

    def elaborate(self, platform):
        m = Module()
        enable = Signal()
        valid, side = self._enter(m, enable)
        tuples = split(m, self.i.p.tuples, "tuple")
        minus_zero = Const(self._format.minus_zero, self._format.width)
        values = [Mux(self.i.p.valid[lane], value, minus_zero) for lane, value in enumerate(tuples)]
        for level in range(self._lane_levels):
            pairs = zip(values[::2], values[1::2], strict=True)
            values = [
                self._add(m, f"lane{level}_{k}", enable, *pair) for k, pair in enumerate(pairs)
            ]
            valid, side = delayed_by_adder(m, f"lane{level}", enable, valid, side)
        (value,) = values
        for level in range(self._line_levels):
            value, valid, side = self._pair(m, f"line{level}", enable, value, valid, side)
        m.d.comb += [
            self.o.valid.eq(valid),
            self.o.p.sum.eq(value),
            self.o.p.passenger.eq(side.passenger),
            enable.eq(self.o.ready | ~valid),
            self.i.ready.eq(enable),
        ]
        return m

    def _enter(self, m, enable):
        """Returns ``valid`` and the side data of the arriving line.

        Lines are numbered upwards from the number of the window's first line.
        """
        arriving = self.i.p
        side = Signal(self._side_layout)
        m.d.comb += [
            side.last.eq(arriving.last),
            side.passenger.eq(arriving.passenger if "passenger" in arriving.shape().members else 0),
        ]
        if self._line_levels:
            started = Signal()
            following = Signal.like(side.number)
            first = arriving.number[: self._line_levels - 1]
            m.d.comb += side.number.eq(Mux(started, following, first))
            with m.If(self.i.valid & enable):
                m.d.sync += [started.eq(~arriving.last), following.eq(side.number + 1)]
        return self.i.valid, side

    def _pair(self, m, name, enable, value, valid, side):
        """Builds a level of the tree over lines: the stored left half plus the right half."""
        slot = Signal(self._format.width, name=f"{name}_slot", init=self._format.minus_zero)
        stores_left = ~side.number[0] & ~side.last
        with m.If(enable & valid):
            m.d.sync += slot.eq(Mux(stores_left, value, self._format.minus_zero))
        upper = Signal(self._side_layout, name=f"{name}_beside")
        m.d.comb += [upper.eq(side), upper.number.eq(side.number >> 1)]
        total = self._add(m, name, enable, slot, value)
        return total, *delayed_by_adder(m, name, enable, valid & ~stores_left, upper)

    def _add(self, m, name, enable, left, right):
        m.submodules[name] = adder = FloatAdder(self._format)
        m.d.comb += [adder.enable.eq(enable), adder.left.eq(left), adder.right.eq(right)]
        return adder.sum


def delayed_by_adder(m, name, enable, valid, side):
    """Returns ``valid`` and ``side``, the data beside a sum, delayed by the latency of an adder."""
    for step in range(FloatAdder.latency):
        is_valid = Signal(name=f"{name}_valid{step}")
        delayed = Signal(side.shape(), name=f"{name}_later{step}", reset_less=True)
        with m.If(enable):
            m.d.sync += [is_valid.eq(valid), delayed.eq(side)]
        valid = is_valid
        side = delayed
    return valid, side


def sum_payload(format_, passenger):
    """Layout of a :class:`TreeSum`'s result: ``sum`` and ``passenger``."""
    return data.StructLayout({"sum": unsigned(format_.width), "passenger": passenger})


def line_levels(lines):
    """Number of levels of the tree over windows of up to ``lines`` lines.

    With k levels below the topmost level, a window crosses at most one multiple of 2**k, and the
    topmost level adds the sums of both sides. With k = 2, a window from line 3 on can have 5 lines:
    3, and 4 to 7.
    """
    return ceil_log2(lines - 1) + 1 if lines > 1 else 0
