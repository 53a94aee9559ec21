"""Pipelined division of floating point by whole numbers, for averages."""

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal, signed
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import ceil_log2

from rtl.aggregate.division import quotient_digits
from rtl.stream.zeros import leading_zeros

#: Digits of a quotient in a register level.
STEP = 2


class FloatDivider(wiring.Component):
    """``dividend / divisor``, rounded once to nearest, ties to even; one begins in each cycle.

    What IEEE-754 says of a division by a positive whole number: a quotient that is subnormal is
    rounded where it is, the sign is the dividend's, zeros and infinities stay what they are. A NaN
    gives ``format_.nan``. With a divisor of 0 the quotient is undefined.

    ::

        unpack --> align --> digits --> normal --> sink --> round
        count      ones to   two in     a one to   of what  a carry
        zeros      the top   a cycle    the top    is tiny  chain

    A mantissa m of p bits and a divisor d of w bits have a one on top when they are aligned. Then
    m * 2**(w + 1) / d has p + 1 or p + 2 bits: with a one on top p of the result, and two behind
    them, beside which all that matters is whether anything is left. For example 1.0 / 3 with p = 3
    and w = 2: 100000 / 11, in binary, is 1010, and something is left; p + 1 bits, so it is less
    than 1 / 2: 0.0101, rounded from 0.01010 and more.

    While ``enable`` is low nothing moves. Latency ``5 + ceil((p + 2) / 2)`` enabled cycles: 33 for
    double, 18 for float. Initiation interval 1.

    Parameters
    ----------
    format_ : Format
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
        width, divisor = format_.width, Shape.cast(divisor)
        if divisor.signed:
            raise ValueError(f"divisor must be unsigned, not {divisor!r}")
        # An exponent, less as many bits as the dividend and the divisor have.
        bits = max(format_.exponent, divisor.width.bit_length(), format_.mantissa.bit_length())
        self._power = signed(bits + 2)
        super().__init__(
            {"enable": In(1), "dividend": In(width), "divisor": In(divisor), "quotient": Out(width)}
        )

    @staticmethod
    def latency_of(format_):
        """Latency for numbers of this format."""
        return 5 + -(-(format_.mantissa + 3) // STEP)

    @property
    def latency(self):
        return self.latency_of(self._format)

    def elaborate(self, platform):
        m = Module()

        def register(value, name):
            held = Signal(value.shape(), name=name, reset_less=True)
            with m.If(self.enable):
                m.d.sync += held.eq(value)
            return held

        values = {"dividend": self.dividend, "divisor": self.divisor}
        for stage in (self._unpack, self._align, self._digits, self._normal, self._sink):
            level = stage.__name__.removeprefix("_")
            values = stage(m, register, **values)
            if stage != self._digits:  # which has levels of its own
                values = {name: register(v, f"{level}_{name}") for name, v in values.items()}
        m.d.comb += self.quotient.eq(register(self._round(m, **values), "quotient_out"))
        return m

    def _unpack(self, m, register, dividend, divisor):
        """The parts of a number, and the zeros on top of both."""
        places = self._format.mantissa
        field, one = dividend[places:-1], Signal()
        m.d.comb += one.eq(field.any())
        mantissa = Cat(dividend[:places], one)
        special, some = field.all(), dividend[:places].any()
        return {
            "beside": Cat(dividend[-1], ~mantissa.any(), special & ~some, special & some),
            "mantissa": mantissa,
            "divisor": divisor,
            "exponent": Cat(field[0] | ~one, field[1:]),
            "above": _zeros(mantissa),
            "over": _zeros(divisor),
        }

    def _align(self, m, register, beside, mantissa, divisor, exponent, above, over):
        """Ones to the top; ``power`` is the quotient's exponent, if that is at least 1."""
        power = Signal(self._power)
        m.d.comb += power.eq(exponent - above + over - (len(divisor) - 1))
        return {
            "beside": beside,
            "mantissa": (mantissa << above)[: len(mantissa)],
            "divisor": (divisor << over)[: len(divisor)],
            "power": power,
        }

    def _digits(self, m, register, beside, mantissa, divisor, power):
        dividend = Cat(Const(0, len(divisor) + 1), mantissa)
        remainder, digits, divisor, carried = quotient_digits(
            m,
            register,
            dividend,
            divisor,
            Cat(beside, power),
            width=len(mantissa) + 2,
            step=STEP,
        )
        return {
            "beside": carried[: len(beside)],
            "power": carried[len(beside) :].as_signed(),
            "digits": ~digits,
            "remainder": remainder,
            "divisor": divisor,
        }

    def _normal(self, m, register, beside, power, digits, remainder, divisor):
        """A one to the top; ``left``, something is, behind the digits."""
        rest = Signal(len(remainder))
        high, exponent = digits[-1], Signal(self._power)
        m.d.comb += [
            rest.eq(remainder + Mux(remainder[-1], divisor, 0)),
            exponent.eq(power - ~high),
        ]
        return {
            "beside": beside,
            "exponent": exponent,
            "digits": Cat(rest.any(), Mux(high, digits, Cat(0, digits[:-1]))),
        }

    def _sink(self, m, register, beside, exponent, digits):
        """What is below the least exponent, 1, is shifted down to it."""
        width = len(digits)
        distance, low = Signal(self._power), Signal()
        m.d.comb += [distance.eq(1 - exponent), low.eq(exponent < 1)]
        near = Mux(low, distance[: ceil_log2(width)], 0)
        far = low & distance[len(near) : -1].any()
        lost = (digits & ~(Const((1 << width) - 1, width) << near)).any() | far
        shifted = Mux(far, 0, digits >> near)
        return {
            "beside": beside,
            "field": Mux(low, 0, exponent[: self._format.exponent]),
            "digits": Cat(shifted[0] | lost, shifted[1:]),
        }

    def _round(self, m, beside, field, digits):
        """A mantissa that becomes 10.000 adds 1 to the exponent."""
        sign, zero, infinite, nan = beside
        rest, half, mantissa = digits[:2], digits[2], digits[3:]
        up, packed = Signal(), Signal(len(self.quotient) - 1)
        m.d.comb += [
            up.eq(half & (rest.any() | mantissa[0])),
            packed.eq(Cat(mantissa[:-1], field) + up),
        ]
        special = Mux(nan, self._format.nan, Mux(infinite, self._format.infinity, 0))
        return Cat(Mux(nan | infinite | zero, special, packed)[: len(packed)], sign & ~nan)


def _zeros(value):
    """How many are on top of a value."""
    width = 1 << ceil_log2(len(value))
    return leading_zeros(Cat(Const(0, width - len(value)), value))
