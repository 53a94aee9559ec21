"""The answer of a query, as DESIGN section 2 defines it, by PySpark.

Two steps stand before the window, and the window sees only what they let pass: tuples with a NaN
in a column that the query uses are dropped, then those that fail WHERE. So arrivals, the greatest
time, punctuations and the default start are those of the tuples that pass.
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
from golden.aggregates import operator, wide_sum
from golden.carry import ARRIVAL, addends, carried, extremes, plain_rows, sums_floats
from golden.kept import with_kept
from golden.lives import Evictions, partition_column, with_lives
from golden.panes import Results
from golden.predicate import condition
from golden.time_rows import end_type, with_empty, with_ends
from golden.tuples import Tuples, arrow_type
from query.aggregate import Function
from query.errors import UserError
from query.query import Query
from query.window import Range, Rows, Whole


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
    query: Query,
    spark: SparkSession,
    tuples: Tuples,
    start: int | None = None,
    evictions: Evictions | None = None,
    codec=None,
) -> Answer:
    """`answer` and all that belongs to it; for the parameters see there.

    ``evictions`` are the keys of PARTITION BY that were thrown out on the way: each begins anew
    then, see `golden.lives`. Rows show it as ever, and stay in the order of their triggers. A key
    that is new knows no closed end of a window, and windows that were open then give no row.
    With a ``codec`` of `golden.codecs` windows of keys are of what it keeps of their values; late
    ones are none of these.
    Raises UserError for a query without PARTITION BY, and arrivals that there are not.
    """
    seen = passing(query, _spark_frame(query, spark, tuples))
    if evictions is not None:
        partition_column(query)
    if evictions:
        seen = with_lives(_renumbered(seen), spark, evictions)
    span = _span(query, seen, start)
    counted = seen
    if codec is not None:
        counted = _timely(query, seen, span)
        counted = with_kept(counted, codec, _by(seen), stamped=span is not None)
    rows = _rows(query, counted, span)
    if span is None:
        return Answer(rows=rows, start=start)
    return Answer(rows=rows, start=span.start, late=_late(query, seen, span))


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

    Raises
    ------
    UserError
        When the answer has more windows than `golden.panes` allows, or is too large for Spark.
    """
    seen = passing(query, _spark_frame(query, spark, tuples))
    return _rows(query, seen, _span(query, seen, start))


def row_types(query: Query) -> list[tuple[str, pa.DataType]]:
    """Names and Arrow types of the answer's columns."""
    types = [pa.int64()]
    types += [end_type(query.window)] if isinstance(query.window, Range) else []
    types += [arrow_type(query.key.type)] if query.key else []
    types += [_result_type(item.aggregate) for item in query.items]
    return list(zip(query.row_names, types, strict=True))


def passing(query: Query, df: DataFrame) -> DataFrame:
    """The tuples that the window sees, with the columns that `golden.windows` expects.

    ``df`` has the columns of `golden.carry.carried`.
    """
    columns = {column.name: fn.col(f"`{column.name}`") for column in query.columns}
    for column in query.columns:
        if column.type.floating:
            df = df.filter(columns[column.name].between(*map(fn.lit, extremes(column.type))))
    if query.where:
        df = df.filter(condition(query.where, columns))
    shown = [fn.col(f"`{ARRIVAL}`").alias("n")]
    shown += [columns[query.key.name].alias("key")] if query.key else []
    if isinstance(query.window, Range):
        shown.append(columns[query.window.attribute.name].alias("t"))
    names = _value_names(query)
    return df.select(*shown, *(fn.col(f"`{name}`").alias(as_) for name, as_ in names.items()))


def start_and_late(
    query: Query, spark: SparkSession, tuples: Tuples, start: int | None = None
) -> tuple[int | None, int]:
    """`Answer.start` and `Answer.late` of a RANGE query, without its rows."""
    seen = passing(query, _spark_frame(query, spark, tuples))
    span = times.span_of(seen, query.window, start)
    return (start, 0) if span is None else (span.start, _late(query, seen, span))


def nan_count(query: Query, tuples: Tuples) -> int:
    """How many tuples have a NaN in a column that the query uses: dropped before everything."""
    floats = [tuples.table[c.name] for c in query.columns if c.type.floating]
    masks = [pc.is_nan(column) for column in floats]
    return pc.sum(reduce(pc.or_, masks)).as_py() or 0 if masks else 0


def _span(query, seen, start):
    """The span of a RANGE query that can be answered; None without tuples, or without RANGE."""
    if not isinstance(query.window, Range):
        return None
    span = times.span_of(seen, query.window, start)
    if span is not None:
        times.check_span(seen, query.window, span, grouped=query.key is not None)
    return span


def _late(query, seen, span):
    _, marked = _timed(query, seen, span)
    return marked.agg(fn.count_if("late")).head()[0]


def _timely(query, seen, span):
    """The tuples that are not late."""
    if span is None:
        return seen
    _, marked = _timed(query, seen, span)
    return marked.filter("not late").select(*seen.columns)


def _rows(query, seen, span):
    schema = pa.schema(row_types(query))
    if isinstance(query.window, Range) and span is None:
        return schema.empty_table()
    names = [name for name in query.row_names if name != "window_end"]
    rows = plain_rows(query, _collected(_plan(query, seen, span)).rename_columns(names))
    if span is not None:
        if query.key is None:
            rows = with_empty(rows, query, span.begun(query.window.slide))
        rows = with_ends(rows, query.window, span.start)
    return rows.cast(schema)


def _plan(query, seen, span):
    """The rows of windows that hold a tuple, in their order, without their ends."""
    results, by = _results(query), _by(seen)
    window, order = query.window, windows.STREAM_ORDER
    if isinstance(window, Whole):
        rows = windows.whole(seen, results, by)
    elif isinstance(window, Rows) and window.partition:
        rows = windows.partition_rows(seen, window, results, by)
    elif isinstance(window, Rows):
        rows = windows.rows(_renumbered(seen), window, results, by)
    else:
        rows, _ = _timed(query, seen, span)
    if query.partition:
        order = windows.PARTITION_ORDER
    rows = rows.orderBy(*(name for name in order if name in rows.columns))
    return rows.select("window", *(["key"] if query.key else []), *results.names())


def _timed(query, seen, span):
    results, by = _results(query), _by(seen)
    if query.window.partition:
        return times.partition_range(seen, query.window, results, by, span)
    return times.stream_range(seen, query.window, results, by, span)


def _by(seen):
    """The columns that make a group or a key."""
    return [name for name in ("key", "life") if name in seen.columns]


def _addressed(aggregate):
    """The column of `golden.carry.carried` that ``aggregate`` is over; None for count(*)."""
    if aggregate.column is None:
        return None
    name = aggregate.column.name
    return addends(name) if sums_floats(aggregate) else name


def _value_names(query):
    used = {_addressed(item.aggregate) for item in query.items} - {None}
    return {name: f"x{i}" for i, name in enumerate(sorted(used))}


def _results(query):
    names = {None: None} | _value_names(query)
    aggregates, keyed = [item.aggregate for item in query.items], query.partition is not None
    return Results(
        tuple(operator(a, f"a{i}", tree=keyed) for i, a in enumerate(aggregates)),
        tuple(names[_addressed(aggregate)] for aggregate in aggregates),
        windows.OWN if keyed else "n",
    )


def _renumbered(tuples):
    return tuples.withColumn("n", (fn.row_number().over(Window.orderBy("n")) - 1).cast("long"))


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
    with _quiet():
        return spark.createDataFrame(carried(query, tuples))


def _collected(df):
    try:
        with _quiet():
            return df.toArrow()
    except PySparkException as error:
        if "spark.driver.maxResultSize" in str(error):
            raise UserError("the rows are too many for PySpark: more than 3 GB of them") from None
        raise
