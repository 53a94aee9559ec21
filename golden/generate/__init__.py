"""Generates streams from a seed: the same seed gives the same bytes on every machine.

The generators draw only uniform random numbers. They use only additions, multiplications, divisions
and comparisons, whose results IEEE-754 defines to the bit.
"""

import gzip
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from golden.rows import replacing


def write_csv(table: pa.Table, path: str | Path) -> None:
    """Writes a generated table as CSV, gzipped for a suffix ``.gz``; completely or not at all.

    The bytes of the text depend only on the table. The bytes of a gzip file depend on zlib, too.
    """
    path = Path(path)
    lines = pc.binary_join_element_wise(*(c.cast(pa.string()) for c in table.columns), ",")
    text = "\n".join([",".join(table.column_names), *lines.to_pylist(), ""]).encode()
    with replacing(path) as scratch:
        data = gzip.compress(text, mtime=0) if path.suffix == ".gz" else text
        Path(scratch).write_bytes(data)


def pick(random: np.random.Generator, weights: npt.ArrayLike, count: int) -> np.ndarray:
    """Returns ``count`` random indices into ``weights``, with probabilities in their proportion."""
    cumulative = np.cumsum(np.asarray(weights, float))
    return np.searchsorted(cumulative, random.random(count) * cumulative[-1], side="right")


def below(random: np.random.Generator, bound: int, count: int) -> np.ndarray:
    """Returns ``count`` whole numbers, uniform from 0 to ``bound`` - 1."""
    return (random.random(count) * bound).astype(np.int64)
