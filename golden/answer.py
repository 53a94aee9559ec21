"""The answer of a query, as DESIGN section 2 defines it, by PySpark.

Two steps stand before the window, and the window sees only what they let pass: tuples with a NaN
in a column that the query uses are dropped, then those that fail WHERE. So arrivals, the greatest
time, punctuations and the default start are those of the tuples that pass.
"""

import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as fn

from golden import windows
from golden.aggregates import operator, ordered, plain, wide_sum
from golden.predicate import condition
from golden.tuples import Tuples, arrow_type
from query.aggregate import Function
from query.query import Query
from query.window import Range, Rows, Whole

ARRIVAL = "#"  # the column of a frame of tuples that counts arrivals; no schema can name it so


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """The expected rows, and what else there is to expect of whoever computes them.

    Attributes
    ----------
    rows : pa.Table
        As `answer` gives them.
    start : int or None
        RANGE: where window 0 begins, in raw units of the time column; None when no tuple passes
        and none was given.
    late : int
        RANGE: tuples dropped for being late, or before the start; else 0.
    """

    rows: pa.Table
    start: int | None = None
    late: int = 0


def full_answer(
    query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None
) -> Answer:
    """`answer` and all that belongs to it; for the parameters see there."""
    df = _spark_frame(query, spark, tuples)
    late = 0
    if isinstance(query.window, Range):
        start, late = _start_and_late(query, df, start)
    return Answer(rows=_rows(query, df, start), start=start, late=late)


def answer(query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None) -> pa.Table:
    """The expected rows, with the columns `Query.row_names`, in the order of DESIGN section 2.

    Parameters
    ----------
    query : Query
    spark : SparkSession
    tuples : Tuples
        Must hold the query's columns.
    start : int or None
        RANGE only: where window 0 begins, in raw units of the time column. None takes the first
        tuple's time less the slack, rounded down to a multiple of the slide.

    Returns
    -------
    pa.Table
        Raw values of `row_types`; the aggregates of an empty time window are null, but count and
        sum are 0.
    """
    return _rows(query, _spark_frame(query, spark, tuples), start)


def row_types(query: Query) -> list[tuple[str, pa.DataType]]:
    """Names and Arrow types of the answer's columns."""
    types = [pa.int64()]
    types += [_end_type(query)] if isinstance(query.window, Range) else []
    types += [arrow_type(query.key.type)] if query.key else []
    types += [_result_type(item.aggregate) for item in query.items]
    return list(zip(query.row_names, types, strict=True))


def frame(query: Query, df: DataFrame, start: int | None = None) -> DataFrame:
    """The answer as a frame, of tuples as a frame.

    ``df`` has the column `ARRIVAL` (long, ascending in order of arrival) and the query's columns
    as raw values; see `answer` for ``start`` and the result.
    """
    tuples = passing(query, df)
    results, by = _results(query), ["key"] if query.key else []
    window, order = query.window, windows.STREAM_ORDER
    if isinstance(window, Whole):
        rows = windows.whole(tuples, results, by)
    elif isinstance(window, Rows) and window.partition:
        rows, order = windows.partition_rows(tuples, window, results), windows.PARTITION_ORDER
    elif isinstance(window, Rows):
        rows = windows.rows(_renumbered(tuples), window, results, by)
    elif window.partition:
        rows, _ = windows.partition_range(tuples, window, results, start)
        order = windows.PARTITION_ORDER
    else:
        rows, _ = windows.stream_range(tuples, window, results, by, start)
    shown = ["window", *(["window_end"] if isinstance(window, Range) else [])]
    key = [plain(fn.col("key"), query.key.type)] if query.key else []
    rows = rows.orderBy(*(name for name in order if name in rows.columns))
    return rows.select(*shown, *key, *results.names()).toDF(*query.row_names)


def passing(query: Query, df: DataFrame) -> DataFrame:
    """The tuples that the window sees, with the columns that `golden.windows` expects."""
    columns = {column.name: fn.col(f"`{column.name}`") for column in query.columns}
    floats = [c.name for c in query.columns if c.type.floating]
    df = df.filter(
        reduce(lambda a, b: a & b, [~fn.isnan(columns[name]) for name in floats], fn.lit(True))
    )
    if query.where:
        df = df.filter(condition(query.where, columns))
    shown = [fn.col(f"`{ARRIVAL}`").alias("n")]
    shown += [ordered(columns[query.key.name], query.key.type).alias("key")] if query.key else []
    if isinstance(query.window, Range):
        shown.append(columns[query.window.attribute.name].alias("t"))
    names = _value_names(query)
    return df.select(*shown, *(columns[name].alias(as_) for name, as_ in names.items()))


def start_and_late(
    query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None
) -> tuple[int | None, int]:
    """`Answer.start` and `Answer.late` of a RANGE query, without its rows."""
    return _start_and_late(query, _spark_frame(query, spark, tuples), start)


def nan_count(query: Query, tuples: Tuples) -> int:
    """How many tuples have a NaN in a column that the query uses: dropped before everything."""
    floats = [tuples.table[c.name] for c in query.columns if c.type.floating]
    masks = [pc.is_nan(column) for column in floats]
    return pc.sum(reduce(pc.or_, masks)).as_py() or 0 if masks else 0


def _start_and_late(query, df, start):
    seen, results = passing(query, df), _results(query)
    if query.window.partition:
        _, marked = windows.partition_range(seen, query.window, results, start)
    else:
        by = ["key"] if query.key else []
        _, marked = windows.stream_range(seen, query.window, results, by, start)
    found = marked.agg(fn.max("start").alias("start"), fn.count_if("late").alias("late")).head()
    return start if found["start"] is None else int(found["start"]), found["late"]


def _rows(query, df, start):
    return _collected(frame(query, df, start)).cast(pa.schema(row_types(query)))


def _value_names(query):
    used = {item.aggregate.column.name for item in query.items if item.aggregate.column}
    return {name: f"x{i}" for i, name in enumerate(sorted(used))}


def _results(query):
    names = _value_names(query)
    aggregates = [item.aggregate for item in query.items]
    return windows.Results(
        tuple(operator(aggregate, f"a{i}") for i, aggregate in enumerate(aggregates)),
        tuple(names[a.column.name] if a.column else None for a in aggregates),
    )


def _renumbered(tuples):
    return tuples.withColumn("n", (fn.row_number().over(Window.orderBy("n")) - 1).cast("long"))


def _end_type(query):
    return arrow_type(query.window.attribute.type)


def _result_type(aggregate):
    if aggregate.function in (Function.COUNT, Function.COUNT_DISTINCT):
        return pa.int64()
    type_ = aggregate.column.type
    if aggregate.function == Function.SUM and not type_.floating:
        return pa.decimal128(38, 0) if wide_sum(type_) else pa.int64()
    return arrow_type(type_)


@contextmanager
def _quiet():
    """Without PySpark's remark on the version of pandas, which golden does not use."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        yield


def _spark_frame(query, spark, tuples):
    table = tuples.table.select([column.name for column in query.columns])
    arrival = pa.array(np.arange(len(tuples)))
    with _quiet():
        return spark.createDataFrame(table.add_column(0, ARRIVAL, arrival))


def _collected(df):
    with _quiet():
        return df.toArrow()
