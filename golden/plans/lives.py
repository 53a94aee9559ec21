"""Splits the tuples of a key into lives: a life ends when a table of limited size evicts the key.

Hardware that keeps a window for each key has a table of keys. An evicted key loses its whole
window; when the key arrives again, it is new. The table decides which key is evicted and when; the
query does not. So `golden` receives the evictions as input, and answers the query for keys that
forget their window at each eviction.

The *life* of a tuple is the number of earlier evictions of its key. Tuples are partitioned by key
and life: arrivals of a key are counted from 0 in each life, and no window holds tuples of two
lives. For instance, with windows of two tuples (ROWS 2 SLIDE 2), when arrival 3 evicts key 5:

    arrival    0    1    2    3    4    5    6
    key        5    5    5    9    5    9    5
    life       0    0    0    0    1    0    1
    row             5,0                 9,0  5,0    key and number of the window

The tuple of arrival 2 is in no row, since its life ends before a second tuple fills its window.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Window
from pyspark.sql import functions as fn

from golden.plans.stream import Stream
from golden.spark.arrow_maps import frame_of
from golden.tuples import arrow_type
from golden.values.carry import carried_column
from query.errors import UserError
from query.query import Query
from query.schema import Column

NAMES = ("key", "arrival")


@dataclass(frozen=True, eq=False)
class Evictions:
    """Holds the evicted keys, in order of their evictions.

    Attributes
    ----------
    column : Column
        Column of ``PARTITION BY``, to which the keys belong.
    table : pa.Table
        Column ``key`` holds raw values (`golden.tuples.arrow_type`). Column ``arrival``, int64,
        holds the number of the arrival that evicts the key. Arrivals are counted from 0 after the
        tuples that NaN and WHERE drop. One arrival evicts at most one key, so the numbers ascend.
        The eviction precedes the tuple of the same arrival: if that tuple has the evicted key, it
        is the first tuple of the key's next life.
    file : Path or None
        File of the evictions, for messages.

    Raises
    ------
    TypeError
        For columns of other names or types.
    ValueError
        When arrivals do not ascend, or for a key that no tuple can have: null, or NaN.
    """

    column: Column
    table: pa.Table
    file: Path | None = None

    def __post_init__(self) -> None:
        kinds = dict(zip(self.table.column_names, self.table.schema.types, strict=True))
        expected = dict(zip(NAMES, (arrow_type(self.column.type), pa.int64()), strict=True))
        if kinds != expected:
            raise TypeError(f"columns must be {_listed(expected)}, not {_listed(kinds)}")
        if fault := first_invalid(self.column, self.table):
            raise ValueError(fault[1])

    @classmethod
    def from_values(cls, query: Query, keys: Sequence, arrivals: Sequence[int]) -> "Evictions":
        """Returns the evictions of keys, as raw values, by arrivals."""
        column = partition_column(query)
        arrays = (pa.array(keys, arrow_type(column.type)), pa.array(arrivals, pa.int64()))
        return cls(column, pa.table(dict(zip(NAMES, arrays, strict=True))))

    def __len__(self) -> int:
        """Returns the number of evictions, so an empty table of evictions is false."""
        return self.table.num_rows


def partition_column(query: Query) -> Column:
    """Returns the column of ``PARTITION BY``; raises UserError if the query has none."""
    if query.partition is None:
        raise UserError("only keys of PARTITION BY are evicted, and the query has none")
    return query.partition


def first_invalid(column: Column, table: pa.Table) -> tuple[int, str] | None:
    """Returns (row, reason) of the first invalid eviction; None if all are valid."""
    faults = []
    for name in NAMES:
        if (row := pc.index(pc.is_null(table[name]), True).as_py()) >= 0:
            faults.append((row, f"{name}: there is no value"))
    if column.type.floating and (row := pc.index(pc.is_nan(table["key"]), True).as_py()) >= 0:
        faults.append((row, "key: nan is no key, because tuples with a NaN are dropped"))
    arrivals = pc.fill_null(table["arrival"], 0).to_numpy()
    if len(negative := np.flatnonzero(arrivals < 0)):
        faults.append(
            (int(negative[0]), f"arrival must be at least 0, not {arrivals[negative[0]]}")
        )
    if len(descending := np.flatnonzero(arrivals[1:] <= arrivals[:-1])):
        row = int(descending[0]) + 1
        pair = f"{arrivals[row]} after {arrivals[row - 1]}"
        faults.append((row, f"arrival must be greater than the one before, not {pair}"))
    return min(faults, default=None)


def with_lives(stream: Stream, evictions: Evictions) -> Stream:
    """Returns the stream with the column ``life`` added to its tuples.

    There must be at least one eviction. Raises UserError when an eviction names an arrival beyond
    the last tuple.
    """
    last = evictions.table["arrival"][-1].as_py()
    if last >= stream.count:
        raise UserError(
            f"a key is evicted by arrival {last:,}, and only {stream.count:,} tuples arrive, "
            "counted from 0 after NaN and WHERE",
            file=evictions.file,
        )
    tuples = stream.tuples
    keys = carried_column(evictions.table["key"], evictions.column.type)
    table = pa.table({"key": keys, "n": evictions.table["arrival"]})
    evicted = frame_of(tuples.sparkSession, table)
    # Column ``out``: 1 for an eviction, 0 for a tuple; its sum up to a tuple is the tuple's life.
    events = tuples.withColumn("out", fn.lit(0).cast("long")).unionByName(
        evicted.withColumn("out", fn.lit(1).cast("long")), allowMissingColumns=True
    )
    up_to_n = Window.partitionBy("key").orderBy("n")  # includes an eviction at the same n
    lives = events.withColumn("life", fn.sum("out").over(up_to_n)).filter("out = 0").drop("out")
    return replace(stream, tuples=lives)


def _listed(kinds):
    return ", ".join(f"{name} {kind}" for name, kind in kinds.items())
