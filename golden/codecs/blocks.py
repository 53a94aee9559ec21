"""Blocks of 64 bytes: how the symbols of a key's values lie in them, whatever the codec.

::

    511         505 496 495                                                    0
    coded   mark | count | seed | large parts  -->            <--  small parts
    raw     value 0 | value 1 | ...

A block is *coded* or *raw*. A coded one begins with a mark, with how many values it has, and with
a seed: what is needed to decode the first of them without any other block. Then come the symbols of
its values. A symbol has a large part, which goes on from the seed downwards, and a small part,
which goes on from the other end upwards; either may be of no bits. The block is closed by the first
value whose symbol has no room left, and the bits between are 0.

A raw block has its values themselves, the first on top, and nothing else: so values that cannot be
compressed take no more than their own bits. It is told from a coded one by its first seven bits,
which are not the mark. Which it becomes is settled by its first value:

- raw, if the block before would have been no worse as a raw one: it had fewer values than that
  has place for; or it was raw, and coded it would not have had them all;
- coded, else, and where the first value itself begins with the mark.

For instance eight noisy values of 64 bits take 8 + 8 + 8 ... values in raw blocks, while coded by
the difference to the one before they would take 7 + 7 + 7 ...

With windows of time blocks are *stamped*: all are coded, and have values of one slide only, whose
number, modulo 2^n, stands in n bits between the count and the seed. So a value of another slide
closes the block, too.

::

    stamped    mark | count | stamp | seed | large parts  -->    <--  small parts
"""

from dataclasses import dataclass, field

BLOCK_BITS = 512
MARK, MARK_BITS = 0b1010010, 7
COUNT_BITS = 9
HEAD_BITS = MARK_BITS + COUNT_BITS


class BrokenBlockError(ValueError):
    """A block that no values are coded as."""


@dataclass(frozen=True)
class Bits:
    """So many bits, as a number; the first of them is its highest."""

    value: int = 0
    length: int = 0

    def __add__(self, after):
        return Bits(self.value << after.length | after.value, self.length + after.length)

    def __str__(self):
        return f"{self.value:0{self.length}b}" if self.length else ""


@dataclass(frozen=True)
class Symbol:
    """What one value adds to a block."""

    large: Bits = Bits()
    small: Bits = Bits()

    @property
    def length(self):
        return self.large.length + self.small.length


class Reader:
    """Takes the parts of a block off, from the top and from the bottom."""

    def __init__(self, block):
        self._block, self._top, self._bottom = block, BLOCK_BITS, 0

    def large(self, length):
        """The next bits from the top, the first of them the highest."""
        self._top -= length
        self._check()
        return self._block >> self._top & ((1 << length) - 1)

    def small(self, length):
        """The next bits from the bottom."""
        bits = self._block >> self._bottom & ((1 << length) - 1)
        self._bottom += length
        self._check()
        return bits

    def finish(self):
        """What has not been taken must be 0."""
        if self._block >> self._bottom & ((1 << self._top - self._bottom) - 1):
            raise BrokenBlockError("bits between the symbols are not 0")

    def _check(self):
        if self._top < self._bottom:
            raise BrokenBlockError("symbols are longer than the block")


@dataclass
class Block:
    """A block that is growing.

    ``values`` are all of it so far, ``coded_bits`` what it takes as a coded one, and ``symbols``
    those behind the seed, if it is one. ``stamp`` is of no bits where blocks are not stamped.
    """

    raw: bool
    seed: Bits
    coded_bits: int
    values: list
    symbols: list = field(default_factory=list)
    stamp: Bits = Bits()

    def packed(self, width):
        """The block as a number of 512 bits."""
        if self.raw:
            top = Bits()
            for value in self.values:
                top += Bits(value, width)
            return top.value << BLOCK_BITS - top.length
        top = Bits(MARK, MARK_BITS) + Bits(len(self.values), COUNT_BITS)
        top += self.stamp + self.seed
        bottom = Bits()
        for symbol in self.symbols:
            top, bottom = top + symbol.large, symbol.small + bottom
        return top.value << BLOCK_BITS - top.length | bottom.value


class BlockWriter:
    """Compresses the values of one key.

    Parameters
    ----------
    codec
        Has a ``width`` of values, an ``initial`` state; ``step(state, value)``, which gives the
        state behind the value and its symbol; and ``seed(before, after)``, a block's seed as
        :class:`Bits`, from the states before and behind its first value, and ``first(symbol)``,
        what that value's symbol is then: the parts of it that the seed does not stand for. And
        ``stands(state, symbol, value)``, what comes out for a value in a coded block.
    stamp_bits : int
        Of stamped blocks, else 0.
    """

    def __init__(self, codec, stamp_bits=0):
        self._codec, self._state = codec, codec.initial
        self._stamp_bits = stamp_bits
        self._raw_next = False
        self._latest = None
        self.growing = None

    @property
    def raw_values(self):
        """Values of a raw block that is full."""
        return BLOCK_BITS // self._codec.width

    @property
    def kept(self):
        """What comes out for the last value."""
        symbol, value = self._latest
        return value if self.growing.raw else self._codec.stands(self._state, symbol, value)

    def take(self, value, slide=0):
        """The block that the value closes, as a number of 512 bits, or None."""
        before = self._state
        self._state, symbol = self._codec.step(before, value)
        self._latest = symbol, value
        block, stamp = self.growing, Bits(slide % (1 << self._stamp_bits), self._stamp_bits)
        if block is None:
            self._begin(value, before, symbol, stamp)
            return None
        if stamp == block.stamp and len(block.values) < self._most(block, symbol):
            block.values.append(value)
            block.symbols.append(symbol)
            block.coded_bits += symbol.length
            return None
        if block.raw:
            self._raw_next = block.coded_bits > BLOCK_BITS
        else:
            self._raw_next = len(block.values) < self.raw_values
        self._begin(value, before, symbol, stamp)
        return block.packed(self._codec.width)

    def _most(self, block, symbol):
        """Values that the block may have, with that of this symbol."""
        if block.raw:
            return self.raw_values
        fits = block.coded_bits + symbol.length <= BLOCK_BITS
        return (1 << COUNT_BITS) - 1 if fits else 0

    def _begin(self, value, before, symbol, stamp):
        seed, first = self._codec.seed(before, self._state), self._codec.first(symbol)
        marked = value >> self._codec.width - MARK_BITS == MARK
        raw = self._raw_next and not marked and not self._stamp_bits
        bits = HEAD_BITS + stamp.length + seed.length + first.length
        self.growing = Block(raw, seed, bits, [value], [first], stamp)


def kept(codec, values, stamped=False):
    """What comes out for each of a key's values, once it has been compressed.

    In ``stamped`` blocks it is the same whatever slide each is in, as none of them is raw.
    """
    writer, found = BlockWriter(codec, int(stamped)), []
    for value in values:
        writer.take(value)
        found.append(writer.kept)
    return found


def compress(codec, values, slides=None, stamp_bits=0):
    """All blocks of a key's values, the last one as far as it has come.

    If they are stamped, also ``slides``, the number of each value's.
    """
    writer, blocks = BlockWriter(codec, stamp_bits), []
    for value, slide in zip(values, slides or [0] * len(values), strict=True):
        if (block := writer.take(value, slide)) is not None:
            blocks.append(block)
    return blocks if writer.growing is None else [*blocks, writer.growing.packed(codec.width)]


def is_coded(block):
    """Whether a full block is a coded one."""
    return block >> BLOCK_BITS - MARK_BITS == MARK


def stamp_of(block, stamp_bits):
    """The stamp of a stamped block."""
    reader = Reader(block)
    reader.large(HEAD_BITS)
    return reader.large(stamp_bits)


def opened(block, stamp_bits=0):
    """Of a coded block a Reader from its seed on, and how many values it has."""
    reader = Reader(block)
    reader.large(MARK_BITS)
    count = reader.large(COUNT_BITS)
    reader.large(stamp_bits)
    if not count:
        raise BrokenBlockError("a block has no values")
    return reader, count


def decompress(codec, block, count=None, stamp_bits=0):
    """The values of one block.

    ``count`` is needed of a raw block that is not full, which itself cannot tell; ``stamp_bits`` of
    a stamped one, which is never raw.

    Raises
    ------
    BrokenBlockError
        No values are coded as this block.
    """
    if not is_coded(block):
        reader = Reader(block)
        values = BLOCK_BITS // codec.width if count is None else count
        return [reader.large(codec.width) for _ in range(values)]
    reader, told = opened(block, stamp_bits)
    values = codec.decode(reader, told)
    reader.finish()
    return values
