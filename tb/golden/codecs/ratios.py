"""Measures how values of keys fill blocks: the ratio of a codec, and the sizes of blocks."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from golden.codecs.blocks import BlockWriter
from golden.codecs.codec import Codec
from golden.codecs.ratio import full_blocks, ratio_of_blocks
from golden.codecs.registry import CODECS


def ratio_of(codec: str, keys: np.ndarray, values: np.ndarray, bits: int, **settings: Any) -> float:
    """Returns the compression ratio of the first :data:`~golden.codecs.ratio.MAX_VALUES` values.

    The ratio is the bits of the values in full blocks over the bits of these blocks.

    Parameters
    ----------
    codec : str
    keys : array
        Key of each value.
    values : array
        Whole numbers of ``bits`` bits, in order of arrival.
    settings
        Further settings of the codec, such as the ``kind`` of :class:`~golden.codecs.sz.Sz`.

    Returns
    -------
    float
        1.0 if no block is full.
    """
    model = CODECS[codec](32 if bits <= 32 else 64, **settings)
    return ratio_of_blocks(model, full_blocks(model, keys, values))


def block_sizes(codec: Codec, values: Iterable[int]) -> list[int]:
    """Returns the number of values in each block of a key; the last block is the growing one.

    For instance 100 equal values as bases and deltas of 64 bits fill blocks of 54 and 46 values.
    """
    writer = BlockWriter(codec)
    sizes = []
    for value in values:
        growing = writer.growing
        block = writer.take(int(value) % (1 << codec.width))
        if block is not None and growing is not None:
            sizes.append(len(growing.values))
    return [*sizes, len(writer.growing.values)] if writer.growing else sizes
