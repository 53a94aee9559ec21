"""Differences to the value before, on a grid: a lossless codec for any numbers.

Source: ours. The classes of lengths are those of Gorilla's times (VLDB 2015, section 4.1.1), and
that trailing zeros stay from value to value is what its windows of meaningful bits live on.
"""

from dataclasses import dataclass

from golden.codecs.blocks import Bits, BrokenBlockError, Symbol

GRID_BITS, LENGTH_BITS = 6, 6
#: What a difference of so many bits begins with.
SHORT = {3: Bits(0b10, 2), 6: Bits(0b110, 3)}
LONG = Bits(0b111, 3)


@dataclass(frozen=True)
class Grid:
    """Symbols of a value, after its difference to the one before.

    The difference is that of patterns as whole numbers, modulo 2^``width``, also of floating point,
    whose patterns are in the order of its numbers. The *grid* is how many zeros are known at its
    lower end, 0 at first. What is above them is n, a whole number with a sign:

    - there is no difference: ``0``;
    - n has 3 bits, two's complement, or less: ``10``, and n in 3 bits;
    - n has 6 bits or less: ``110``, and n in 6 bits;
    - else, or if the grid is too coarse: ``111``, 6 bits with the grid from here, all zeros of the
      difference but no more than ``width`` - 6, 6 with the length of n there, of which 64 is 0, and
      n. So n of 6 bits is never longer than the value.

    The seed of a block is its first value, and 6 bits with the grid that holds from there.

    For instance 10.5 to 9.5 is -2^49, so ``111``, 110001, 000001, 1: the grid is 49, and -1 has one
    bit. Then 9.5 to 11.5 is 2^50, which is 2 there: ``10``, 010. Symbols are of 1 to 15 + ``width``
    bits.

    Attributes
    ----------
    width : int
        Of a value: 64, or 32.
    """

    width: int = 64

    #: None, and from the first value on the value before, and the grid.
    initial = None

    def step(self, state, value):
        """The state behind a value, and its symbol, which no first value has."""
        if state is None:
            return (value, 0), Symbol()
        before, grid = state
        difference = self._signed(value - before)
        if not difference:
            return (value, grid), Symbol(Bits(0, 1))
        zeros = min((difference & -difference).bit_length() - 1, self.width - max(SHORT))
        if zeros >= grid:
            for bits, kind in SHORT.items():
                if _length(difference >> grid) <= bits:
                    return (value, grid), Symbol(kind + _bits(difference >> grid, bits))
        number = difference >> zeros
        length = _length(number)
        told = Bits(zeros, GRID_BITS) + Bits(length % 64, LENGTH_BITS)
        return (value, zeros), Symbol(LONG + told + _bits(number, length))

    def seed(self, before, after):
        value, grid = after
        return Bits(value, self.width) + Bits(grid, GRID_BITS)

    def first(self, symbol):
        """Nothing: the seed has the first value."""
        return Symbol()

    def stands(self, state, symbol, value):
        """The value: nothing is lost."""
        return value

    def decode(self, reader, count):
        """The values of a block from its seed on; raises BrokenBlockError."""
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
                number = reader.large(length)
                number -= number >> length - 1 << length
                value = value + (number << grid) & (1 << self.width) - 1
            values.append(value)
        return values

    def _signed(self, difference):
        half = 1 << self.width - 1
        return (difference + half) % (2 * half) - half


def _length(number):
    """Bits of a number with its sign, two's complement."""
    return (number if number >= 0 else ~number).bit_length() + 1


def _bits(number, length):
    return Bits(number & (1 << length) - 1, length)
