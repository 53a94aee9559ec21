"""Computes the answer of a query over tuples in memory, by PySpark.

`golden.frames.answer` answers a query over a Spark DataFrame; both have the same plan.
"""

from dataclasses import dataclass, replace
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from golden.codecs.sz import AnySz
from golden.order.arrival import PARTITIONS
from golden.plans.lives import Evictions, partition_column, with_lives
from golden.plans.plan import key_columns, late_count, ordered, row_types, timed, window_rows
from golden.plans.restored import with_restored_values
from golden.plans.stream import stream as stream_of
from golden.plans.time_rows import with_empty, with_ends
from golden.spark.arrow_maps import frame_of, quiet
from golden.tuples import Tuples
from golden.values.carry import ARRIVAL, carried, plain_rows
from query.errors import UserError
from query.query import Query
from query.window import Range

__all__ = ["Answer", "answer", "full_answer", "nan_count", "row_types"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """Holds the expected rows, and the start and late count that an engine must report with them.

    Attributes
    ----------
    rows : pa.Table
        The rows of `answer`.
    start : int or None
        RANGE: start of window 0, in raw units of the time column; None if no tuple passes and the
        caller passed no start.
    late : int
        RANGE: number of tuples that were dropped because they were late, or before the start; else
        0.
    """

    rows: pa.Table
    start: int | None = None
    late: int = 0


def full_answer(
    query: Query,
    spark: SparkSession,
    tuples: Tuples,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec: AnySz | None = None,
) -> Answer:
    """Returns the rows of `answer` with the start and the number of late tuples.

    ``query``, ``spark``, ``tuples`` and ``start`` are those of `answer`. ``evictions`` are keys of
    PARTITION BY that a table evicted. An evicted key is forgotten and begins a new life
    (`golden.plans.lives`): its windows that were open give no row, and the new life knows no closed
    window. The rows still have the key, and stay in the order of their triggers. With a ``codec``
    of `golden.codecs`, windows of keys aggregate the values that the codec restores after
    compression; late tuples are not compressed.

    Raises UserError for evictions of a query without PARTITION BY, and for an eviction by an
    arrival beyond the last tuple.
    """
    stream = _stream(query, spark, tuples, start)
    if evictions is not None:
        partition_column(query)
    if evictions:
        stream = with_lives(stream, evictions)
    late = late_count(query, stream)
    aggregated = stream
    if codec is not None:
        values = stream.tuples
        if stream.span is not None:
            _, marked = timed(query, stream)
            values = marked.filter("not late").select(*stream.tuples.columns)
        restored = with_restored_values(
            values, codec, key_columns(values), stamped=stream.span is not None
        )
        aggregated = replace(stream, tuples=restored)
    rows = _rows(query, aggregated)
    return Answer(rows=rows, start=stream.span.start if stream.span else start, late=late)


def answer(query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None) -> pa.Table:
    """Returns the rows of a query, with columns `Query.row_names`, in the order of the language.

    The order of rows is defined in docs/query-language.md, Windows.

    Parameters
    ----------
    query : Query
    spark : SparkSession
    tuples : Tuples
        Must hold the query's columns.
    start : int or None
        RANGE only: start of window 0, in raw units of the time column. None selects the first
        tuple's time less the slack, rounded down to a multiple of the slide.

    Returns
    -------
    pa.Table
        Columns of the types of `row_types`: raw numbers of integers and fixed point, floats as
        floats, strings as strings. In an empty time window count and sum are 0, and the other
        aggregates are null.

    Raises
    ------
    UserError
        When the answer has more windows than `golden.plans.panes` allows, or is too large for
        Spark.
    """
    return _rows(query, _stream(query, spark, tuples, start))


def nan_count(query: Query, tuples: Tuples) -> int:
    """Returns the number of tuples with a NaN in a column that the query uses.

    These tuples are dropped before WHERE and before the window.
    """
    floats = [tuples.table[c.name] for c in query.columns if c.type.floating]
    masks = [pc.is_nan(column) for column in floats]
    return pc.sum(reduce(pc.or_, masks)).as_py() or 0 if masks else 0


def _stream(query, spark, tuples, start):
    """Returns the stream of tuples, which lie in Spark's partitions in order of arrival."""
    frame = frame_of(spark, carried(query, tuples))
    return stream_of(query, frame.drop(ARRIVAL), PARTITIONS, start)


def _rows(query, stream):
    """Returns the rows of a stream as a table: floats replace the numbers that Spark compares.

    Without groups and keys, empty windows of time have rows, too.
    """
    schema = pa.schema(row_types(query))
    span = stream.span
    if isinstance(query.window, Range) and span is None:
        return schema.empty_table()
    names = [name for name in query.row_names if name != "window_end"]
    rows = _collected(ordered(query, stream, window_rows(query, stream))).rename_columns(names)
    rows = plain_rows(query, rows)
    if span is not None:
        if query.key is None:
            rows = with_empty(rows, query, span.window_count(query.window.slide))
        rows = with_ends(rows, query.window, span.start)
    return rows.cast(schema)


def _collected(df):
    """Returns the rows of a frame as a table; raises UserError if they are too many."""
    try:
        with quiet():
            return df.toArrow()
    except PySparkException as error:
        if "spark.driver.maxResultSize" in str(error):
            most = df.sparkSession.conf.get("spark.driver.maxResultSize", "1g")
            raise UserError(
                f"the rows are too large for PySpark: they take more than {most}; set "
                "spark.driver.maxResultSize to a larger size"
            ) from None
        raise
