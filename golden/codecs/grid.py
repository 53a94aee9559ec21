"""Encodes values as differences to the value before, on a grid: a lossless codec for any numbers.

Source: ours. Prefixes 0, 10, 110 for classes of lengths are those of Gorilla's times (VLDB 2015,
section 4.1.1); the lengths are ours. The grid uses a property that Gorilla's windows of meaningful
bits use, too: successive values often have the same number of trailing zeros.
"""

from dataclasses import dataclass

from golden.codecs.codec import Codec
from golden.codecs.predictions import signed
from golden.codecs.symbols import Bits, BrokenBlockError, Reader, Symbol

GRID_BITS, LENGTH_BITS = 6, 6
#: Prefix of a symbol, by the number of bits of n, the difference on the grid.
SHORT = {3: Bits(0b10, 2), 6: Bits(0b110, 3)}
LONG = Bits(0b111, 3)


@dataclass(frozen=True)
class Grid(Codec):
    """Encodes a value by its difference to the value before.

    The difference is that of the bit patterns as whole numbers, modulo 2^``width``. Floats use the
    same difference: among floats of one sign the pattern grows with the size, so close floats have
    close patterns. The *grid* is the number of low bits of the difference that are known to be 0;
    it starts at 0. The bits above the grid are n, a signed whole number:

    - the difference is 0: ``0``;
    - n fits 3 bits, two's complement: ``10``, and n in 3 bits;
    - n fits 6 bits: ``110``, and n in 6 bits;
    - otherwise, or if the difference is no multiple of 2^grid: ``111``, 6 bits with the new grid,
      6 bits with the length of n (64 is coded as 0), and n on the new grid. The new grid is the
      number of trailing zeros of the difference, but at most ``width`` - 6, so that n in 6 bits is
      never longer than the value.

    The seed of a block is its first value, and 6 bits with the grid after this value.

    For instance the difference from 10.5 to 9.5 is -2^49, so the symbol is ``111``, 110001, 000001,
    1: the grid is 49, and -1 has one bit. The difference from 9.5 to 11.5 is 2^50, which is 2 on
    this grid: ``10``, 010. A symbol has 1 to 15 + ``width`` bits. The state is the value before
    and the grid.
    """

    def step(self, state: tuple[int, int] | None, value: int) -> tuple[tuple[int, int], Symbol]:
        """Returns the state after a value, and its symbol, which is empty for a first value."""
        if state is None:
            return (value, 0), Symbol()
        previous, grid = state
        difference = signed(value - previous, self.width)
        if not difference:
            return (value, grid), Symbol(Bits(0, 1))
        zeros = min((difference & -difference).bit_length() - 1, self.width - max(SHORT))
        if zeros >= grid:
            for bits, prefix in SHORT.items():
                if _length(difference >> grid) <= bits:
                    return (value, grid), Symbol(prefix + _bits(difference >> grid, bits))
        number = difference >> zeros
        length = _length(number)
        sizes = Bits(zeros, GRID_BITS) + Bits(length % 64, LENGTH_BITS)
        return (value, zeros), Symbol(LONG + sizes + _bits(number, length))

    def seed(self, before: tuple[int, int] | None, after: tuple[int, int]) -> Bits:
        """Returns a block's first value and the grid after it."""
        value, grid = after
        return Bits(value, self.width) + Bits(grid, GRID_BITS)

    def first(self, symbol: Symbol) -> Symbol:
        """Returns an empty symbol: the seed holds the first value."""
        return Symbol()

    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on; raises BrokenBlockError."""
        value, grid = reader.large(self.width), reader.large(GRID_BITS)
        values = [value]
        for _ in range(count - 1):
            if reader.large(1):
                if not reader.large(1):
                    length = 3
                elif not reader.large(1):
                    length = 6
                else:
                    grid, length = reader.large(GRID_BITS), reader.large(LENGTH_BITS) or 64
                if grid + length > self.width:
                    raise BrokenBlockError("a difference is longer than a value")
                number = signed(reader.large(length), length)
                value = value + (number << grid) & (1 << self.width) - 1
            values.append(value)
        return values


def _length(number):
    """Returns the number of bits of a signed number, two's complement."""
    return (number if number >= 0 else ~number).bit_length() + 1


def _bits(number, length):
    return Bits(number & (1 << length) - 1, length)
