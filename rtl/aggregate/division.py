"""Pipelined division, for averages."""

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out


class Divider(wiring.Component):
    """Divides, rounding toward zero; one division starts in every enabled cycle.

    The method is non-restoring division of magnitudes, ``step`` quotient bits per register level,
    most significant bit first: a step adds if the previous step subtracted too much, so each bit
    costs one adder and no multiplexer. The quotient must fit its shape, as an average does. Then
    the upper part of the dividend is less than the divisor, and only the quotient's bits are
    computed. With a divisor of 0 the quotient is undefined.

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
    """Builds the levels of a division of magnitudes, with ``step`` of ``width`` digits per level.

    The quotient has ``width`` bits. ``carried`` passes through the levels unchanged;
    ``register(value, name)`` adds a register.

    Returns (remainder, digits, divisor, carried) at the output of the last level. The digits are
    the inverted bits of the quotient. The remainder is signed and 1 bit wider than the divisor; a
    negative remainder lacks one divisor, which must be added back.
    """
    # Upper part: remainder so far, two's complement, from minus the divisor to less than it.
    # Lower part: dividend bits to come, then quotient bits, inverted: signs of the remainder.
    bits = len(divisor) + 1
    remainder, lower_bits = Cat(dividend[width:], Const(0, bits))[:bits], dividend[:width]
    for level in range(-(-width // step)):
        for place in range(min(step, width - level * step)):
            negative_remainder = remainder[
                -1
            ]  # the previous step subtracted too much: this step adds
            term = Cat(divisor, 0) ^ negative_remainder.replicate(bits)
            # The lowest bit cancels the borrow: one carry chain for both operations. A signal,
            # because Verilog would repeat a plain expression at each use.
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
