"""Collects a user's frame as an Arrow table, in the order of arrival of `golden.frames.answer`."""

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from golden.frames.answer import located
from golden.frames.columns import check_case, check_type
from golden.order.arrival import PARTITIONS, arrivals
from golden.readers import delimited
from query.query import Query


def collected(query: Query, df: DataFrame, names: list[str], order: str | None = None) -> pa.Table:
    """Returns the columns ``names`` of a frame, with its rows in order of arrival.

    Parameters
    ----------
    query, df, order
        As in `golden.frames.answer.answer`, which numbers the tuples in the same order. If the
        order has no effect on the query's rows, the rows are in the order of Spark's partitions.
    names : list of str
        Columns of the query's schema.

    Raises
    ------
    UserError
        For a missing column, for an order that is unknown, and for a column ``order`` with NULL or
        NaN. Two equal values of ``order`` are an error of the Spark job.
    """
    delimited.require(None, df.columns, query.schema.names)
    check_case(df, names)
    types = {field.name: field.dataType for field in df.schema}
    for column in query.columns:
        if column.name in names:
            check_type(column, types[column.name])
    source, frame, others = located(query, df, order)
    columns = [fn.col(f"`{name}`").alias(f"x{i}") for i, name in enumerate(names)]
    selected = frame.select(*columns, *(fn.col(f"`{name}`") for name in others))
    if source != PARTITIONS:
        selected = arrivals(selected, source, timed=False, running=False).tuples
    table = selected.toArrow()
    if source != PARTITIONS:
        table = table.sort_by("n").drop_columns("n")
    return table.rename_columns(names)
