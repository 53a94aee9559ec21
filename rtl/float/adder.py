"""Addition of floating point, pipelined."""

from amaranth.hdl import Cat, Const, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.stream.order import descends, equal
from rtl.stream.zeros import leading_zeros


class FloatAdder(wiring.Component):
    """``left + right``, rounded once to nearest, ties to even; one begins in each enabled cycle.

    What IEEE-754 says of addition, bit by bit: subnormal numbers go in and come out, an overflow is
    an infinity, x + -x is +0, and -0 only the sum of two -0. Infinities of both signs have no sum:
    that is a NaN, and so is all that a NaN is added to, always ``format_.nan``. So of all results
    only a NaN's bits may differ from another machine's (x86 gives this one with the sign set).

    ::

        order  -->  align  -->  add  -->  count  -->  round
        which is    the small   a carry   zeros in    shift left,
        large       >> shift    chain     front       a carry chain

    Behind the last bit of the mantissa the sum has three more: all that is shifted out beyond them
    is one of them, set if any of it was. That is enough: where more than one zero is in front of a
    difference, its parts were shifted against each other by one place at most, and nothing was
    lost. A subnormal number has the exponent 1, as the least normal ones do, and no leading one, so
    no shift to the left goes further than to the exponent 1. For example 1.25 - 1.5 * 2**-4, of 3
    bits of mantissa::

        order     1.010 and 1.100, the exponents apart by 4
        align     1.010 000 and 0.000 110, of which nothing was lost
        add       1.001 010
        round     1.001 and less than half of its last bit: 1.125

    While ``enable`` is low nothing moves. Latency 5 enabled cycles, initiation interval 1. On an
    UltraScale+, double: 978 LUTs and 541 registers, 8 LUTs deep beside its carry chains.

    Parameters
    ----------
    format_ : Format

    Members
    -------
    enable : In(1)
    left : In(format_.width)
    right : In(format_.width)
    sum : Out(format_.width)

    Source: IEEE 754-2019, 5.4.1 and 6; the structure is the usual one.
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
            held = {}
            for name, value in stage(m, **values).items():
                held[name] = Signal(len(value), name=f"{level}_{name}", reset_less=True)
                with m.If(self.enable):
                    m.d.sync += held[name].eq(value)
            values = held
        m.d.comb += self.sum.eq(values["sum"])
        return m

    def _order(self, m, left, right):
        """Which magnitude is greater, and how far the exponents are apart, either way."""
        bits = self._format.exponent
        one, other = (self._with_one(value) for value in (left, right))
        exponents = [Signal(bits, name=f"exponent_{side}") for side in ("left", "right")]
        for exponent, value in zip(exponents, (one, other), strict=True):
            m.d.comb += exponent.eq(self._exponent(value))
        return {
            "left": one,
            "right": other,
            "swapped": descends({"x": right[:-1]}, {"x": left[:-1]}, {"x": False}),
            "same": equal(left[:-1], right[:-1]),
            "forth": (exponents[0] - exponents[1])[:bits],
            "back": (exponents[1] - exponents[0])[:bits],
        }

    def _align(self, m, left, right, swapped, same, forth, back):
        """The small mantissa is shifted, to where its bits weigh what those of the large one do."""
        mantissa = self._format.mantissa + 1
        width = mantissa + 3
        large, small = Signal.like(left), Signal.like(right)
        distance, wide = Signal.like(forth), Signal(width)
        near = distance[: ceil_log2(width)]
        far = distance[len(near) :].any()
        lost = (wide & ~(Const((1 << width) - 1, width) << near)).any()
        subtract = left[-1] ^ right[-1]
        cancels = subtract & same
        m.d.comb += [
            large.eq(Mux(swapped, right, left)),
            small.eq(Mux(swapped, left, right)),
            distance.eq(Mux(swapped, back, forth)),
            wide.eq(Cat(Const(0, 3), small[:mantissa])),
        ]
        shifted = Mux(far, 0, wide >> near)  # far less than half of the last bit: it has no say
        infinite, both = (value[mantissa:-1].all() for value in (large, small))
        return {
            # The greater magnitude has its say, but zeros of both signs, and x - x, give +0.
            "sign": large[-1] & ~cancels,
            "subtract": subtract,
            "exponent": Mux(cancels, 0, self._exponent(large)),
            "large": large[:mantissa],
            "small": Cat(shifted[0] | lost, shifted[1:]),
            "infinite": infinite,
            "nan": infinite & (large[: mantissa - 1].any() | (both & subtract)),
        }

    def _add(self, m, sign, subtract, exponent, large, small, infinite, nan):
        """The sum or difference of the mantissas, never negative.

        In ``marked`` the bit is set, too, that a shift by ``exponent`` takes to the front.
        """
        width = len(small) + 1
        term = Cat(small, 0) ^ subtract.replicate(width)
        # What is added to both below the lowest bit is carried into it: -small is ~small + 1.
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
        """How far the sum is to be shifted; without a zero in front it may be an overflow."""
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
        """The leading one adds 1 to the exponent, and so does a mantissa that becomes 10.000."""
        shifted, bits = Signal.like(total), self._format.exponent
        rest, half, mantissa = shifted[:3], shifted[3], shifted[4:]
        up, field = Signal(), Signal(bits)
        m.d.comb += [
            shifted.eq(total << lead),
            up.eq(half & (rest.any() | mantissa[0])),
            field.eq(exponent - lead),
        ]
        packed = Cat(up, Const(0, self._format.mantissa), field) + Cat(up, mantissa)
        special = Mux(nan, self._format.nan, self._format.infinity)
        return {
            "sum": Cat(Mux(nan | infinite, special, packed[1:])[: len(self.sum) - 1], sign & ~nan)
        }

    def _with_one(self, value):
        """With the bit before the point between its exponent and its mantissa."""
        mantissa, exponent = value[: self._format.mantissa], value[self._format.mantissa : -1]
        return Cat(mantissa, exponent.any(), exponent, value[-1])

    def _exponent(self, value):
        """Of such a value; numbers below the normal ones have that of the least of them."""
        one, field = value[self._format.mantissa], value[self._format.mantissa + 1 : -1]
        return Cat(field[0] | ~one, field[1:])
