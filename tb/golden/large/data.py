"""Makes a Parquet file of many tuples, block by block, so that memory does not grow."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

#: First time of the stream, in seconds, and how many seconds column d is behind column t at most.
BEGIN, DISORDER = 600_000, 5
_BLOCK = 1_000_000


def make(path: Path, tuples: int) -> None:
    """Writes ``tuples`` tuples to ``path``: times t and d, keys k and groups g, and values x.

    Column t ascends by a second every fourth tuple on average; d is t, up to `DISORDER` seconds
    earlier. There are 1,000 keys and 16 groups, equally likely; values are uniform.
    """
    random, time = np.random.default_rng(1), BEGIN
    with pq.ParquetWriter(path, _block(random, 0, time).schema) as writer:
        for first in range(0, tuples, _BLOCK):
            block = _block(random, min(_BLOCK, tuples - first), time)
            time = block["t"][-1].as_py()
            writer.write_table(block)


def _block(random, tuples, time):
    t = time + np.cumsum(random.integers(0, 4, tuples) == 0)
    d = np.maximum(t - random.integers(0, DISORDER + 1, tuples), BEGIN)
    k = random.integers(0, 1000, tuples)
    x = random.integers(-1_000_000, 1_000_000, tuples)
    return pa.table({"t": t, "d": d, "k": k, "g": k % 16, "x": x})
