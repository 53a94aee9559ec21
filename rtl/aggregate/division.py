"""Divides in a pipeline, for averages."""

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out


class Divider(wiring.Component):
    """Divides, rounding toward zero; one division starts in every enabled cycle.

    The method is non-restoring division of magnitudes, ``step`` quotient bits per register level,
    most significant bit first. Each bit shifts the next dividend bit into the remainder, and then
    subtracts the divisor, or adds the divisor if the remainder was negative. So each bit costs one
    adder and no multiplexer. The quotient bit is 1 if the new remainder is not negative. For
    instance 13 / 4, with 13 = 1101::

        dividend bit      1               1                0               1
        remainder         0 + 1 - 4 = -3  -6 + 1 + 4 = -1  -2 + 0 + 4 = 2  4 + 1 - 4 = 1
        quotient bit      0               0                1               1

    The quotient must fit its shape, as an average does. Then the upper part of the dividend is less
    than the divisor, and only the quotient's bits are computed. With a divisor of 0 the quotient is
    undefined.

    While ``enable`` is low all registers hold. Latency ``2 + ceil(width / step)`` enabled cycles,
    with the ``width`` of the quotient; initiation interval 1.

    Parameters
    ----------
    dividend, quotient : ShapeLike
        Both signed or both unsigned; the dividend has at least as many bits as the quotient.
    divisor : ShapeLike
        Unsigned.
    step : int
        Quotient bits per register level; more bits save registers and add depth.

    Members
    -------
    enable : In(1)
    dividend : In(dividend)
    divisor : In(divisor)
    quotient : Out(quotient)
    """

    initiation_interval = 1

    def __init__(self, dividend, divisor, quotient, *, step=2):
        dividend, divisor, quotient = (Shape.cast(s) for s in (dividend, divisor, quotient))
        if divisor.signed:
            raise ValueError(f"divisor must be unsigned, not {divisor!r}")
        if dividend.signed != quotient.signed:
            raise ValueError(
                f"dividend and quotient must have one signedness, not {dividend!r} and {quotient!r}"
            )
        if dividend.width < quotient.width:
            raise ValueError(
                f"dividend must have at least the quotient's {quotient.width} bits, not "
                f"{dividend.width}"
            )
        if not isinstance(step, int) or step < 1:
            raise ValueError(f"step must be an integer of at least 1, not {step!r}")
        super().__init__(
            {
                "enable": In(1),
                "dividend": In(dividend),
                "divisor": In(divisor),
                "quotient": Out(quotient),
            }
        )
        self._step = step

    @property
    def latency(self):
        return self.latency_of(len(self.quotient), self._step)

    @staticmethod
    def latency_of(width, step=2):
        """Latency for a quotient of ``width`` bits, in cycles."""
        return 2 + -(-width // step)

    def elaborate(self, platform):
        m = Module()
        width = len(self.quotient)
        signed = self.dividend.shape().signed

        def register(value, name):
            out = Signal(value.shape(), name=name, reset_less=True)
            with m.If(self.enable):
                m.d.sync += out.eq(value)
            return out

        negative = register(self.dividend[-1] & signed, "negative_in")
        magnitude = register(abs(self.dividend) if signed else self.dividend, "magnitude_in")
        divisor = register(self.divisor, "divisor_in")
        _, lower_bits, _, negative = quotient_digits(
            m, register, magnitude, divisor, negative, width=width, step=self._step
        )
        quotient = Mux(negative, lower_bits + 1, ~lower_bits)[:width]
        m.d.comb += self.quotient.eq(register(quotient, "quotient_out"))
        return m


def quotient_digits(m, register, dividend, divisor, carried, *, width, step):
    """Builds the levels of a division of magnitudes, each of which computes ``step`` digits.

    The quotient has ``width`` bits. The value ``carried`` passes through the levels unchanged;
    ``register(value, name)`` adds a register.

    Returns (remainder, digits, divisor, carried) at the output of the last level. The digits are
    the inverted bits of the quotient. The remainder is signed and 1 bit wider than the divisor. A
    negative remainder is too small by one divisor, which the caller must add.
    """
    # ``remainder`` is in two's complement: at least minus the divisor, and less than the divisor.
    # ``lower_bits`` has the remaining dividend bits on top, and below them the digits so far, the
    # signs of earlier remainders.
    bits = len(divisor) + 1
    remainder = Cat(dividend[width:], Const(0, bits))[:bits]
    lower_bits = dividend[:width]
    for level in range(-(-width // step)):
        for place in range(min(step, width - level * step)):
            # After a subtraction of too much the next digit adds the divisor: the digit subtracts
            # the inverted divisor, and a borrow from the lowest bit.
            negative_remainder = remainder[-1]
            term = Cat(divisor, 0) ^ negative_remainder.replicate(bits)
            # The additional lowest bit makes the borrow, so both operations share one carry chain.
            # ``total`` is a signal, because Verilog would repeat a plain expression at each use.
            total = Signal(bits + 1, name=f"total{level}_{place}")
            m.d.comb += total.eq(
                Cat(0, lower_bits[-1], remainder[:-1]) - Cat(negative_remainder, term)
            )
            remainder = total[1 : bits + 1]
            lower_bits = Cat(remainder[-1], lower_bits[:-1])
        remainder = register(remainder, f"remainder{level}")
        lower_bits = register(lower_bits, f"rest{level}")
        divisor = register(divisor, f"divisor{level}")
        carried = register(carried, f"carried{level}")
    return remainder, lower_bits, divisor, carried
