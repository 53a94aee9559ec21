"""Maps the words of M2 to addresses of a memory outside of the chip."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Const
from amaranth.lib import data

from rtl.keyed.dram.lines import PAGE_BYTES

#: Width of the port and of a word; the items of a key may use fewer bits of a word.
WORD_BITS = 128
WORD_BYTES = WORD_BITS // 8
#: Words of a line of 64 bytes.
LINE_WORDS = 4
_BYTE_BITS = WORD_BYTES.bit_length() - 1


@dataclass(frozen=True, kw_only=True)
class WordMap:
    """Maps words of 16 bytes, 4 words in a line, and 1 or 2 consecutive lines for each entry.

    For instance with 2 lines, word 1 of line 0 of entry 3 lies 3 * 128 + 16 bytes above the base.
    The words of an entry are numbered across its lines: the second line has words 4 to 7.

    Attributes
    ----------
    entries : int
        A power of two of at least 2.
    lines : int
        Lines of an entry: 1 or 2.
    address_width : int
        Bits of a byte address, at least 13.
    """

    entries: int
    lines: int = 1
    address_width: int = 32

    def __post_init__(self):
        if self.lines not in (1, 2):
            raise ValueError(f"lines must be 1 or 2, not {self.lines!r}")
        min_bits = max(13, (self.bytes - 1).bit_length())
        if not min_bits <= self.address_width <= 64:
            raise ValueError(
                f"address_width must be from {min_bits} to 64, not {self.address_width!r}"
            )

    @property
    def words(self):
        """Words of an entry."""
        return LINE_WORDS * self.lines

    @property
    def bytes(self):
        """Bytes of the memory behind the port."""
        return self.entries * self.words * WORD_BYTES

    @property
    def base_bits(self):
        """Bits of a base address, in multiples of 4 KiB."""
        return self.address_width - (PAGE_BYTES - 1).bit_length()

    def address(self, base, entry, word):
        """Returns the byte address of a word; all arguments are hardware values.

        ``entry`` and ``word`` have the widths of their ranges. The words of an entry cross no
        multiple of 4 KiB.
        """
        page = (PAGE_BYTES - 1).bit_length()
        offset = Cat(Const(0, _BYTE_BITS), word, entry)
        return ((base << page) + offset)[: self.address_width]

    def stretch(self):
        """Layout of ``count`` words of an ``entry`` from word ``first`` on, at least 1."""
        return data.StructLayout(
            {
                "entry": range(self.entries),
                "first": range(self.words),
                "count": range(self.words + 1),
            }
        )

    def order(self):
        """Layout of an order: a read, a write, or both, of one ``entry``.

        With ``reads``, words ``first`` to ``first + count - 1`` are read; with ``writes``, ``data``
        is written to ``word``. The read returns the word before the write.
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

    def read_result(self):
        """Layout of a read's result: word k at index k; words that were not read are undefined."""
        return data.StructLayout({"words": data.ArrayLayout(WORD_BITS, self.words), "error": 1})
