"""Encodes values by XOR with the value before: the lossless codec for floating point.

Source: seed 000, section 2.1 and figures 4 and 9 (Gorilla, VLDB 2015, section 4.1.2).
"""

from dataclasses import dataclass

from golden.codecs.codec import Codec
from golden.codecs.symbols import Bits, BrokenBlockError, Reader, Symbol

State = tuple[int, tuple[int, int]]
LEADING_BITS, LENGTH_BITS = 5, 6
MAX_LEADING = (1 << LEADING_BITS) - 1
#: Replaces the window of meaningful bits before the first window: no window has 31 and 64.
NO_WINDOW = (MAX_LEADING, 64)


@dataclass(frozen=True)
class Xor(Codec):
    """Encodes a value by its XOR with the value before, as one of three symbols:

    - the XOR is 0: ``0``;
    - all 1 bits of the XOR lie in the *window* of meaningful bits, which the last ``11`` symbol has
      set, or else the seed: ``10``, and the bits of the window;
    - otherwise: ``11``, 5 bits with the leading zeros (31 at most), 6 bits with the length of the
      new window (64 is coded as 0), and the bits of the window.

    The seed of a block is its first value, 5 bits with the leading zeros of the window after this
    value, and 6 bits with the window's length; 31 and 64 if there is no window yet.

    For instance 10.5 and 9.5, with 64 bits, differ in 2 bits after 13 equal bits: ``11``, 01101,
    000010, 11. Then 9.5 and 11.5 differ in one bit of this window: ``10``, 10. A symbol has 1 to
    13 + ``width`` bits. The state is the value before and the window (leading zeros, length).
    """

    def step(self, state: State | None, value: int) -> tuple[State, Symbol]:
        """Returns the state after a value, and its symbol, which is empty for a first value."""
        if state is None:
            return (value, NO_WINDOW), Symbol()
        previous, (leading, length) = state
        different = previous ^ value
        if not different:
            return (value, (leading, length)), Symbol(Bits(0, 1))
        trailing = self.width - leading - length
        zeros = min(self.width - different.bit_length(), MAX_LEADING)
        low = (different & -different).bit_length() - 1
        if (leading, length) != NO_WINDOW and zeros >= leading and low >= trailing:
            bits = Bits(different >> trailing, length)
            return (value, (leading, length)), Symbol(Bits(0b10, 2) + bits)
        leading, length = zeros, self.width - zeros - low
        head = Bits(0b11, 2) + self._window(leading, length)
        return (value, (leading, length)), Symbol(head + Bits(different >> low, length))

    def seed(self, before: State | None, after: State) -> Bits:
        """Returns a block's first value and the window after it."""
        value, window = after
        return Bits(value, self.width) + self._window(*window)

    def first(self, symbol: Symbol) -> Symbol:
        """Returns an empty symbol: the seed holds the first value."""
        return Symbol()

    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on; raises BrokenBlockError."""
        values, _ = self.decode_on(reader, count, None)
        return values

    def decode_on(self, reader: Reader, count: int, state: State | None) -> tuple[list[int], State]:
        """Returns the values of a block, and the state after them; raises BrokenBlockError."""
        values = []
        if state is None:
            value = reader.large(self.width)
            leading, length = self._read_window(reader)
            values.append(value)
        else:
            value, (leading, length) = state
        while len(values) < count:
            if reader.large(1):
                if reader.large(1):
                    leading, length = self._read_window(reader)
                trailing = self.width - leading - length
                if trailing < 0:
                    raise BrokenBlockError("a window is longer than a value")
                value ^= reader.large(length) << trailing
            values.append(value)
        return values, (value, (leading, length))

    def _window(self, leading, length):
        return Bits(leading, LEADING_BITS) + Bits(length % 64, LENGTH_BITS)

    def _read_window(self, reader):
        leading, length = reader.large(LEADING_BITS), reader.large(LENGTH_BITS)
        return leading, length or 64
