"""How the items of a key lie in lines, and in the words of M2."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const, Mux, Shape, Value
from amaranth.lib import data

from rtl.keyed.dram.lines import LINE_BITS


@dataclass(frozen=True, kw_only=True)
class LinePlan:
    """How items lie in a line, and in the words by which M2 is written.

    For instance values of 64 bits, in lines of 64 bytes and words of 128 bits: 8 items in a line,
    2 in a word, 4 words in a line.

    Attributes
    ----------
    item : ShapeLike
    items : int
        Of a line, a power of two.
    word_items : int
        Of a word, a power of two of at most ``items``.
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
            raise ValueError(
                f"items must be at most {LINE_BITS // Shape.cast(self.item).width} of "
                f"{Shape.cast(self.item).width} bits, not {self.items}"
            )

    @property
    def line(self):
        """Layout of a line: item k is place k."""
        return data.ArrayLayout(self.item, self.items)

    @property
    def slot(self):
        """Bits of a line in M3 for each item, of which an item takes the lowest."""
        return LINE_BITS // self.items

    def packed(self, line):
        """The bits of a line in M3, out of a view of :attr:`line`."""
        items = [Value.cast(line[k]) for k in range(self.items)]
        return Cat(Cat(item, Const(0, self.slot - len(item))) for item in items)

    def unpacked(self, bits):
        """Items of a line, as values, out of its bits in M3."""
        width = Shape.cast(self.item).width
        return [bits[k * self.slot :][:width] for k in range(self.items)]

    def filled(self, waiting, place, item):
        """The bits of a word up to the item at this place of a line, as a value.

        ``waiting``, of ``first_bits``, are the items of the word before this one; those behind it
        are rubbish.
        """
        size, within = Shape.cast(self.item).width, place[: self._inner]
        item = Value.cast(item)[:size]  # without a sign
        before = [waiting[k * size :][:size] for k in range(self.word_items - 1)]
        return Cat(*(Mux(within == k, item, part) for k, part in enumerate(before)), item)

    def fills(self, place):
        """Whether the item at this place of a line is the last of its word, as a value."""
        return place[: self._inner].all() if self._inner else Const(1)

    @property
    def _inner(self):
        """Bits of a place in a word."""
        return self.word_items.bit_length() - 1

    @property
    def words(self):
        """Of a line."""
        return self.items // self.word_items

    @property
    def word_bits(self):
        return self.word_items * Shape.cast(self.item).width

    @property
    def first_bits(self):
        """Of a key in M1: the items of a word but the last, with which it goes on to M2."""
        return self.word_bits - Shape.cast(self.item).width

    @property
    def second_bits(self):
        """Of a key in M2: the words of a line but the last, with which it goes on to M3."""
        return (self.words - 1) * self.word_bits
