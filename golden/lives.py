"""Lives of keys: what a table of limited size threw out, golden takes as data.

Hardware that keeps a window for each key has a table of them. A key that is thrown out is
forgotten, with all that it had; when it comes again it is new. Which keys are thrown out, and when,
depends on the table and not on the query. So whoever has such a table tells of each key that it
throws out, and golden answers the query for keys that are forgotten there.

A key's *life* is how often it was thrown out before. It is one more column by which tuples are
partitioned: arrivals of a key are counted from 0 in each life, and no window holds tuples of two.
For instance, with windows of two tuples (ROWS 2 SLIDE 2) and key 5 thrown out by arrival 3:

    arrival    0  1  2  3  4  5  6
    key        5  5  5  9  5  9  5
    life       0  0  0  0  1  0  1
    row           5,0         9,0  5,0      key and number of the window

The tuple of arrival 2 waits for another one that does not come in its life, so it is in no row.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as fn

from golden.carry import carried_column
from golden.tuples import arrow_type
from query.errors import UserError
from query.query import Query
from query.schema import Column

NAMES = ("key", "arrival")


@dataclass(frozen=True, eq=False)
class Evictions:
    """Keys that were thrown out, in the order in which that happened.

    Attributes
    ----------
    column : Column
        That of ``PARTITION BY``, which the keys are of.
    table : pa.Table
        ``key`` are raw values (`golden.tuples.arrow_type`), ``arrival`` are int64: the number of
        the arrival that threw the key out, from 0, of those that pass NaN and WHERE. One arrival
        throws out one key at most, so the numbers ascend. The tuple of that very arrival comes
        behind: was it of the same key, it would be the first of the key's next life.

    Raises
    ------
    TypeError
        For columns of other names or types.
    ValueError
        When arrivals do not ascend, or for a key that no tuple can have: null, or NaN.
    """

    column: Column
    table: pa.Table

    def __post_init__(self):
        kinds = dict(zip(self.table.column_names, self.table.schema.types, strict=True))
        expected = dict(zip(NAMES, (arrow_type(self.column.type), pa.int64()), strict=True))
        if kinds != expected:
            raise TypeError(f"columns must be {_told(expected)}, not {_told(kinds)}")
        if wrong := first_wrong(self.column, self.table):
            raise ValueError(wrong[1])

    @classmethod
    def of(cls, query: Query, keys, arrivals):
        """Evictions of raw values of keys, and the arrivals that threw them out."""
        column = partition_column(query)
        arrays = (pa.array(keys, arrow_type(column.type)), pa.array(arrivals, pa.int64()))
        return cls(column, pa.table(dict(zip(NAMES, arrays, strict=True))))

    def __len__(self):
        return self.table.num_rows


def partition_column(query: Query) -> Column:
    """The column of ``PARTITION BY``; raises UserError when the query has none."""
    if query.partition is None:
        raise UserError("only keys of PARTITION BY are thrown out, and the query has none")
    return query.partition


def first_wrong(column: Column, table: pa.Table):
    """(row, reason) of the first eviction that cannot be; None when all can."""
    found = []
    for name in NAMES:
        if (row := pc.index(pc.is_null(table[name]), True).as_py()) >= 0:
            found.append((row, f"{name}: there is no value"))
    if column.type.floating and (row := pc.index(pc.is_nan(table["key"]), True).as_py()) >= 0:
        found.append((row, "key: nan is no key, for tuples with a NaN are dropped"))
    arrivals = pc.fill_null(table["arrival"], 0).to_numpy()
    if len(below := np.flatnonzero(arrivals < 0)):
        found.append((int(below[0]), f"arrival must be at least 0, not {arrivals[below[0]]}"))
    if len(back := np.flatnonzero(arrivals[1:] <= arrivals[:-1])):
        row = int(back[0]) + 1
        told = f"{arrivals[row]} after {arrivals[row - 1]}"
        found.append((row, f"arrival must be greater than the one before, not {told}"))
    return min(found, default=None)


def with_lives(seen: DataFrame, spark: SparkSession, evictions: Evictions) -> DataFrame:
    """The tuples that the window sees, with the column ``life``.

    ``n`` of ``seen`` must count them from 0 without gaps. Raises UserError when there are fewer
    than an eviction says.
    """
    _check_arrivals(seen, evictions)
    keys = carried_column(evictions.table["key"], evictions.column.type)
    thrown = spark.createDataFrame(pa.table({"key": keys, "n": evictions.table["arrival"]}))
    events = seen.withColumn("out", fn.lit(0).cast("long")).unionByName(
        thrown.withColumn("out", fn.lit(1).cast("long")), allowMissingColumns=True
    )
    before = Window.partitionBy("key").orderBy("n")  # what has the same n counts, too
    return events.withColumn("life", fn.sum("out").over(before)).filter("out = 0").drop("out")


def _check_arrivals(seen, evictions):
    last, count = evictions.table["arrival"][-1].as_py(), seen.count()
    if last >= count:
        raise UserError(
            f"a key is thrown out by arrival {last:,}, and only {count:,} tuples arrive, "
            "counted from 0 behind NaN and WHERE"
        )


def _told(kinds):
    return ", ".join(f"{name} {kind}" for name, kind in kinds.items())
