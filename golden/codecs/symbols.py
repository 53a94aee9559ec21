"""Holds the bits of symbols, and reads them from a block."""

from dataclasses import dataclass

#: Bits of a block.
BLOCK_BITS = 512


class BrokenBlockError(ValueError):
    """Reports a block that no encoder makes, or that cannot be decoded without the block before."""


@dataclass(frozen=True)
class Bits:
    """Holds ``length`` bits as a number below 2^length; bit ``length - 1`` is the first bit.

    For instance ``Bits(0b10, 2) + Bits(0b1, 3)`` are the bits 10001.
    """

    value: int = 0
    length: int = 0

    def __add__(self, following: "Bits") -> "Bits":
        return Bits(
            self.value << following.length | following.value, self.length + following.length
        )

    def __str__(self) -> str:
        return f"{self.value:0{self.length}b}" if self.length else ""


NO_BITS = Bits()


@dataclass(frozen=True)
class Symbol:
    """Holds the bits of one value in a block, in two parts; either may be empty.

    The large parts of a block's symbols follow each other from the top downwards, the small parts
    from the bottom upwards (`golden.codecs.blocks`). For instance with bases and deltas a new base
    is a large part, and a delta is a small part.
    """

    large: Bits = NO_BITS
    small: Bits = NO_BITS

    @property
    def length(self) -> int:
        """Number of bits of both parts."""
        return self.large.length + self.small.length


class Reader:
    """Reads the parts of a block, large parts from the top and small parts from the bottom.

    In each part the first bit is the highest bit. For instance in a block with the bits
    ``110 ... 01 10`` the call ``large(3)`` returns 0b110, ``small(2)`` returns 0b10, and the next
    ``small(2)`` returns 0b01. Both methods raise BrokenBlockError if the parts overlap.
    """

    def __init__(self, block: int) -> None:
        self._block = block
        self._top, self._bottom = BLOCK_BITS, 0

    def large(self, length: int) -> int:
        """Returns the next large part, from the top."""
        self._top -= length
        self._check()
        return self._block >> self._top & ((1 << length) - 1)

    def small(self, length: int) -> int:
        """Returns the next small part, from the bottom."""
        bits = self._block >> self._bottom & ((1 << length) - 1)
        self._bottom += length
        self._check()
        return bits

    def finish(self) -> None:
        """Raises BrokenBlockError unless all unread bits are 0."""
        if self._block >> self._bottom & ((1 << self._top - self._bottom) - 1):
            raise BrokenBlockError("bits between the symbols are not 0")

    def _check(self):
        if self._top < self._bottom:
            raise BrokenBlockError("symbols are longer than the block")
