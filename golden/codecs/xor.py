"""XOR with the value before: the lossless codec for floating point.

Source: seed 000, section 2.1 and figures 4 and 9 (Gorilla, VLDB 2015, section 4.1.2).
"""

from dataclasses import dataclass

from golden.codecs.blocks import Bits, BrokenBlockError, Symbol

LEADING_BITS, LENGTH_BITS = 5, 6
MOST_LEADING = (1 << LEADING_BITS) - 1
#: In place of a window of meaningful bits where there has been none: no window has 31 and 64.
NO_WINDOW = (MOST_LEADING, 64)


@dataclass(frozen=True)
class Xor:
    """Symbols of a value, after its XOR with the one before:

    - nothing differs: ``0``;
    - what differs lies in the *window* of meaningful bits of an earlier symbol: ``10``, and the
      bits of the window;
    - else ``11``, 5 bits with the leading zeros, 31 at most, 6 with the length of the new window,
      of which 64 is 0, and its bits.

    The seed of a block is its first value, 5 bits with the leading zeros of the window that holds
    from there, and 6 with its length; 31 and 64 if there has been none yet.

    For instance 10.5 to 9.5 differs in 2 bits behind 13 that do not: ``11``, 01101, 000010, 11.
    Then 9.5 to 11.5 in one of those: ``10``, 10. Symbols are of 1 to 13 + ``width`` bits.

    Attributes
    ----------
    width : int
        Of a value: 64, or 32.
    """

    width: int = 64

    #: None, and from the first value on the value before, and the window: leading zeros, length.
    initial = None

    def step(self, state, value):
        """The state behind a value, and its symbol, which no first value has."""
        if state is None:
            return (value, NO_WINDOW), Symbol()
        before, (leading, length) = state
        different = before ^ value
        if not different:
            return (value, (leading, length)), Symbol(Bits(0, 1))
        trailing = self.width - leading - length
        zeros = min(self.width - different.bit_length(), MOST_LEADING)
        low = (different & -different).bit_length() - 1
        if (leading, length) != NO_WINDOW and zeros >= leading and low >= trailing:
            bits = Bits(different >> trailing, length)
            return (value, (leading, length)), Symbol(Bits(0b10, 2) + bits)
        leading, length = zeros, self.width - zeros - low
        head = Bits(0b11, 2) + self._window(leading, length)
        return (value, (leading, length)), Symbol(head + Bits(different >> low, length))

    def seed(self, before, after):
        value, window = after
        return Bits(value, self.width) + self._window(*window)

    def first(self, symbol):
        """Nothing: the seed has the first value."""
        return Symbol()

    def stands(self, state, symbol, value):
        """The value: nothing is lost."""
        return value

    def decode(self, reader, count):
        """The values of a block from its seed on; raises BrokenBlockError."""
        value = reader.large(self.width)
        leading, length = self._read_window(reader)
        values = [value]
        for _ in range(count - 1):
            if reader.large(1):
                if reader.large(1):
                    leading, length = self._read_window(reader)
                trailing = self.width - leading - length
                if trailing < 0:
                    raise BrokenBlockError("a window is longer than a value")
                value ^= reader.large(length) << trailing
            values.append(value)
        return values

    def _window(self, leading, length):
        return Bits(leading, LEADING_BITS) + Bits(length % 64, LENGTH_BITS)

    def _read_window(self, reader):
        leading, length = reader.large(LEADING_BITS), reader.large(LENGTH_BITS)
        return leading, length or 64
