"""Generates streams from a seed: the same seed gives the same bytes on every machine.

The generators draw only uniform random numbers. They use only additions, multiplications, divisions
and comparisons, whose results IEEE-754 defines to the bit.
"""

import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from golden.rows import replacing

_PART = 1 << 20  # rows that are written at a time


def write_csv(table: pa.Table, path: str | Path) -> None:
    """Writes a generated table as CSV, gzipped for a suffix ``.gz``; completely or not at all.

    The bytes of the text depend only on the table. The bytes of a gzip file depend on zlib, too.
    """
    path = Path(path)
    with replacing(path) as scratch, open(scratch, "wb") as file:
        if path.suffix != ".gz":
            file.writelines(_csv_parts(table))
            return
        packed = zlib.compressobj(9, wbits=31)  # the header of gzip without a time
        file.writelines(packed.compress(part) for part in _csv_parts(table))
        file.write(packed.flush())


def _csv_parts(table):
    """Yields the text of a table in parts, since Arrow takes no more than 2 GiB of text at once."""
    yield f"{','.join(table.column_names)}\n".encode()
    for begin in range(0, table.num_rows, _PART):
        columns = [column.cast(pa.string()) for column in table[begin : begin + _PART].columns]
        lines = pc.binary_join_element_wise(*columns, ",")
        yield "\n".join([*lines.to_pylist(), ""]).encode()


def pick(random: np.random.Generator, weights: npt.ArrayLike, count: int) -> np.ndarray:
    """Returns ``count`` random indices into ``weights``, with probabilities in their proportion."""
    cumulative = np.cumsum(np.asarray(weights, float))
    return np.searchsorted(cumulative, random.random(count) * cumulative[-1], side="right")


def below(random: np.random.Generator, bound: int, count: int) -> np.ndarray:
    """Returns ``count`` whole numbers, uniform from 0 to ``bound`` - 1."""
    return (random.random(count) * bound).astype(np.int64)
