"""Where the words of M2 lie in a memory outside of the chip."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const
from amaranth.lib import data

from rtl.keyed.dram.lines import PAGE_BYTES

#: Of the port, and of a word, of which a key's items may use less.
WORD_BITS = 128
WORD_BYTES = WORD_BITS // 8
#: Of a line of 64 bytes.
LINE_WORDS = 4
_BYTE_BITS = WORD_BYTES.bit_length() - 1


@dataclass(frozen=True, kw_only=True)
class WordMap:
    """Words of 16 bytes, 4 in a line, with 1 or 2 lines for each entry, one behind the other.

    For instance with 2 lines, word 1 of line 0 of entry 3 lies 3 * 128 + 16 bytes behind the base.
    Words of an entry have numbers through all of its lines: those of its second are 4 to 7.

    Attributes
    ----------
    entries : int
        A power of two of at least 2.
    lines : int
        Of an entry: 1 or 2.
    address_width : int
        Bits of a byte address, at least 13.
    """

    entries: int
    lines: int = 1
    address_width: int = 32

    def __post_init__(self):
        if self.lines not in (1, 2):
            raise ValueError(f"lines must be 1 or 2, not {self.lines!r}")
        least = max(13, (self.bytes - 1).bit_length())
        if not least <= self.address_width <= 64:
            raise ValueError(
                f"address_width must be from {least} to 64, not {self.address_width!r}"
            )

    @property
    def words(self):
        """Of an entry."""
        return LINE_WORDS * self.lines

    @property
    def bytes(self):
        """Of the memory behind the port."""
        return self.entries * self.words * WORD_BYTES

    @property
    def base_bits(self):
        """Of a base, in multiples of 4 KiB."""
        return self.address_width - (PAGE_BYTES - 1).bit_length()

    def address(self, base, entry, word):
        """Of a word, all of them values: no word is behind a limit of 4 KiB from its entry's first.

        ``entry`` and ``word`` have the bits of their ranges.
        """
        page = (PAGE_BYTES - 1).bit_length()
        behind = Cat(Const(0, _BYTE_BITS), word, entry)
        return ((base << page) + behind)[: self.address_width]

    def stretch(self):
        """Layout of ``count`` words of an ``entry`` from word ``first`` on: at least 1."""
        return data.StructLayout(
            {
                "entry": range(self.entries),
                "first": range(self.words),
                "count": range(self.words + 1),
            }
        )

    def order(self):
        """Layout of what may be asked at once: a read, a write, or both, of one ``entry``.

        With ``reads``, of words ``first`` to ``first + count - 1``; with ``writes``, of ``data`` to
        ``word``. If that is one of these, the read gives what it was before.
        """
        return data.StructLayout(
            {
                **self.stretch().members,
                "reads": 1,
                "writes": 1,
                "word": range(self.words),
                "data": WORD_BITS,
            }
        )

    def given(self):
        """Layout of what a read gives: each word at its own number, the others are rubbish."""
        return data.StructLayout({"words": data.ArrayLayout(WORD_BITS, self.words), "error": 1})
