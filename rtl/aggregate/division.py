"""Pipelined division, for averages."""

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out


class Divider(wiring.Component):
    """Quotient rounded toward zero; one division starts in every enabled cycle.

    Non-restoring division of magnitudes, ``step`` quotient bits to a register level, most
    significant bit first: what was subtracted too much is added back in the next step, so each bit
    costs one adder and no multiplexer. The caller promises that the quotient fits its shape, as
    that of a sum by its count does: then the upper part of the dividend is less than the divisor
    from the start, and only the quotient's own bits are worked out. With a divisor of 0 the
    quotient is undefined.

    While ``enable`` is low nothing moves. Latency ``2 + ceil(width / step)`` enabled cycles, where
    ``width`` is the quotient's; initiation interval 1.

    Parameters
    ----------
    dividend, quotient : ShapeLike
        Both signed or both unsigned.
    divisor : ShapeLike
        Unsigned.
    step : int
        Quotient bits per register level: more of them save registers and cost depth.

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
        """Latency for a quotient of ``width`` bits."""
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
        _, rest, _, negative = quotient_digits(
            m, register, magnitude, divisor, negative, width=width, step=self._step
        )
        quotient = Mux(negative, rest + 1, ~rest)[:width]
        m.d.comb += self.quotient.eq(register(quotient, "quotient_out"))
        return m


def quotient_digits(m, register, dividend, divisor, carried, *, width, step):
    """The levels of a division of magnitudes, with ``step`` of ``width`` digits to each.

    For dividends of which the quotient has ``width`` bits. What is ``carried`` goes along, level by
    level; ``register(value, name)`` makes the registers of one.

    Returns (remainder, digits, divisor, carried) as they leave the last level. The digits are the
    quotient's bits, inverted. The remainder is of 1 bit more than the divisor, and signed: where it
    is negative, the divisor was subtracted once too often, and is to be added back.
    """
    # Upper part: remainder so far, two's complement, from minus the divisor to less than it.
    # Lower part: dividend bits to come, then quotient bits, inverted: signs of the remainder.
    bits = len(divisor) + 1
    remainder, rest = Cat(dividend[width:], Const(0, bits))[:bits], dividend[:width]
    for level in range(-(-width // step)):
        for place in range(min(step, width - level * step)):
            less = remainder[-1]  # too much was subtracted: now add
            term = Cat(divisor, 0) ^ less.replicate(bits)
            # The lowest bit takes the borrow out again: one chain, whichever it is. A signal, for
            # the Verilog would repeat a plain expression at each of its uses.
            total = Signal(bits + 1, name=f"total{level}_{place}")
            m.d.comb += total.eq(Cat(0, rest[-1], remainder[:-1]) - Cat(less, term))
            remainder = total[1 : bits + 1]
            rest = Cat(remainder[-1], rest[:-1])
        remainder = register(remainder, f"remainder{level}")
        rest = register(rest, f"rest{level}")
        divisor = register(divisor, f"divisor{level}")
        carried = register(carried, f"carried{level}")
    return remainder, rest, divisor, carried
