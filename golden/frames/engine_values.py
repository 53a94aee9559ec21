"""Converts Spark's columns to those of an engine, and an engine's rows to a user's rows.

The host class of an engine accepts and returns raw values as arrays of NumPy: whole numbers, floats
and texts. In Spark's columns a float is an integer that ascends with the float, its *place*
(`golden.values.carry`).

A frame of results has two kinds of rows: rows of the query, and counts of the engines. Its columns
are those of the query's rows, `PART`, `COUNTER` and `COUNT`. A count has its name in `COUNTER`, its
number in `COUNT`, and NULL in the columns of the query. A row of the query has NULL in `COUNTER`
and `COUNT`. Both have in `PART` the number of the part of the stream that the engine has answered.
For instance part 2 with one row of ``window, sum(x)`` and one count:

    window  sum(x)  #part  #counter  #count
         7      31      2      NULL    NULL
      NULL    NULL      2      late       5
"""

from collections.abc import Iterator, Mapping

import numpy as np
import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from golden.frames.results import user_schema
from golden.plans.plan import row_types
from golden.rows import fraction_bits, in_schema, parts_of
from golden.values.carry import array_of, plain_column
from query.query import Query

PART, COUNTER, COUNT = "#part", "#counter", "#count"
_TAGS = [(PART, pa.int32()), (COUNTER, pa.string()), (COUNT, pa.int64())]
_BATCH = 1 << 16  # rows of a batch at most


def engine_columns(query: Query, tuples: pa.Table) -> dict[str, np.ndarray]:
    """Returns the columns of ``tuples`` that the query reads, as raw values for an engine.

    ``tuples`` begins with the columns of `golden.values.carry.carried_column`, one for each column
    of the query in their order, under any names; other columns may follow.
    """
    return {
        column.name: array_of(plain_column(tuples.column(i), column.type).combine_chunks())
        for i, column in enumerate(query.columns)
    }


def result_schema(query: Query) -> StructType:
    """Returns the schema of a frame of results, as Spark's types."""
    return from_arrow_schema(_arrow_schema(query))


def result_batches(
    query: Query, rows: Mapping[str, np.ndarray], counts: Mapping[str, int], part: int
) -> Iterator[pa.RecordBatch]:
    """Yields the batches of a frame of results: the rows of an engine, then its counts.

    ``rows`` has raw values by column, in which masked entries become NULL; ``counts`` has numbers
    by counter. ``part`` is the number of the part of the stream that the engine has answered.
    """
    schema = _arrow_schema(query)
    table = _user_rows(query, rows)
    row_tags = [pa.array([part] * table.num_rows, pa.int32())]
    row_tags += [pa.nulls(table.num_rows, type_) for _, type_ in _TAGS[1:]]
    yield from pa.table([*table.columns, *row_tags], schema=schema).to_batches(_BATCH)
    nulls = [pa.nulls(len(counts), type_) for type_ in table.schema.types]
    count_tags = [pa.array([part] * len(counts), pa.int32()), pa.array(list(counts), pa.string())]
    count_tags.append(pa.array(list(counts.values()), pa.int64()))
    yield pa.record_batch([*nulls, *count_tags], schema=schema)


def _arrow_schema(query):
    """Returns the schema of `result_schema` in the types of Arrow."""
    return pa.schema([*user_schema(query), *(pa.field(name, type_) for name, type_ in _TAGS)])


def _user_rows(query, rows):
    """Returns an engine's raw rows with the values that a user reads, see `user_schema`."""
    arrays = [_array(rows[name], type_) for name, type_ in row_types(query)]
    table = pa.table(arrays, schema=pa.schema(row_types(query)))
    schema, bits = user_schema(query), fraction_bits(query)
    return pa.concat_tables([in_schema(chunk, schema, bits) for chunk in parts_of(table)])


def _array(column, type_):
    """Returns a column of raw rows as an Arrow array of ``type_``; masked entries become NULL."""
    mask = np.ma.getmaskarray(column) if np.ma.isMaskedArray(column) else None
    values = np.ma.getdata(column)
    if values.dtype == object:
        values = values.tolist()
        if mask is not None:
            values = [None if is_null else v for v, is_null in zip(values, mask, strict=True)]
        if pa.types.is_string(type_):
            return pa.array(values, type_)
        return pa.array(values, pa.decimal128(38, 0)).cast(type_)
    array = pa.array(values, mask=mask)
    return array if array.type == type_ else array.cast(type_)
