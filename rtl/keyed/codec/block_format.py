"""Layout of symbols in a block of 64 bytes, the same for all codecs; no hardware is built here."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike
from amaranth.lib import data

BLOCK_BITS = 512
#: First bits of a coded block. A raw block never begins with them, because
#: :class:`~rtl.keyed.codec.packer.Packer` always codes a block whose first value begins with them.
MARK = 0b1010010
#: Number of these bits.
MARK_BITS = 7
COUNT_BITS = 9
HEAD_BITS = MARK_BITS + COUNT_BITS
#: Allowed widths of a value, in bits.
WIDTHS = (32, 64)


#: Members of a value that an encoder passes on unchanged.
PASSED_ON = ("entry", "stamp", "fresh", "valid", "passenger")


@dataclass(frozen=True, kw_only=True)
class BlockFormat:
    """Sizes of a codec's symbols in a block.

    ::

        511         505 496 495                                                    0
        coded   mark | count | seed | large parts  -->            <--  small parts
        raw     value 0 | value 1 | ...
        stamped mark | count | stamp | seed | large parts  -->    <--  small parts
        dependent  mark + 1 | count | large parts  -->            <--  small parts

    Each value has a symbol. The *large* part of a symbol has any length; large parts continue from
    the seed downwards. The *small* part has a constant length; small parts continue from bit 0
    upwards. The seed makes the first value decodable without any other block. The first value has a
    small part, too, and a large part only with ``first_has_large``. Bits between the parts are 0. A
    raw block contains the values themselves. A block with a ``stamp``, the number of a slide,
    contains values of one slide only and is never raw.

    Blocks may form *chains* of up to ``chain`` coded blocks: then all blocks of a chain but the
    first are *dependent*. A dependent block has no seed, and its first value has its large part,
    because a decoder continues with the state after the block before. The first coded block after a
    raw block begins a chain.

    For instance XOR has large parts alone, of 1 to 77 bits for doubles. Base and delta have a delta
    as small part and, for some values, a base of 64 bits as large part.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    seed_bits, small_bits : int
    large_max : int
        Bits of the longest large part.
    first_has_large : bool
        True if the first value of a block has its large part, too, because the seed is the state
        before the first value.
    error_bound : ShapeLike
        Host settings of the encoder: the error bound of a lossy codec; 0 for a lossless codec.
    stamp_bits : int
        Bits of the stamp, with windows of time; otherwise 0.
    chain : int
        Maximum count of blocks of a chain, a power of two; 1 if no block is dependent.
    """

    width: int
    seed_bits: int
    large_max: int
    small_bits: int = 0
    first_has_large: bool = False
    error_bound: ShapeLike = 0
    stamp_bits: int = 0
    chain: int = 1

    def __post_init__(self):
        if self.chain > 1 and self.stamp_bits:
            raise ValueError(f"stamp_bits must be 0 with chains of blocks, not {self.stamp_bits}")
        if self.width not in WIDTHS:
            raise ValueError(f"width must be {' or '.join(map(str, WIDTHS))}, not {self.width}")

    @property
    def chained(self):
        """True if blocks may be dependent."""
        return self.chain > 1

    def is_mark(self, bits):
        """Returns whether ``bits``, the first bits of a block or value, mark a coded block.

        With chains the lowest bit of a mark says that the block is dependent.
        """
        return bits[1:] == MARK >> 1 if self.chained else bits == MARK

    @property
    def start(self):
        """Layout of the state before a dependent block, with chains.

        ``seed``, which is the seed that the block would have if it began with the last value of the
        block before; ``known`` is low if a block before is damaged, so that ``seed`` is undefined.
        """
        return data.StructLayout({"seed": self.seed_bits, "known": 1})

    @property
    def head_bits(self):
        """Bits before the seed."""
        return HEAD_BITS + self.stamp_bits

    @property
    def raw_values(self):
        """Number of values in a full raw block."""
        return BLOCK_BITS // self.width

    @property
    def first_bits(self):
        """Bits of a coded block with one value, without the large part of the value."""
        return self.head_bits + self.seed_bits + self.small_bits

    @property
    def least_values(self):
        """Number of values in a block that is full of the longest symbols."""
        symbol = self.large_max + self.small_bits
        seed = self.head_bits + self.seed_bits
        if self.first_has_large:
            return (BLOCK_BITS - seed) // symbol
        return 1 + (BLOCK_BITS - self.first_bits) // symbol

    @property
    def symbol(self):
        """Layout of a value's symbol.

        ``value``; ``large``, the large part with its first bit on top and zeros below, and its
        length ``large_bits``; ``small``, the small part. If the value begins a block, ``seed`` is
        the block's seed, and ``first`` replaces ``small``.
        """
        return data.StructLayout(
            {
                "value": self.width,
                "large": self.large_max,
                "large_bits": range(self.large_max + 1),
                "small": self.small_bits,
                "seed": self.seed_bits,
                "first": self.small_bits,
            }
        )


def value_layout(form, entries, passenger):
    """Layout of the input of an encoder: a ``value`` of the key with the table's ``entry``.

    ``bound``, the host settings; ``stamp`` of the value. ``fresh`` is high if the value is the
    first one since the key was inserted into the table. ``valid`` is low if the item has no value
    and changes nothing. ``passenger`` is passed on unchanged.
    """
    members = {"bound": form.error_bound, "stamp": form.stamp_bits, "fresh": 1, "valid": 1}
    members |= {"passenger": passenger}
    return data.StructLayout({"entry": range(entries), "value": form.width, **members})


def symbol_layout(form, entries, passenger):
    """Layout of the output of an encoder: the ``symbol`` of the value replaces the value."""
    members = {"stamp": form.stamp_bits, "fresh": 1, "valid": 1, "passenger": passenger}
    return data.StructLayout({"entry": range(entries), "symbol": form.symbol, **members})


def block_info_layout(passenger):
    """Layout of the information that accompanies a block of a window.

    ``error`` of the memory; ``m3`` is high if the block was read from level M3 of the memory;
    ``cached`` is high if no block was read because the cache delivers the window; ``passenger`` is
    passed on unchanged.
    """
    return data.StructLayout({"error": 1, "m3": 1, "cached": 1, "passenger": passenger})


def block_layout(passenger):
    """Layout of the input of a decoder.

    ``block``; ``coded`` is low for a raw block; ``count``, the number of values in the block, and
    ``skip``, the number of first values that are outside of the window; ``last`` is high for the
    last block of a window; ``passenger`` is passed on unchanged.
    """
    counts = {"count": COUNT_BITS, "skip": COUNT_BITS}
    members = {"coded": 1, **counts, "last": 1, "passenger": passenger}
    return data.StructLayout({"block": BLOCK_BITS, **members})


def repeated_layout(width, run, passenger):
    """Layout of the output of a serial decoder: a ``value`` that occurs ``times`` times in a row.

    ``times`` is at most ``run``, and 0 for skipped values. ``last`` is high for the last value of a
    block; then ``error`` is high if the block is broken. ``slot`` and ``passenger`` are those of
    the block.
    """
    members = {"times": range(run + 1), "last": 1, "error": 1, "slot": 1, "passenger": passenger}
    return data.StructLayout({"value": width, **members})
