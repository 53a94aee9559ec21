"""Prepares the tuples of a query for its windows: selection, order of arrival, span of times.

Two steps precede the window. The first drops tuples with a NaN in a column of the query, the
second drops tuples that fail WHERE. Dropped tuples have no number in the order of arrival, and no
influence on the greatest time, on punctuations and on the default start: with WHERE x > 0 and the
values 3, -1, 5 the tuple of 5 has number 1, counted from 0.
"""

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.order.arrival import BLOCK, FILE, ORDER, arrivals
from golden.plans.predicate import condition
from golden.plans.time_windows import Span, check_span, span_of
from golden.values.carry import addends, extremes
from query.aggregate import Aggregate
from query.query import Query
from query.window import Range, WholeStream


@dataclass(frozen=True)
class Stream:
    """Holds the tuples that reach a query's windows.

    ``tuples`` has the columns that `golden.plans.row_windows` lists. With RANGE and no PARTITION BY
    it also has the column `golden.order.running.GREATEST`, the greatest time up to and including
    each tuple, which decides the late tuples; the column may be missing if no tuple is late.
    ``count`` is the number of tuples, but 0 if the query does not need their order (`needs_order`).
    ``span`` is None without RANGE, or without tuples.
    """

    tuples: DataFrame
    count: int = 0
    span: Span | None = None


def stream(query: Query, carried: DataFrame, order: str, start: int | None = None) -> Stream:
    """Returns the tuples of a frame that reach the windows, with their numbers and span of times.

    The column ``n`` numbers the tuples from 0 in order of arrival. It is 0 for all tuples if the
    query does not need their order.

    Parameters
    ----------
    carried : DataFrame
        Has the columns of `golden.values.carry.carried`.
    order : str
        Source of the order of arrival: partitions, files or a column, see `golden.order.arrival`.
    start : int or None
        RANGE: start of window 0, in raw units; None lets the first tuple determine the start.

    Raises UserError when the span has too many windows, and when `arrivals` refuses the order.
    """
    tuples = passing(query, carried)
    window = query.window
    if not needs_order(query):
        unordered = [name for name in tuples.columns if name not in (ORDER, FILE, BLOCK)]
        return Stream(tuples.select(fn.lit(0).cast("long").alias("n"), *unordered))
    if not isinstance(window, Range):
        numbered = arrivals(tuples, order, timed=False, running=False)
        return Stream(numbered.tuples, numbered.count)
    running = not window.partition
    numbered = arrivals(tuples, order, timed=True, running=running)
    span = span_of(numbered.times, window, start)
    if span is None:
        return Stream(numbered.tuples, numbered.count)
    check_span(numbered.tuples, window, span, grouped=query.key is not None)
    tuples = numbered.with_greatest(window.slack, span.start) if running else numbered.tuples
    return Stream(tuples, numbered.count, span)


def passing(query: Query, carried: DataFrame) -> DataFrame:
    """Returns the tuples that reach the window, under the names that plans use.

    The columns are ``key`` if the query has a key, ``t`` with RANGE, the values ``x0``, ``x1`` and
    so on (`value_names`), and those of `ORDER`, `FILE` and `BLOCK` that ``carried`` has.
    """
    columns = {column.name: fn.col(f"`{column.name}`") for column in query.columns}
    accepted = acceptance(query)
    accepted_tuples = carried if accepted is None else carried.filter(accepted)
    selected = [columns[query.key.name].alias("key")] if query.key else []
    if isinstance(query.window, Range):
        selected.append(columns[query.window.attribute.name].alias("t"))
    names = value_names(query)
    selected += [fn.col(f"`{name}`").alias(as_) for name, as_ in names.items()]
    selected += [fn.col(f"`{name}`") for name in (ORDER, FILE, BLOCK) if name in carried.columns]
    return accepted_tuples.select(*selected)


def acceptance(query: Query) -> Column | None:
    """Returns the condition that a carried tuple reaches the window; None if every tuple does."""
    nan = _has_nan(query)
    conditions = [] if nan is None else [~nan]
    if query.where:
        columns = {column.name: fn.col(f"`{column.name}`") for column in query.columns}
        conditions.append(condition(query.where, columns))
    return reduce(and_, conditions) if conditions else None


def tuple_counts(query: Query, carried: DataFrame) -> tuple[int, int]:
    """Returns two numbers: of all tuples, and of tuples with a NaN in a column of the query."""
    nan = _has_nan(query)
    if nan is None:
        return carried.count(), 0
    [row] = carried.agg(fn.count(fn.lit(1)), fn.count_if(nan)).take(1)
    return row[0], row[1]


def carried_name(aggregate: Aggregate) -> str | None:
    """Returns the column of `golden.values.carry` that ``aggregate`` reads; None for count(*)."""
    if aggregate.column is None:
        return None
    name = aggregate.column.name
    return addends(name) if aggregate.adds_floats else name


def value_names(query: Query) -> dict[str, str]:
    """Returns the name in plans of each carried column that an aggregate reads.

    For instance min(a) and sum(b) over floats give {"a": "x0", "b#": "x1"}.
    """
    names = [carried_name(item.aggregate) for item in query.items]
    used = {name for name in names if name is not None}
    return {name: f"x{i}" for i, name in enumerate(sorted(used))}


def needs_order(query: Query) -> bool:
    """Returns True if rows may depend on the order of the tuples.

    They do not if the query has no window, and no sum or average of floats.
    """
    summed = any(item.aggregate.adds_floats for item in query.items)
    return summed or not isinstance(query.window, WholeStream)


def _has_nan(query):
    """Returns the condition that a tuple has a NaN in a column of the query; None without floats.

    A column of floats holds their places (`golden.values.carry`), and the places of NaNs lie
    outside of those of -inf to +inf.
    """
    conditions = []
    for column in query.columns:
        if column.type.floating:
            low, high = extremes(column.type)
            conditions.append(~fn.col(f"`{column.name}`").between(fn.lit(low), fn.lit(high)))
    return reduce(or_, conditions) if conditions else None
