"""Measures by how much a codec compresses the values of keys."""

import numpy as np

from golden.codecs.blocks import BlockWriter
from golden.codecs.codec import Codec
from golden.codecs.symbols import BLOCK_BITS

#: Number of values that are compressed, at most, which takes some seconds.
MAX_VALUES = 200_000


def ratio_of_blocks(codec: Codec, blocks: list[tuple[list[int], bool]]) -> float:
    """Returns the compression ratio of the blocks of :func:`full_blocks`; 1.0 if there is none."""
    value_count = sum(len(values) for values, _ in blocks)
    return value_count * codec.width / (len(blocks) * BLOCK_BITS) if blocks else 1.0


def full_blocks(codec: Codec, keys: np.ndarray, values: np.ndarray) -> list[tuple[list[int], bool]]:
    """Returns (values, raw) of each full block of the first :data:`MAX_VALUES` values of keys."""
    blocks = []
    for part in by_key(keys[:MAX_VALUES], values[:MAX_VALUES]):
        writer = BlockWriter(codec)
        for value in part:
            growing = writer.growing
            block = writer.take(int(value) % (1 << codec.width))
            if block is not None and growing is not None:
                blocks.append((growing.values, growing.raw))
    return blocks


def by_key(keys: np.ndarray, values: np.ndarray) -> list[np.ndarray]:
    """Returns the values of each key, in ascending order of the keys."""
    order = np.argsort(keys, kind="stable")
    return np.split(values[order], np.flatnonzero(np.diff(keys[order])) + 1)
