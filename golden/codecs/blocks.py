"""Packs the symbols of a key's values into blocks of 64 bytes, in the same format for every codec.

::

    511         505 496 495                                                    0
    coded   mark | count | seed | large parts  -->            <--  small parts
    raw     value 0 | value 1 | ...

A block is *coded* or *raw*. A coded block begins with a mark, the number of its values, and a seed,
from which a decoder starts without any other block. The symbols of the values follow. A symbol has
a large part and a small part, and either may have no bits. The large parts follow the seed
downwards; the small parts fill the block from the other end upwards. A value whose symbol does not
fit closes the block and begins the next block. The bits between the parts are 0.

A raw block holds the values themselves, the first on top. So values that cannot be compressed take
no more than their own bits. The first seven bits distinguish the two kinds of blocks: the first
seven bits of a raw block are never the mark. The kind of a block is fixed by its first value. The
block is raw if the block before would have been no worse as a raw block, that is, in two cases:

- the block before is coded, and has fewer values than a raw block can hold;
- the block before is raw, and a coded block could not have held all of its values.

In all other cases the block is coded. A block whose first value begins with the mark is always
coded.

For instance, noisy values of 64 bits fill raw blocks of 8 values. Coded as differences to the
value before, they would fill blocks of 7 values.

With windows of time, blocks are *stamped*. Every stamped block is coded, and all its values belong
to one slide. The n bits between count and seed hold the slide's number modulo 2^n. A value of
another slide closes the block, too.

::

    stamped    mark | count | stamp | seed | large parts  -->    <--  small parts

A codec may have *chains* of blocks, of up to ``codec.chain`` blocks each. Only the first block of a
chain has a seed. Every other block of a chain is *dependent*: its symbols continue where the block
before ends, and no seed replaces bits of its first symbol. The last bit of its mark is 1.

::

    dependent  mark + 1 | count | large parts  -->            <--  small parts

A chain ends with a raw block, too: the first coded block after a raw block has a seed. So a decoder
can begin at each raw block and at each block with a seed. With chains no raw block begins with
either mark.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from golden.codecs.codec import Codec
from golden.codecs.symbols import BLOCK_BITS, NO_BITS, Bits, BrokenBlockError, Reader, Symbol

MARK = 0b1010010
MARK_BITS = 7
COUNT_BITS = 9
HEAD_BITS = MARK_BITS + COUNT_BITS


@dataclass
class Block:
    """Holds the values of a growing block.

    Attributes
    ----------
    raw : bool
        True if the block becomes a raw block.
    seed : Bits
    coded_bits : int
        Bits of the block if it is coded, head included.
    values : list of int
    symbols : list of Symbol
        Symbols of the values; a raw block does not use them.
    stamp : Bits
        No bits unless blocks are stamped.
    place : int
        Number of earlier blocks in the chain; 0 for a block with a seed, and for a raw block.
    """

    raw: bool
    seed: Bits
    coded_bits: int
    values: list[int]
    symbols: list[Symbol] = field(default_factory=list)
    stamp: Bits = NO_BITS
    place: int = 0

    def packed(self, width: int) -> int:
        """Returns the block as a number of 512 bits."""
        if self.raw:
            top = Bits()
            for value in self.values:
                top += Bits(value, width)
            return top.value << BLOCK_BITS - top.length
        top = Bits(MARK + bool(self.place), MARK_BITS) + Bits(len(self.values), COUNT_BITS)
        top += self.stamp + self.seed
        bottom = Bits()
        for symbol in self.symbols:
            top, bottom = top + symbol.large, symbol.small + bottom
        return top.value << BLOCK_BITS - top.length | bottom.value


class BlockWriter:
    """Compresses the values of one key.

    Parameters
    ----------
    codec : Codec
    stamp_bits : int
        Width of the stamps; 0 if blocks are not stamped.

    Attributes
    ----------
    growing : Block or None
        Block of the last value; None before the first value.
    """

    def __init__(self, codec: Codec, stamp_bits: int = 0) -> None:
        self._codec = codec
        self._state = codec.initial
        self._stamp_bits = stamp_bits
        self._raw_next = False
        self._latest = Symbol(), 0
        self.growing: Block | None = None

    @property
    def raw_values(self) -> int:
        """Number of values in a full raw block."""
        return BLOCK_BITS // self._codec.width

    @property
    def restored(self) -> int:
        """The last value as a decoder restores it."""
        symbol, value = self._latest
        assert self.growing is not None
        return value if self.growing.raw else self._codec.restore(self._state, symbol, value)

    def take(self, value: int, slide: int = 0) -> int | None:
        """Adds a value; returns the 512 bits of the block that the value closes, or None."""
        previous = self._state
        self._state, symbol = self._codec.step(previous, value)
        self._latest = symbol, value
        block = self.growing
        stamp = Bits(slide % (1 << self._stamp_bits), self._stamp_bits)
        if block is None:
            self._begin(value, previous, symbol, stamp)
            return None
        if stamp == block.stamp and len(block.values) < self._capacity(block, symbol):
            block.values.append(value)
            block.symbols.append(symbol)
            block.coded_bits += symbol.length
            return None
        if block.raw:
            self._raw_next = block.coded_bits > BLOCK_BITS
        else:
            self._raw_next = len(block.values) < self.raw_values
        self._begin(value, previous, symbol, stamp)
        return block.packed(self._codec.width)

    def _capacity(self, block, symbol):
        """Returns the most values that the block may have; 0 if the symbol does not fit."""
        if block.raw:
            return self.raw_values
        fits = block.coded_bits + symbol.length <= BLOCK_BITS
        return (1 << COUNT_BITS) - 1 if fits else 0

    def _begin(self, value, previous, symbol, stamp):
        """Begins a block with the value; ``previous`` is the state before the value."""
        mark = value >> self._codec.width - MARK_BITS
        raw = self._raw_next and not is_mark(mark, self._codec) and not self._stamp_bits
        before, place = self.growing, 0
        if before is not None and not before.raw and not raw:
            place = (before.place + 1) % self._codec.chain
        seed = Bits() if place else self._codec.seed(previous, self._state)
        first = symbol if place else self._codec.first(symbol)
        bits = HEAD_BITS + stamp.length + seed.length + first.length
        self.growing = Block(raw, seed, bits, [value], [first], stamp, place)


def restored_values(codec: Codec, values: Iterable[int], stamped: bool = False) -> list[int]:
    """Returns the values that a decoder restores for a key's values.

    Stamped blocks do not need the slides: all stamped blocks are coded, so the restored values do
    not depend on the bounds of blocks.
    """
    writer = BlockWriter(codec, int(stamped))
    restored = []
    for value in values:
        writer.take(value)
        restored.append(writer.restored)
    return restored


def compress(
    codec: Codec, values: Sequence[int], slides: Sequence[int] | None = None, stamp_bits: int = 0
) -> list[int]:
    """Returns all blocks of a key's values; the last block may not be full.

    ``slides`` holds the slide of each value if blocks are stamped.
    """
    writer = BlockWriter(codec, stamp_bits)
    blocks = []
    for value, slide in zip(values, slides or [0] * len(values), strict=True):
        if (block := writer.take(value, slide)) is not None:
            blocks.append(block)
    return blocks if writer.growing is None else [*blocks, writer.growing.packed(codec.width)]


def is_mark(bits: int, codec: Codec) -> bool:
    """Returns True if 7 bits are the mark of a coded block of the codec."""
    return bits == MARK or (codec.chain > 1 and bits == MARK + 1)


def is_coded(block: int, codec: Codec | None = None) -> bool:
    """Returns True if a full block is coded; ``codec`` is necessary if it has chains of blocks."""
    mark = block >> BLOCK_BITS - MARK_BITS
    return mark == MARK if codec is None else is_mark(mark, codec)


def is_dependent(block: int, codec: Codec) -> bool:
    """Returns True if a full block can be decoded only after the block before."""
    return codec.chain > 1 and block >> BLOCK_BITS - MARK_BITS == MARK + 1


def stamp_of(block: int, stamp_bits: int) -> int:
    """Returns the stamp of a stamped block."""
    reader = Reader(block)
    reader.large(HEAD_BITS)
    return reader.large(stamp_bits)


def open_coded(block: int, stamp_bits: int = 0) -> tuple[Reader, int]:
    """Returns a Reader that stands at the seed of a coded block, and the number of values."""
    reader = Reader(block)
    reader.large(MARK_BITS)
    count = reader.large(COUNT_BITS)
    reader.large(stamp_bits)
    if not count:
        raise BrokenBlockError("a block has no values")
    return reader, count


def decompress(
    codec: Codec, block: int, count: int | None = None, stamp_bits: int = 0
) -> list[int]:
    """Returns the values of one block.

    A raw block does not hold its ``count``, so ``count`` is necessary if a raw block is not full.
    ``stamp_bits`` is the width of the stamp; a stamped block is never raw.

    Raises
    ------
    BrokenBlockError
        When no encoder makes this block, and for a dependent block.
    """
    if is_dependent(block, codec):
        raise BrokenBlockError("a block depends on the block before")
    if not is_coded(block):
        reader = Reader(block)
        raw_count = BLOCK_BITS // codec.width if count is None else count
        return [reader.large(codec.width) for _ in range(raw_count)]
    reader, coded_count = open_coded(block, stamp_bits)
    values = codec.decode(reader, coded_count)
    reader.finish()
    return values


def decompress_chains(
    codec: Codec, blocks: Sequence[int], last_count: int | None = None, state: Any = None
) -> list[list[int]]:
    """Returns a list of values for each block; the blocks follow each other in one key's stream.

    ``state`` is the state before the first block, which is necessary if this block is dependent.
    ``last_count`` is the number of values of the last block, for a raw block that is not full.

    Raises
    ------
    BrokenBlockError
        When no encoder makes these blocks, or a dependent block comes without a known state.
    """
    decoded = []
    for number, block in enumerate(blocks):
        if not is_coded(block, codec):
            count = last_count if number == len(blocks) - 1 else None
            values, state = decompress(codec, block, count), None
        else:
            reader, count = open_coded(block)
            if is_dependent(block, codec) and state is None:
                raise BrokenBlockError("the state before a dependent block is unknown")
            before = state if is_dependent(block, codec) else None
            values, state = codec.decode_on(reader, count, before)
            reader.finish()
        decoded.append(values)
    return decoded
