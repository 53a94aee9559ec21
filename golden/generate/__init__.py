"""Streams that the project makes: seeded, the same bytes for the same seed on every machine.

The generators draw nothing but uniform random numbers and use nothing but additions,
multiplications, divisions and comparisons, which IEEE-754 defines to the bit.
"""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.rows import replacing


def write_csv(table: pa.Table, path):
    """Writes a generated table as CSV, gzipped when ``path`` ends in ``.gz``; whole or not at all.

    The bytes of the text depend on the table alone. (Those of the gzip file also on zlib.)
    """
    path = Path(path)
    lines = pc.binary_join_element_wise(*(c.cast(pa.string()) for c in table.columns), ",")
    text = "\n".join([",".join(table.column_names), *lines.to_pylist(), ""]).encode()
    with replacing(path) as scratch:
        data = gzip.compress(text, mtime=0) if path.suffix == ".gz" else text
        Path(scratch).write_bytes(data)


def pick(random: np.random.Generator, weights, count: int) -> np.ndarray:
    """``count`` indices into ``weights``, drawn with probabilities in their proportion."""
    cumulative = np.cumsum(np.asarray(weights, float))
    return np.searchsorted(cumulative, random.random(count) * cumulative[-1], side="right")


def below(random: np.random.Generator, bound: int, count: int) -> np.ndarray:
    """``count`` whole numbers from 0, less than ``bound``, all equally likely."""
    return (random.random(count) * bound).astype(np.int64)
