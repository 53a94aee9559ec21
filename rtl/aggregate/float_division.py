"""Divides floating-point numbers by whole numbers in a pipeline, for averages."""

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal, signed
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.aggregate.division import quotient_digits
from rtl.stream.zeros import leading_zeros, one_below

#: Digits of a quotient per register level.
STEP = 2


class FloatDivider(wiring.Component):
    """Computes ``dividend / divisor``, rounded once to nearest, ties to even; one per cycle.

    The quotient follows IEEE-754 for a positive whole divisor: a subnormal quotient is rounded at
    its own precision, the sign is the dividend's, zeros and infinities are unchanged. The quotient
    of a NaN is ``format_.nan``. With a divisor of 0 the quotient is undefined.

    ::

        unpack --> align --> digits --> normal --> sink --> round
        count      ones to   two per    a one to   subnor-  a carry
        zeros      the top   cycle      the top    mals     chain

    After alignment a mantissa m of p bits and a divisor d of w bits have a one on top. Then
    m * 2**(w + 1) / d has p + 2 bits, or p + 1 bits if 1.xxx of m is less than 1.xxx of d. Shifted
    to a one on top, the bits are the p bits of the result and two more bits; rounding needs these
    two bits, and whether a remainder is left. For example 1.0 / 3 with p = 3 and w = 2, in binary:
    m is 100, d is 11, and 100000 / 11 is 1010 with a remainder. It has p + 1 bits, because 1.00 is
    less than 1.1. So the quotient is 0.01010 and a remainder, rounded to 0.0101.

    While ``enable`` is low all registers hold. Latency ``5 + ceil((p + 2) / 2)`` enabled cycles: 33
    for double with p = 53, 18 for float with p = 24. Initiation interval 1.

    Parameters
    ----------
    format_ : Format
        Format of dividend and quotient.
    divisor : ShapeLike
        Unsigned.

    Members
    -------
    enable : In(1)
    dividend : In(format_.width)
    divisor : In(divisor)
    quotient : Out(format_.width)

    Source: IEEE 754-2019, 5.4.1 and 6; the digits are :class:`~rtl.aggregate.division.Divider`'s.
    """

    initiation_interval = 1

    def __init__(self, format_, divisor):
        self._format = format_
        width = format_.width
        divisor = Shape.cast(divisor)
        if divisor.signed:
            raise ValueError(f"divisor must be unsigned, not {divisor!r}")
        # Wide enough for an exponent minus the widths of mantissa and divisor.
        bits = max(format_.exponent, divisor.width.bit_length(), format_.mantissa.bit_length())
        self._power = signed(bits + 2)
        super().__init__(
            {"enable": In(1), "dividend": In(width), "divisor": In(divisor), "quotient": Out(width)}
        )

    @staticmethod
    def latency_of(format_):
        """Latency for numbers of the format, in cycles."""
        return 5 + -(-(format_.mantissa + 3) // STEP)

    @property
    def latency(self):
        return self.latency_of(self._format)

    def elaborate(self, platform):
        m = Module()

        def register(value, name):
            """Returns a register that takes the value while ``enable`` is high."""
            stage_register = Signal(value.shape(), name=name, reset_less=True)
            with m.If(self.enable):
                m.d.sync += stage_register.eq(value)
            return stage_register

        values = {"dividend": self.dividend, "divisor": self.divisor}
        for stage in (self._unpack, self._align, self._digits, self._normal, self._sink):
            level = stage.__name__.removeprefix("_")
            values = stage(m, register, **values)
            if stage != self._digits:  # ``_digits`` has registers of its own
                values = {name: register(v, f"{level}_{name}") for name, v in values.items()}
        m.d.comb += self.quotient.eq(register(self._round(m, **values), "quotient_out"))
        return m

    def _unpack(self, m, register, dividend, divisor):
        """Splits the dividend into its parts, and counts leading zeros of mantissa and divisor.

        The mantissa has its first bit before the point, which is 0 for a subnormal number.
        """
        places = self._format.mantissa
        field = dividend[places:-1]
        is_normal = Signal()
        m.d.comb += is_normal.eq(field.any())
        mantissa = Cat(dividend[:places], is_normal)
        special = field.all()
        has_fraction = dividend[:places].any()
        return {
            "flags": Cat(
                dividend[-1], ~mantissa.any(), special & ~has_fraction, special & has_fraction
            ),
            "mantissa": mantissa,
            "divisor": divisor,
            "exponent": Cat(field[0] | ~is_normal, field[1:]),
            # ``is_normal`` is known late, so the zeros below it are counted at the same time.
            "mantissa_zeros": Mux(is_normal, 0, _zeros(Cat(dividend[:places], Const(0, 1)))),
            "divisor_zeros": _zeros(divisor),
        }

    def _align(
        self, m, register, flags, mantissa, divisor, exponent, mantissa_zeros, divisor_zeros
    ):
        """Shifts the leading ones of mantissa and divisor to the top.

        ``power`` is the quotient's exponent, or 1 more than the exponent if the shifted mantissa is
        less than the shifted divisor, both read as 1.xxx.
        """
        power = Signal(self._power)
        m.d.comb += power.eq(exponent - mantissa_zeros + divisor_zeros - (len(divisor) - 1))
        return {
            "flags": flags,
            "mantissa": (mantissa << mantissa_zeros)[: len(mantissa)],
            "divisor": (divisor << divisor_zeros)[: len(divisor)],
            "power": power,
        }

    def _digits(self, m, register, flags, mantissa, divisor, power):
        """Divides; the digits are the p + 2 bits of the quotient, of which the highest may be 0.

        A negative remainder is too small by one divisor.
        """
        dividend = Cat(Const(0, len(divisor) + 1), mantissa)
        remainder, digits, divisor, carried = quotient_digits(
            m,
            register,
            dividend,
            divisor,
            Cat(flags, power),
            width=len(mantissa) + 2,
            step=STEP,
        )
        return {
            "flags": carried[: len(flags)],
            "power": carried[len(flags) :].as_signed(),
            "digits": ~digits,
            "remainder": remainder,
            "divisor": divisor,
        }

    def _normal(self, m, register, flags, power, digits, remainder, divisor):
        """Shifts the leading one to the top, and appends a bit that is 1 if a remainder is left."""
        rest = Signal(len(remainder))  # the remainder, at least 0
        has_all_bits = digits[-1]
        exponent = Signal(self._power)
        m.d.comb += [
            rest.eq(remainder + Mux(remainder[-1], divisor, 0)),
            exponent.eq(power - ~has_all_bits),
        ]
        return {
            "flags": flags,
            "exponent": exponent,
            "digits": Cat(rest.any(), Mux(has_all_bits, digits, Cat(0, digits[:-1]))),
        }

    def _sink(self, m, register, flags, exponent, digits):
        """Shifts a quotient with an exponent below 1, the least exponent, right to exponent 1.

        The lowest bit of the result is also 1 if the shift loses a 1.
        """
        width = len(digits)
        distance = Signal(self._power)
        is_subnormal = Signal()
        m.d.comb += [distance.eq(1 - exponent), is_subnormal.eq(exponent < 1)]
        shift = Mux(is_subnormal, distance[: ceil_log2(width)], 0)
        loses_all = is_subnormal & distance[len(shift) : -1].any()  # the distance exceeds ``shift``
        loses_one = one_below(digits, shift) | loses_all
        shifted = Mux(loses_all, 0, digits >> shift)
        return {
            "flags": flags,
            "field": Mux(is_subnormal, 0, exponent[: self._format.exponent]),
            "digits": Cat(shifted[0] | loses_one, shifted[1:]),
        }

    def _round(self, m, flags, field, digits):
        """Rounds and packs; a mantissa that becomes 10.000 adds 1 to the exponent."""
        sign, zero, infinite, nan = flags
        below_half = digits[:2]
        half = digits[2]
        mantissa = digits[3:]
        up = Signal()
        packed = Signal(len(self.quotient) - 1)
        m.d.comb += [
            up.eq(half & (below_half.any() | mantissa[0])),
            packed.eq(Cat(mantissa[:-1], field) + up),
        ]
        special = Mux(nan, self._format.nan, Mux(infinite, self._format.infinity, 0))
        return Cat(Mux(nan | infinite | zero, special, packed)[: len(packed)], sign & ~nan)


def _zeros(value):
    """Returns the number of leading zeros of a value of any width; undefined for 0."""
    width = 1 << ceil_log2(len(value))
    return leading_zeros(Cat(Const(0, width - len(value)), value))
