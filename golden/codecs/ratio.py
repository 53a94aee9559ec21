"""How much smaller a codec makes the values of keys."""

import numpy as np

from golden.codecs.base_delta import BaseDelta
from golden.codecs.blocks import BLOCK_BITS, BlockWriter
from golden.codecs.grid import Grid
from golden.codecs.sz import Sz
from golden.codecs.xor import Xor

CODECS = {"base-delta": BaseDelta, "xor": Xor, "grid": Grid, "sz": Sz}
#: Values that are compressed, at most: some seconds.
MOST = 200_000


def ratio_of(codec, keys, values, bits, **settings):
    """Bits of values over those of the blocks that they fill, of the first :data:`MOST` values.

    Parameters
    ----------
    codec : str
    keys : array
        Of each value.
    values : array
        Whole numbers, of so many ``bits``, in the order of their arrival.
    settings
        More of the codec, such as the ``kind`` of :class:`~golden.codecs.sz.Sz`.

    Returns
    -------
    float
        1.0 if no block is filled.
    """
    made = CODECS[codec](32 if bits <= 32 else 64, **settings)
    return ratio_of_blocks(made, full_blocks(made, keys, values))


def ratio_of_blocks(codec, blocks):
    """That of blocks as :func:`full_blocks` gives them; 1.0 if there is none."""
    full = sum(len(held) for held, _ in blocks)
    return full * codec.width / (len(blocks) * BLOCK_BITS) if blocks else 1.0


def full_blocks(codec, keys, values):
    """(values, raw) of each block that is filled, of the first :data:`MOST` values of keys."""
    blocks = []
    for part in by_key(keys[:MOST], values[:MOST]):
        writer = BlockWriter(codec)
        for value in part:
            growing = writer.growing
            if writer.take(int(value) % (1 << codec.width)) is not None:
                blocks.append((growing.values, growing.raw))
    return blocks


def by_key(keys, values):
    """The values of each key, keys in ascending order."""
    order = np.argsort(keys, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(keys[order])) + 1)


def block_sizes(codec, values):
    """How many of a key's values its blocks have; the last is that which grows.

    For instance 100 equal values as bases and deltas of 64 bits: 54, 46.
    """
    writer, sizes = BlockWriter(codec), []
    for value in values:
        growing = writer.growing
        if writer.take(int(value) % (1 << codec.width)) is not None:
            sizes.append(len(growing.values))
    return [*sizes, len(writer.growing.values)] if writer.growing else sizes
