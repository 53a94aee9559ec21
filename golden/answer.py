"""Computes the answer of a query, as DESIGN section 2 defines it, by PySpark.

Two steps precede the window. The first drops tuples with a NaN in a column that the query uses, the
second drops tuples that fail WHERE. So arrivals, the greatest time, punctuations and the default
start count only tuples that pass both steps.
"""

import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as fn

from golden import times, windows
from golden.aggregates.registry import operator
from golden.carry import ARRIVAL, addends, carried, extremes, plain_rows
from golden.codecs.sz import AnySz
from golden.lives import Evictions, partition_column, with_lives
from golden.panes import Results
from golden.predicate import condition
from golden.restored import with_restored_values
from golden.time_rows import end_type, with_empty, with_ends
from golden.tuples import Tuples, arrow_type
from query.aggregate import Aggregate
from query.errors import UserError
from query.query import Query
from query.window import Range, Rows, WholeStream


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
    (`golden.lives`): its windows that were open give no row, and the new life knows no closed
    window. The rows still have the key, and stay in the order of their triggers. With a ``codec``
    of `golden.codecs`, windows of keys aggregate the values that the codec restores after
    compression; late tuples are not compressed.

    Raises UserError for evictions of a query without PARTITION BY, and for an eviction by an
    arrival beyond the last tuple.
    """
    arrivals = passing(query, _spark_frame(query, spark, tuples))
    if evictions is not None:
        partition_column(query)
    if evictions:
        arrivals = with_lives(_renumbered(arrivals), spark, evictions)
    span = _span(query, arrivals, start)
    aggregated = arrivals
    if codec is not None:
        aggregated = _without_late(query, arrivals, span)
        aggregated = with_restored_values(
            aggregated, codec, _key_columns(arrivals), stamped=span is not None
        )
    rows = _rows(query, aggregated, span)
    if span is None:
        return Answer(rows=rows, start=start)
    return Answer(rows=rows, start=span.start, late=_late_count(query, arrivals, span))


def answer(query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None) -> pa.Table:
    """Returns the rows of a query, with columns `Query.row_names`, ordered as in DESIGN section 2.

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
        Raw values of `row_types`. In an empty time window count and sum are 0, and the other
        aggregates are null.

    Raises
    ------
    UserError
        When the answer has more windows than `golden.panes` allows, or is too large for Spark.
    """
    arrivals = passing(query, _spark_frame(query, spark, tuples))
    return _rows(query, arrivals, _span(query, arrivals, start))


def row_types(query: Query) -> list[tuple[str, pa.DataType]]:
    """Returns the names and Arrow types of the answer's columns."""
    types = [pa.int64()]
    types += [end_type(query.window)] if isinstance(query.window, Range) else []
    types += [arrow_type(query.key.type)] if query.key else []
    types += [_result_type(item.aggregate) for item in query.items]
    return list(zip(query.row_names, types, strict=True))


def passing(query: Query, df: DataFrame) -> DataFrame:
    """Returns the tuples that reach the window, with the columns that `golden.windows` expects.

    ``df`` has the columns of `golden.carry.carried`.
    """
    columns = {column.name: fn.col(f"`{column.name}`") for column in query.columns}
    for column in query.columns:
        if column.type.floating:
            df = df.filter(columns[column.name].between(*map(fn.lit, extremes(column.type))))
    if query.where:
        df = df.filter(condition(query.where, columns))
    selected = [fn.col(f"`{ARRIVAL}`").alias("n")]
    selected += [columns[query.key.name].alias("key")] if query.key else []
    if isinstance(query.window, Range):
        selected.append(columns[query.window.attribute.name].alias("t"))
    names = _value_names(query)
    return df.select(*selected, *(fn.col(f"`{name}`").alias(as_) for name, as_ in names.items()))


def start_and_late(
    query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None
) -> tuple[int | None, int]:
    """Returns `Answer.start` and `Answer.late` of a RANGE query, without computing its rows."""
    assert isinstance(query.window, Range)
    arrivals = passing(query, _spark_frame(query, spark, tuples))
    span = times.span_of(arrivals, query.window, start)
    return (start, 0) if span is None else (span.start, _late_count(query, arrivals, span))


def nan_count(query: Query, tuples: Tuples) -> int:
    """Returns the number of tuples with a NaN in a column that the query uses.

    These tuples are dropped before WHERE and before the window.
    """
    floats = [tuples.table[c.name] for c in query.columns if c.type.floating]
    masks = [pc.is_nan(column) for column in floats]
    return pc.sum(reduce(pc.or_, masks)).as_py() or 0 if masks else 0


def _span(query, arrivals, start):
    """Returns the span of a RANGE query; None without RANGE, or without tuples.

    Raises UserError when the span has too many windows.
    """
    if not isinstance(query.window, Range):
        return None
    span = times.span_of(arrivals, query.window, start)
    if span is not None:
        times.check_span(arrivals, query.window, span, grouped=query.key is not None)
    return span


def _late_count(query, arrivals, span):
    _, marked = _timed(query, arrivals, span)
    return marked.agg(fn.count_if("late")).head()[0]


def _without_late(query, arrivals, span):
    """Returns the arrivals without the late tuples of a RANGE query; others have no late tuple."""
    if span is None:
        return arrivals
    _, marked = _timed(query, arrivals, span)
    return marked.filter("not late").select(*arrivals.columns)


def _rows(query, arrivals, span):
    schema = pa.schema(row_types(query))
    if isinstance(query.window, Range) and span is None:
        return schema.empty_table()
    names = [name for name in query.row_names if name != "window_end"]
    rows = plain_rows(query, _collected(_plan(query, arrivals, span)).rename_columns(names))
    if span is not None:
        if query.key is None:
            rows = with_empty(rows, query, span.window_count(query.window.slide))
        rows = with_ends(rows, query.window, span.start)
    return rows.cast(schema)


def _plan(query, arrivals, span):
    """Returns the rows of windows that hold a tuple, in their order, without their ends."""
    results = _results(query)
    by = _key_columns(arrivals)
    window = query.window
    order = windows.STREAM_ORDER
    if isinstance(window, WholeStream):
        rows = windows.whole_stream(arrivals, results, by)
    elif isinstance(window, Rows) and window.partition:
        rows = windows.partition_rows(arrivals, window, results, by)
    elif isinstance(window, Rows):
        rows = windows.rows(_renumbered(arrivals), window, results, by)
    else:
        rows, _ = _timed(query, arrivals, span)
    if query.partition:
        order = windows.PARTITION_ORDER
    rows = rows.orderBy(*(name for name in order if name in rows.columns))
    return rows.select("window", *(["key"] if query.key else []), *results.names())


def _timed(query, arrivals, span):
    """Returns the rows of a RANGE query, and the tuples with the flag ``late``."""
    results = _results(query)
    by = _key_columns(arrivals)
    if query.window.partition:
        return times.partition_range(arrivals, query.window, results, by, span)
    return times.stream_range(arrivals, query.window, results, by, span)


def _key_columns(arrivals):
    """Returns the names of the columns that identify a group or a key."""
    return [name for name in ("key", "life") if name in arrivals.columns]


def _carried_name(aggregate):
    """Returns the column of `golden.carry.carried` that ``aggregate`` reads; None for count(*)."""
    if aggregate.column is None:
        return None
    name = aggregate.column.name
    return addends(name) if aggregate.adds_floats else name


def _value_names(query):
    """Returns the name in frames, ``x0`` and so on, of each carried column of values."""
    used = {_carried_name(item.aggregate) for item in query.items} - {None}
    return {name: f"x{i}" for i, name in enumerate(sorted(used))}


def _results(query):
    """Returns the aggregates of the SELECT list over the columns of `_value_names`."""
    names = {None: None} | _value_names(query)
    aggregates = [item.aggregate for item in query.items]
    keyed = query.partition is not None
    return Results(
        tuple(operator(a, f"a{i}", tree=keyed) for i, a in enumerate(aggregates)),
        tuple(names[_carried_name(aggregate)] for aggregate in aggregates),
        windows.KEY_ARRIVAL if keyed else "n",
    )


def _renumbered(tuples):
    """Returns the tuples with ``n`` counted from 0 without gaps."""
    return tuples.withColumn("n", (fn.row_number().over(Window.orderBy("n")) - 1).cast("long"))


def _result_type(aggregate: Aggregate) -> pa.DataType:
    """Returns the Arrow type of an aggregate's result."""
    result = aggregate.result
    if result.type is not None:
        return arrow_type(result.type)
    return pa.decimal128(38, 0) if result.bits > 63 else pa.int64()


@contextmanager
def _quiet():
    """Mutes PySpark's warning about the version of pandas, which golden does not use."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        yield


def _spark_frame(query, spark, tuples):
    with _quiet():
        return spark.createDataFrame(carried(query, tuples))


def _collected(df):
    """Returns the rows of a frame as a table; raises UserError if they are too many."""
    try:
        with _quiet():
            return df.toArrow()
    except PySparkException as error:
        if "spark.driver.maxResultSize" in str(error):
            raise UserError("the rows are too many for PySpark: more than 3 GB of them") from None
        raise
