"""Builds the Spark plan of a query: a stream of tuples to the rows of its windows.

`golden.plans.row_windows` and `golden.plans.time_windows` have the plans of the window kinds. All
of them aggregate tuples by pane on each partition, before any exchange, wherever a window is made
of panes.
"""

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from golden.aggregates.registry import operator
from golden.order.running import GREATEST
from golden.plans import row_windows, time_windows
from golden.plans.key_scan import KeyScan
from golden.plans.panes import Results
from golden.plans.stream import Stream, carried_name, value_names
from golden.plans.time_rows import end_type
from golden.tuples import arrow_type
from query.aggregate import Aggregate
from query.query import Query
from query.window import Range, Rows, WholeStream


def row_types(query: Query) -> list[tuple[str, pa.DataType]]:
    """Returns the names and Arrow types of the answer's columns."""
    types = [pa.int64()]
    types += [end_type(query.window)] if isinstance(query.window, Range) else []
    types += [arrow_type(query.key.type)] if query.key else []
    types += [_result_type(item.aggregate) for item in query.items]
    return list(zip(query.row_names, types, strict=True))


def window_rows(query: Query, stream: Stream) -> DataFrame:
    """Returns the rows of windows that hold a tuple, unsorted and without the ends of windows.

    The columns are ``window``, ``key`` if the query has a key, ``row_a0`` and so on for the
    results, and the columns by which `ordered` sorts: those of
    `golden.plans.row_windows.STREAM_ORDER` or `golden.plans.row_windows.PARTITION_ORDER`.
    """
    results = results_of(query)
    by = key_columns(stream.tuples)
    window = query.window
    if isinstance(window, WholeStream):
        return row_windows.whole_stream(stream.tuples, results, by)
    if isinstance(window, Rows) and window.partition:
        scan = KeyScan.of(stream.tuples, by, stream.count)
        return row_windows.partition_rows(stream.tuples, window, results, scan)
    if isinstance(window, Rows):
        return row_windows.rows(stream.tuples, window, results, by, stream.count)
    rows, _ = timed(query, stream)
    return rows


def ordered(query: Query, stream: Stream, rows: DataFrame) -> DataFrame:
    """Returns the rows of `window_rows` in their order, with window, key and results only.

    The partitions are ranges of the first number of the order, of equal lengths. Spark's own sort
    would compute all rows twice, the first time to find ranges of equal numbers of rows.
    """
    names = row_windows.PARTITION_ORDER if query.partition else row_windows.STREAM_ORDER
    order = [name for name in names if name in rows.columns]
    numbers = _greatest_order(query, stream)
    if numbers is None:
        rows = rows.orderBy(*order)
    else:
        parts = int(rows.sparkSession.conf.get("spark.sql.shuffle.partitions") or 1)
        length = fn.lit(numbers // parts + 1)
        part = fn.call_function("div", fn.col(order[0]), length).cast("int")
        rows = rows.repartitionById(parts, part).sortWithinPartitions(*order)
    return rows.select("window", *(["key"] if query.key else []), *results_of(query).names())


def _greatest_order(query, stream):
    """Returns a bound of the first number of the order, over all rows; None without a window.

    The first number is the trigger with PARTITION BY, otherwise the number of the window.
    """
    if isinstance(query.window, WholeStream):
        return None
    if query.partition:
        return stream.count
    if isinstance(query.window, Rows):
        return stream.count // query.window.slide
    return stream.span.window_count(query.window.slide)


def timed(query: Query, stream: Stream) -> tuple[DataFrame, DataFrame]:
    """Returns the rows of a RANGE query, and the tuples with the flag ``late``."""
    results = results_of(query)
    by = key_columns(stream.tuples)
    assert isinstance(query.window, Range)
    assert stream.span is not None
    if query.window.partition:
        scan = KeyScan.of(stream.tuples, by, stream.count)
        return time_windows.partition_range(stream.tuples, query.window, results, scan, stream.span)
    return time_windows.stream_range(stream.tuples, query.window, results, by, stream.span)


def late_count(query: Query, stream: Stream) -> int:
    """Returns the number of tuples of a RANGE query that are late, or before the start."""
    no_tuple_is_late = query.partition is None and GREATEST not in stream.tuples.columns
    if stream.span is None or no_tuple_is_late:
        return 0
    _, marked = timed(query, stream)
    [row] = marked.agg(fn.count_if("late")).take(1)
    return row[0]


def key_columns(tuples: DataFrame) -> list[str]:
    """Returns the names of the columns that identify a group or a key."""
    return [name for name in ("key", "life") if name in tuples.columns]


def results_of(query: Query) -> Results:
    """Returns the aggregates of the SELECT list over the columns of `value_names`."""
    names = {None: None} | value_names(query)
    aggregates = [item.aggregate for item in query.items]
    keyed = query.partition is not None
    return Results(
        tuple(operator(a, f"a{i}", tree=keyed) for i, a in enumerate(aggregates)),
        tuple(names[carried_name(aggregate)] for aggregate in aggregates),
        row_windows.KEY_ARRIVAL if keyed else "n",
    )


def _result_type(aggregate: Aggregate) -> pa.DataType:
    """Returns the Arrow type of an aggregate's result."""
    result = aggregate.result
    if result.type is not None:
        return arrow_type(result.type)
    return pa.decimal128(38, 0) if result.bits > 63 else pa.int64()
