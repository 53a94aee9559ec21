"""Describes how the items of a key lie in lines, and in the words of M2."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Mux, Shape, Value
from amaranth.lib import data

from rtl.keyed.dram.lines import LINE_BITS


@dataclass(frozen=True, kw_only=True)
class LinePlan:
    """Layout of items in a line, and in the words in which M2 is written.

    For instance with values of 64 bits, lines of 64 bytes and words of 128 bits there are 8 items
    in a line, 2 items in a word, and 4 words in a line.

    Attributes
    ----------
    item : ShapeLike
        Shape of an item.
    items : int
        Number of items of a line, a power of two.
    word_items : int
        Number of items of a word, a power of two of at most ``items``.
    """

    item: object
    items: int
    word_items: int

    def __post_init__(self):
        for name in ("items", "word_items"):
            count = getattr(self, name)
            if not isinstance(count, int) or count < 1 or count & (count - 1):
                raise ValueError(f"{name} must be a power of two of at least 1, not {count!r}")
        if self.word_items > self.items:
            raise ValueError(
                f"word_items must be at most items, {self.items}, not {self.word_items}"
            )
        if Shape.cast(self.item).width > self.slot:
            width = Shape.cast(self.item).width
            most = (1 << (LINE_BITS // width).bit_length()) >> 1  # a power of two, or 0
            raise ValueError(f"items must be at most {most} of {width} bits, not {self.items}")

    @property
    def line(self):
        """Layout of a line: item k is at place k."""
        return data.ArrayLayout(self.item, self.items)

    @property
    def slot(self):
        """Width of an item's slot in a line of M3, in bits. The item takes the lowest bits."""
        return LINE_BITS // self.items

    def packed(self, line):
        """Returns the bits of a line in M3, given a view of :attr:`line`."""
        items = [Value.cast(line[k]) for k in range(self.items)]
        return Cat(Cat(item, Const(0, self.slot - len(item))) for item in items)

    def unpacked(self, bits):
        """Returns the items of a line, given its bits in M3."""
        width = Shape.cast(self.item).width
        return [bits[k * self.slot :][:width] for k in range(self.items)]

    def filled(self, waiting, place, item):
        """Returns the bits of a word after ``item`` has arrived at ``place`` of a line, as a value.

        ``waiting``, of ``first_bits`` bits, has the items of the word before ``item``; its other
        bits are undefined. So are the items of the result after ``item``. For instance with 4 items
        in a word and place 5: item 0 of ``waiting``, ``item``, and two undefined items.
        """
        size = Shape.cast(self.item).width
        within = place[: self._inner]
        item = Value.cast(item)[:size]  # without a sign
        earlier_items = [waiting[k * size :][:size] for k in range(self.word_items - 1)]
        return Cat(*(Mux(within == k, item, part) for k, part in enumerate(earlier_items)), item)

    def fills(self, place):
        """Returns a value that is high if the item at this place is the last of its word."""
        return place[: self._inner].all() if self._inner else Const(1)

    @property
    def _inner(self):
        """Width of a place in a word, in bits."""
        return self.word_items.bit_length() - 1

    @property
    def words(self):
        """Number of words of a line."""
        return self.items // self.word_items

    @property
    def word_bits(self):
        """Width of a word, in bits."""
        return self.word_items * Shape.cast(self.item).width

    @property
    def first_bits(self):
        """Bits of a key in M1: the items of a word except the last, which completes the word."""
        return self.word_bits - Shape.cast(self.item).width

    @property
    def second_bits(self):
        """Bits of a key in M2: the words of a line except the last, which completes the line."""
        return (self.words - 1) * self.word_bits
