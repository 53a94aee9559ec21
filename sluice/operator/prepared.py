"""Prepares the tuples of a frame for the tasks that run engines: raw values, numbered, in order."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.frames.answer import located, other_columns
from golden.frames.columns import carried_frame, order_column
from golden.order.arrival import ORDER, PARTITIONS, arrivals
from golden.plans.stream import acceptance, needs_order
from golden.readers import delimited
from query.errors import UserError
from query.query import Query
from query.window import Range

#: Columns of a prepared frame besides those of the query, whose names are ``c0`` and so on.
NUMBER, ACCEPTED, TIME = "n", "accepted", "t"


@dataclass(frozen=True)
class Prepared:
    """Holds tuples: their raw values, their numbers in order of arrival, and facts about them.

    The columns of ``tuples`` are those of the query, ``c0`` and so on, then `ACCEPTED` (whether
    the engine's window gets the tuple: no NaN, and WHERE is true), `TIME` with RANGE, and `NUMBER`.
    ``count`` is the number of all tuples. Without an order that matters all numbers are 0, and
    ``count`` is 0, too, because the tuples were not counted.
    """

    tuples: DataFrame
    count: int


def prepared(query: Query, df: DataFrame, order: str | None) -> Prepared:
    """Returns the prepared tuples of a batch frame; `golden.frames.answer.answer` says the order.

    Raises UserError for a missing column, a wrong type, and an order that is unknown.
    """
    delimited.require(None, df.columns, query.schema.names)
    source, frame, others = located(query, df, order)
    carried = _named(query, carried_frame(query, frame, *others), others)
    if not needs_order(query) and source == PARTITIONS:
        return Prepared(carried.withColumn(NUMBER, fn.lit(0).cast("long")), 0)
    numbered = arrivals(carried, source, timed=False, running=False)
    return Prepared(numbered.tuples, numbered.count)


def prepared_stream(query: Query, df: DataFrame, order: str | None) -> DataFrame:
    """Returns the tuples of a streaming frame, with the column `ORDER` in place of numbers."""
    delimited.require(None, df.columns, query.schema.names)
    if order is None:
        raise UserError(
            "order: a stream needs the name of a column that ascends in order of arrival, because "
            "Spark gives the tuples of a micro-batch in any order"
        )
    frame = df.select(*other_columns(df), order_column(df, order))
    return _named(query, carried_frame(query, frame, ORDER), [ORDER])


def column_of(query: Query, name: str) -> Column:
    """Returns the column of a prepared frame that holds a column of the query."""
    index = [column.name for column in query.columns].index(name)
    return fn.col(f"c{index}")


def _named(query, carried, others):
    """Returns carried tuples with the names of a prepared frame."""
    accepted = acceptance(query)
    columns = [fn.col(f"`{c.name}`").alias(f"c{i}") for i, c in enumerate(query.columns)]
    columns.append((fn.lit(True) if accepted is None else accepted).alias(ACCEPTED))
    if isinstance(query.window, Range):
        columns.append(fn.col(f"`{query.window.attribute.name}`").alias(TIME))
    return carried.select(*columns, *(fn.col(f"`{name}`") for name in others))
