"""Takes tables of several kinds as Arrow tables, and gives rows as a table of the same kind."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from query.errors import UserError

_KINDS = (
    "an Arrow table, a pandas or Polars frame, a Spark DataFrame, a dict of columns, or an object "
    "with an Arrow stream"
)


def is_spark(table: Any) -> bool:
    """Returns True for a DataFrame of Spark."""
    return _package(table) == "pyspark"


def to_arrow(table: Any) -> pa.Table:
    """Returns a table as an Arrow table, for all tables but those of `is_spark`.

    The order of a Spark DataFrame's rows depends on the query (`golden.frames.collected`).
    Every frame with Arrow's C stream interface is a table: pandas, Polars, DuckDB and others.
    NaN of pandas is a number in columns of floats, and no value in others. Raises `UserError`.
    """
    if isinstance(table, pa.Table):
        return table
    assert not is_spark(table)
    try:
        if isinstance(table, pa.RecordBatch):
            return pa.Table.from_batches([table])
        if isinstance(table, Mapping):
            return pa.table(dict(table))
        if _package(table) == "pandas":
            return _from_pandas(table)
        if hasattr(table, "__arrow_c_stream__"):
            return _without_views(pa.table(table))
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"the table has no Arrow columns: {reason}") from None
    raise UserError(f"a table must be {_KINDS}, not {type(table).__name__}")


def like(table: Any, rows: pa.Table) -> Any:
    """Returns ``rows`` as a table of the same kind as ``table``; Arrow for kinds without a form.

    pandas gets Arrow's types, because its own types have no decimals and no NULL among integers.
    """
    package = _package(table)
    if package == "pandas":
        import pandas as pd

        return rows.to_pandas(types_mapper=pd.ArrowDtype)
    if package == "polars":
        import polars as pl

        return pl.from_arrow(rows)
    if is_spark(table):
        return table.sparkSession.createDataFrame(rows)
    return rows.to_pydict() if isinstance(table, Mapping) else rows


def _without_views(table):
    """Returns a table whose texts are no views, the form that Polars has."""
    fields = [
        field.with_type(pa.string()) if pa.types.is_string_view(field.type) else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields))


def _from_pandas(frame):
    """Returns a pandas frame as an Arrow table: NaN stays a number in columns of floats."""
    columns = {}
    for name, column in frame.items():
        is_float = getattr(column.dtype, "kind", "") == "f"
        numbers = column.to_numpy() if is_float and not _is_extension(column) else column
        columns[str(name)] = pa.array(numbers, from_pandas=not is_float)
    return pa.table(columns)


def _is_extension(column):
    """Returns True for a column of pandas that is no array of NumPy."""
    return not hasattr(column.dtype, "char")


def _package(table):
    """Returns the top package of the table's class."""
    return type(table).__module__.partition(".")[0]
