"""How symbols lie in a block of 64 bytes, the same for all codecs; nothing is built here."""

from dataclasses import dataclass

from amaranth.hdl import ShapeLike
from amaranth.lib import data

BLOCK_BITS = 512
#: The first bits of a coded block, which a raw one never begins with.
MARK, MARK_BITS = 0b1010010, 7
COUNT_BITS = 9
HEAD_BITS = MARK_BITS + COUNT_BITS
#: Bits that a value may have.
WIDTHS = (32, 64)


#: What goes with a value through its encoder, and on.
ALONG = ("entry", "stamp", "fresh", "valid", "passenger")


@dataclass(frozen=True, kw_only=True)
class BlockFormat:
    """What a codec's symbols take of a block.

    ::

        511         505 496 495                                                    0
        coded   mark | count | seed | large parts  -->            <--  small parts
        raw     value 0 | value 1 | ...
        stamped mark | count | stamp | seed | large parts  -->    <--  small parts

    Each value has a symbol: a *large* part of any length, which goes on from the seed downwards,
    and a *small* part of always the same, which goes on from bit 0 upwards. The seed is what the
    first value needs to be decoded without any other block; that value has a small part, too, and
    a large one only if it is ``whole``. Bits between the parts are 0. A raw block has the values
    themselves. Where there is a ``stamp``, the number of a slide, blocks have values of that slide
    only, and none is raw.

    For instance XOR has large parts alone, of 1 to 77 bits for doubles; base and delta have a delta
    as small part, and a base of 64 bits, now and then, as large one.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    seed_bits, small_bits : int
    large_max : int
        Bits of the longest large part.
    whole : bool
        A block's first value has its large part, too: its seed is what was before that value.
    bound : ShapeLike
        What the host sets for the encoder, none for a codec that loses nothing.
    stamp_bits : int
        Of the number of a slide, with windows of time, else 0.
    """

    width: int
    seed_bits: int
    large_max: int
    small_bits: int = 0
    whole: bool = False
    bound: ShapeLike = 0
    stamp_bits: int = 0

    def __post_init__(self):
        if self.width not in WIDTHS:
            raise ValueError(f"width must be {' or '.join(map(str, WIDTHS))}, not {self.width}")

    @property
    def head_bits(self):
        """What comes before the seed."""
        return HEAD_BITS + self.stamp_bits

    @property
    def raw_values(self):
        """Values of a raw block that is full."""
        return BLOCK_BITS // self.width

    @property
    def first_bits(self):
        """What a coded block takes with one value, but for the large part of that."""
        return self.head_bits + self.seed_bits + self.small_bits

    @property
    def least_values(self):
        """Values of a block that is full of the longest symbols."""
        symbol, seed = self.large_max + self.small_bits, self.head_bits + self.seed_bits
        if self.whole:
            return (BLOCK_BITS - seed) // symbol
        return 1 + (BLOCK_BITS - self.first_bits) // symbol

    @property
    def symbol(self):
        """Layout of a value's symbol.

        ``value`` itself; ``large`` part, its first bit the highest, zeros behind it, and
        ``large_bits``, its length; ``small`` part; and for the case that the value begins a block,
        ``seed`` and ``first``, the small part then.
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
    """Layout of what an encoder takes: a value of a key's entry.

    ``bound``, the format's. ``stamp``, the value's. ``fresh``: it is the first one since the key
    began anew. ``valid``: there is a value; without one nothing changes. ``passenger``.
    """
    told = {"bound": form.bound, "stamp": form.stamp_bits, "fresh": 1, "valid": 1}
    told |= {"passenger": passenger}
    return data.StructLayout({"entry": range(entries), "value": form.width, **told})


def symbol_layout(form, entries, passenger):
    """Layout of what an encoder gives: the value's ``symbol`` in its place."""
    told = {"stamp": form.stamp_bits, "fresh": 1, "valid": 1, "passenger": passenger}
    return data.StructLayout({"entry": range(entries), "symbol": form.symbol, **told})


def told_layout(passenger):
    """Layout of what goes with a block of a window: ``error``, ``m3``, its ``passenger``.

    ``cached``: it is none, but stands for a window that comes out of the cache.
    """
    return data.StructLayout({"error": 1, "m3": 1, "cached": 1, "passenger": passenger})


def block_layout(passenger):
    """Layout of a block that a decoder takes.

    ``block``; ``coded``; ``count``, how many values it has, and ``skip``, how many of its first
    ones are not wanted; ``last``, it is the last one of its window; ``passenger``.
    """
    counts = {"count": COUNT_BITS, "skip": COUNT_BITS}
    told = {"coded": 1, **counts, "last": 1, "passenger": passenger}
    return data.StructLayout({"block": BLOCK_BITS, **told})


def repeated_layout(width, run, passenger):
    """Layout of what a serial decoder gives: a ``value``, so many ``times``, up to ``run``.

    ``times`` is 0 where it is not wanted. ``last``: it is the last one of its block. ``error``,
    with ``last``: that was no block. ``slot`` and ``passenger`` are the block's.
    """
    told = {"times": range(run + 1), "last": 1, "error": 1, "slot": 1, "passenger": passenger}
    return data.StructLayout({"value": width, **told})
