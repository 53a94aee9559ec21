"""Encodes values as differences to a base: the lossless codec for integers and fixed point.

Source: seed 000, sections 2.1 and 3.2, figures 3, 8 and 10.
"""

from dataclasses import dataclass

from golden.codecs.codec import Codec
from golden.codecs.predictions import signed
from golden.codecs.symbols import Bits, Reader, Symbol


@dataclass(frozen=True)
class BaseDelta(Codec):
    """Encodes a value as a *delta*, in two's complement, to an earlier value, the *base*.

    A value whose delta does not fit becomes the next base. Its delta is the *demarcation*: the
    greatest delta, which encodes nothing else. Deltas lie at a block's lower end, in the order of
    their values; bases lie at its upper end. The seed of a block is the base of its first value.

    For instance with deltas of 8 bits, -128 to 126, in a key's first block::

        value    50  51  52  320         330
        base     50          320 (D)
        delta    0   1   2   127 is D    10

    Differences are modulo 2^``width``, so signed and unsigned values are encoded alike. The
    state is the base.

    Attributes
    ----------
    delta_bits : int
        Bits of a delta.
    """

    delta_bits: int = 8

    @property
    def demarcation(self) -> int:
        """Delta that marks a new base."""
        return (1 << self.delta_bits - 1) - 1

    def step(self, base: int | None, value: int) -> tuple[int, Symbol]:
        """Returns the base after a value, and the value's symbol."""
        if base is not None:
            delta = signed(value - base, self.width)
            if -(1 << self.delta_bits - 1) <= delta < self.demarcation:
                return base, Symbol(small=self._delta(delta))
        return value, Symbol(Bits(value, self.width), self._delta(self.demarcation))

    def seed(self, before: int | None, after: int) -> Bits:
        """Returns the base after a block's first value as the seed."""
        return Bits(after, self.width)

    def first(self, symbol: Symbol) -> Symbol:
        """Returns the symbol of a block's first value: its delta to the seed."""
        return Symbol(small=self._delta(0)) if symbol.large.length else symbol

    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on; raises BrokenBlockError."""
        base = reader.large(self.width)
        values = []
        for _ in range(count):
            delta = reader.small(self.delta_bits)
            if delta == self.demarcation:
                base, delta = reader.large(self.width), 0
            values.append(base + signed(delta, self.delta_bits) & (1 << self.width) - 1)
        return values

    def _delta(self, delta):
        return Bits(delta & (1 << self.delta_bits) - 1, self.delta_bits)
