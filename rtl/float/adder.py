"""Addition of floating point, pipelined."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.stream.order import descends, equal
from rtl.stream.zeros import leading_zeros, one_below


class FloatAdder(wiring.Component):
    """Computes ``left + right``, rounded once to nearest, ties to even; one per enabled cycle.

    The sum follows IEEE-754 bit by bit: operands and sums may be subnormal, an overflow is an
    infinity, x + -x is +0, and only the sum of two -0 is -0. The sum of infinities of both signs is
    a NaN, and so is any sum with a NaN, always ``format_.nan``. So only the bits of a NaN may
    differ from another machine's result (the NaN of x86 has its sign set).

    ::

        order  -->  align  -->  add  -->  count  -->  round
        which is    the small   a carry   zeros in    shift left,
        large       >> shift    chain     front       a carry chain

    The sum has three more bits below the last bit of the mantissa. The lowest of the three is
    sticky: the bit is set if a 1 was shifted out below. Three bits are enough: if a difference has
    more than one leading zero, the operands were aligned by at most one place, so no bit was lost.
    A subnormal number has exponent 1, like the least normal numbers, and no leading one, so a left
    shift stops at exponent 1. For example 1.25 - 1.5 * 2**-4 with 3 bits of mantissa::

        order     1.010 and 1.100, exponents 4 apart
        align     1.010 000 and 0.000 110, no bit lost
        add       1.001 010
        round     1.001 and less than half of its last bit: 1.125

    While ``enable`` is low all registers hold. Latency 5 enabled cycles, initiation interval 1. On
    an UltraScale+, double: 974 LUTs and 541 registers, 8 LUTs deep plus carry chains.

    Parameters
    ----------
    format_ : Format

    Members
    -------
    enable : In(1)
    left : In(format_.width)
    right : In(format_.width)
    sum : Out(format_.width)

    Source: IEEE 754-2019, 5.4.1 and 6; the structure is common.
    """

    latency = 5
    initiation_interval = 1

    def __init__(self, format_):
        self._format = format_
        width = format_.width
        super().__init__(
            {"enable": In(1), "left": In(width), "right": In(width), "sum": Out(width)}
        )

    def elaborate(self, platform):
        m = Module()
        values = {"left": self.left, "right": self.right}
        for stage in (self._order, self._align, self._add, self._count, self._round):
            level = stage.__name__.removeprefix("_")
            registers = {}
            for name, value in stage(m, **values).items():
                registers[name] = Signal(len(value), name=f"{level}_{name}", reset_less=True)
                with m.If(self.enable):
                    m.d.sync += registers[name].eq(value)
            values = registers
        m.d.comb += self.sum.eq(values["sum"])
        return m

    def _order(self, m, left, right):
        """Compares the magnitudes, and subtracts the exponents in both directions."""
        bits = self._format.exponent
        operands = [self._with_one(value) for value in (left, right)]
        exponents = [Signal(bits, name=f"exponent_{side}") for side in ("left", "right")]
        for exponent, value in zip(exponents, operands, strict=True):
            m.d.comb += exponent.eq(self._exponent(value))
        return {
            "left": operands[0],
            "right": operands[1],
            "swapped": descends({"x": right[:-1]}, {"x": left[:-1]}, {"x": False}),
            "same_magnitude": equal(left[:-1], right[:-1]),
            "left_above": (exponents[0] - exponents[1])[:bits],
            "right_above": (exponents[1] - exponents[0])[:bits],
        }

    def _align(self, m, left, right, swapped, same_magnitude, left_above, right_above):
        """Shifts the mantissa of the smaller operand to the exponent of the larger operand."""
        mantissa = self._format.mantissa + 1
        width = mantissa + 3
        large = Signal.like(left)
        small = Signal.like(right)
        distance = Signal.like(left_above)
        wide = Signal(width)
        near = distance[: ceil_log2(width)]
        far = distance[len(near) :].any()
        lost = one_below(wide, near)
        subtract = left[-1] ^ right[-1]
        cancels = subtract & same_magnitude
        m.d.comb += [
            large.eq(Mux(swapped, right, left)),
            small.eq(Mux(swapped, left, right)),
            distance.eq(Mux(swapped, right_above, left_above)),
            wide.eq(Cat(Const(0, 3), small[:mantissa])),
        ]
        # ``far``: the smaller operand is too small to change the rounded sum.
        shifted = Mux(far, 0, wide >> near)
        infinite, both_infinite = (value[mantissa:-1].all() for value in (large, small))
        return {
            # The greater magnitude determines the sign, but +0 + -0 and x - x are +0.
            "sign": large[-1] & ~cancels,
            "subtract": subtract,
            "exponent": Mux(cancels, 0, self._exponent(large)),
            "large": large[:mantissa],
            "small": Cat(shifted[0] | lost, shifted[1:]),
            "infinite": infinite,
            "nan": infinite & (large[: mantissa - 1].any() | (both_infinite & subtract)),
        }

    def _add(self, m, sign, subtract, exponent, large, small, infinite, nan):
        """Adds or subtracts the mantissas; the result is never negative.

        ``marked`` is the result with one more bit set, which a left shift by ``exponent`` moves to
        the front. So its leading zeros never exceed ``exponent``, which limits the shift.
        """
        width = len(small) + 1
        term = Cat(small, 0) ^ subtract.replicate(width)
        # A bit below the lowest one is added to both terms, as carry: -small is ~small + 1.
        total = Signal(width + 2)
        m.d.comb += total.eq(Cat(subtract, Const(0, 3), large) + Cat(subtract, term))
        mark = Cat(exponent == k for k in reversed(range(width)))
        return {
            "sign": sign,
            "exponent": exponent,
            "total": total[1 : width + 1],
            "marked": total[1 : width + 1] | mark,
            "infinite": infinite,
            "nan": nan,
        }

    def _count(self, m, sign, exponent, total, marked, infinite, nan):
        """Counts the leading zeros of the sum; a sum without leading zero may overflow."""
        width = len(total)
        padded = Cat(Const(0, (1 << ceil_log2(width)) - width), marked)
        greatest = (1 << self._format.exponent) - 2
        return {
            "sign": sign,
            "exponent": exponent,
            "total": total,
            "lead": leading_zeros(padded),
            "infinite": infinite | (total[-1] & (exponent == greatest)),
            "nan": nan,
        }

    def _round(self, m, sign, exponent, total, lead, infinite, nan):
        """Normalises, rounds and packs the sum.

        The leading one adds 1 to the exponent field; a mantissa rounded up to 10.000 does as well.
        """
        shifted = Signal.like(total)
        bits = self._format.exponent
        sticky = shifted[:3]
        half = shifted[3]
        mantissa = shifted[4:]
        up = Signal()
        field = Signal(bits)
        m.d.comb += [
            shifted.eq(total << lead),
            up.eq(half & (sticky.any() | mantissa[0])),
            field.eq(exponent - lead),
        ]
        packed = Cat(up, Const(0, self._format.mantissa), field) + Cat(up, mantissa)
        special = Mux(nan, self._format.nan, self._format.infinity)
        return {
            "sum": Cat(Mux(nan | infinite, special, packed[1:])[: len(self.sum) - 1], sign & ~nan)
        }

    def _with_one(self, value):
        """Returns ``value`` with the implicit leading bit between mantissa and exponent."""
        mantissa = value[: self._format.mantissa]
        exponent = value[self._format.mantissa : -1]
        return Cat(mantissa, exponent.any(), exponent, value[-1])

    def _exponent(self, value):
        """Returns the exponent of a value of :meth:`_with_one`; subnormal numbers have 1."""
        one = value[self._format.mantissa]
        field = value[self._format.mantissa + 1 : -1]
        return Cat(field[0] | ~one, field[1:])
