"""Differences to a base: the lossless codec for integers and fixed point.

Source: seed 000, sections 2.1 and 3.2, figures 3, 8 and 10.
"""

from dataclasses import dataclass

from golden.codecs.blocks import Bits, Symbol


@dataclass(frozen=True)
class BaseDelta:
    """A value is a *delta* of ``delta_bits``, two's complement, to the *base*, an earlier value.

    A value that is further away is the next base. Its delta is the greatest, which stands for
    nothing else: the *demarcation*. Deltas lie at a block's lower end, in the order of their
    values, bases at its upper end. The seed of a block is the base of its first value.

    For instance with deltas of 8 bits, -128 to 126, from a block's beginning::

        value    50  51  52  320         330
        base     50          320 (D)
        delta    0   1   2   127 is D    10

    Differences are modulo 2^``width``, so it is the same for signed and unsigned values.

    Attributes
    ----------
    width : int
        Of a value: 64, or 32.
    delta_bits : int
    """

    width: int = 64
    delta_bits: int = 8

    #: None, and from the first value on the base.
    initial = None

    @property
    def demarcation(self):
        return (1 << self.delta_bits - 1) - 1

    def step(self, base, value):
        """The base behind a value, and the value's symbol."""
        if base is not None:
            delta = self._signed(value - base)
            if -(1 << self.delta_bits - 1) <= delta < self.demarcation:
                return base, Symbol(small=self._delta(delta))
        return value, Symbol(Bits(value, self.width), self._delta(self.demarcation))

    def seed(self, before, after):
        return Bits(after, self.width)

    def first(self, symbol):
        """The delta of a block's first value to its seed."""
        return Symbol(small=self._delta(0)) if symbol.large.length else symbol

    def stands(self, state, symbol, value):
        """The value: nothing is lost."""
        return value

    def decode(self, reader, count):
        """The values of a block from its seed on; raises BrokenBlockError."""
        base, values = reader.large(self.width), []
        for _ in range(count):
            delta = reader.small(self.delta_bits)
            if delta == self.demarcation:
                base, delta = reader.large(self.width), 0
            sign = delta >> self.delta_bits - 1 << self.delta_bits
            values.append(base + delta - sign & (1 << self.width) - 1)
        return values

    def _delta(self, delta):
        return Bits(delta & (1 << self.delta_bits) - 1, self.delta_bits)

    def _signed(self, difference):
        half = 1 << self.width - 1
        return (difference + half) % (2 * half) - half
