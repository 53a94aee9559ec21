"""Takes tables of several kinds as Arrow tables, and gives rows as a table of the same kind."""

from collections.abc import Container, KeysView, Mapping, Set
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import pyarrow as pa

from query.errors import UserError, brief

#: Exceptions of Arrow, or of Python on the way, for values that are no array.
_NO_ARRAY = (pa.ArrowException, ValueError, TypeError, OverflowError, InvalidOperation)
#: Packages whose frames, and subclasses of these, are read and written as such.
_FRAMES = ("pandas", "polars", "pyspark")
_KINDS = (
    "an Arrow table, a pandas or Polars frame, a Spark DataFrame, a dict of columns, or an object "
    "with an Arrow stream"
)


def is_spark(table: Any) -> bool:
    """Returns True for a DataFrame of Spark."""
    return _package(table) == "pyspark" and hasattr(table, "sparkSession")


def to_arrow(table: Any, needed: Container[str] | None = None) -> pa.Table:
    """Returns a table as an Arrow table, for all tables but those of `is_spark`.

    With ``needed`` only the columns of these names must fit into Arrow: any other column of a
    mapping, or of a frame of pandas or Polars, that does not fit becomes a column of NULL.
    The order of a Spark DataFrame's rows depends on the query (`golden.frames.collected`).
    Every frame with Arrow's C stream interface is a table: pandas, Polars, DuckDB and others.
    NaN of pandas is a number in columns of floats, and no value in others. Raises `UserError`.
    """
    assert not is_spark(table)
    try:
        if isinstance(table, pa.Table):
            return _without_views(table)
        if isinstance(table, pa.RecordBatch):
            return _without_views(pa.Table.from_batches([table]))
        if isinstance(table, Mapping):
            arrays = [_array_if(needed, name, column) for name, column in table.items()]
            return _without_views(pa.table(arrays, names=[str(name) for name in table]))
        if _package(table) == "pandas" and hasattr(table, "columns"):  # a Series has none
            return _from_pandas(table, needed)
        if _package(table) == "polars" and hasattr(table, "get_columns"):  # a lazy frame has none
            return _without_views(_from_polars(table, needed))
        if hasattr(table, "__arrow_c_stream__"):
            return _without_views(pa.table(table))
    except (pa.ArrowException, ValueError, TypeError, OverflowError) as error:
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


def _array_if(needed, name, column, from_pandas=None):
    """Returns a column as an Arrow array; a column of NULL if it is neither needed nor possible."""
    try:
        return _array(name, column, from_pandas)
    except UserError:
        if needed is None or str(name) in needed:
            raise
        return pa.nulls(len(column))


def _array(name, column, from_pandas=None):
    """Returns a column as an Arrow array; whole numbers of more than 64 bits become decimals.

    Raises UserError, with the name of the column, for values that are no column of Arrow.
    """
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return column
    if isinstance(column, Set | Mapping) and not isinstance(column, KeysView):
        kind = type(column).__name__
        raise UserError(f"{name} must be a list or an array, a value for each row, not a {kind}")
    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype) and not dtype.isnative:  # Arrow has no other order of bytes
        column = column.astype(dtype.newbyteorder("="))
    if from_pandas is None and getattr(dtype, "kind", None) == "f":
        from_pandas = not isinstance(dtype, np.dtype)  # NaN of NumPy's floats is a number
    try:
        if not isinstance(column, list | tuple) and getattr(dtype, "kind", None) != "O":
            return pa.array(column, from_pandas=from_pandas)
        return _array_of_values([_plain(name, value) for value in column], from_pandas)
    except _NO_ARRAY as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"{name} is no column of Arrow: {reason}") from None


def _array_of_values(values, from_pandas):
    """Returns a list as an Arrow array; numbers of several types stay exact.

    Arrow alone does not take a Decimal beside a float, or 2**64 beside 0.5. Such numbers become
    doubles if all of them are doubles, else decimals. Raises an exception of ``_NO_ARRAY``, with
    the row from 1 of the first value that does not fit beside the values before it.
    """
    try:
        return pa.array(values, from_pandas=from_pandas)
    except _NO_ARRAY as error:
        reason = str(error).splitlines()[0]
    for kind, convert in (
        (pa.decimal128(38, 0), lambda value: value),
        (pa.float64(), _exact_double),
        (None, _exact_decimal),
    ):
        with suppress(*_NO_ARRAY):
            return pa.array([convert(value) for value in values], kind, from_pandas=from_pandas)
    fits, fails = 0, len(values)  # numbers of values from the first on
    while fails - fits > 1:
        middle = (fits + fails) // 2
        try:
            pa.array(values[:middle], from_pandas=from_pandas)
            fits = middle
        except _NO_ARRAY:
            fails = middle
    raise ValueError(f"row {fails}: {brief(repr(values[fails - 1]))}: {reason}")


def _exact_double(value):
    """Returns a number as a float; raises ValueError if this would change it, or for a text."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | np.floating):
        raise ValueError("no number")
    if (double := float(value)) != value and value == value:  # NaN stays NaN
        raise ValueError("no double")
    return double


def _exact_decimal(value):
    """Returns a number as the equal decimal, and any other value as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.floating):
        return value
    return Decimal(value if isinstance(value, int) else float(value))


def _plain(name, value):
    """Returns a value; NumPy's integers as integers, and its half floats as floats.

    Arrow would cut half floats to integers, and takes no integer of NumPy beside 2**64 - 1.
    """
    if isinstance(value, np.longdouble) and not isinstance(value, float):
        raise UserError(f"{name} is no column of Arrow: {value!r} has more than 64 bits")
    if isinstance(value, np.integer) and not isinstance(value, np.timedelta64):
        return int(value)
    return float(value) if isinstance(value, np.float16) else value


def _without_views(table):
    """Returns a table whose texts are neither views nor codes of views, the forms of Polars."""
    columns = [_text_of_views(column) for column in table.columns]
    return pa.table(columns, names=table.column_names)


def _text_of_views(column):
    """Returns a column of text views, or of codes of text views, as texts; others as they are."""
    if pa.types.is_string_view(column.type):
        return column.cast(pa.string())
    if pa.types.is_dictionary(column.type) and pa.types.is_string_view(column.type.value_type):
        texts = [chunk.dictionary.cast(pa.string()).take(chunk.indices) for chunk in column.chunks]
        return pa.chunked_array(texts, pa.string())
    return column


def _from_pandas(frame, needed):
    """Returns a pandas frame as an Arrow table: NaN stays a number in columns of floats."""
    arrays = []
    for name, column in frame.items():
        if hasattr(column, "sparse"):  # pandas has this attribute only for sparse columns
            column = column.sparse.to_dense()
        is_float = getattr(column.dtype, "kind", "") == "f"
        numbers = column.to_numpy() if is_float and not _is_extension(column) else column
        arrays.append(_array_if(needed, name, numbers, from_pandas=not is_float))
    return pa.table(arrays, names=[str(name) for name in frame.columns])


def _from_polars(frame, needed):
    """Returns a Polars frame as an Arrow table.

    Arrow has no whole numbers of 128 bits, so a column of them passes through Python.
    """
    arrays = []
    for column in frame.get_columns():
        try:
            arrays.append(pa.table(column.to_frame())[column.name])
        except pa.ArrowException:
            arrays.append(_array_if(needed, column.name, column.to_list()))
    return pa.table(arrays, names=frame.columns)


def _is_extension(column):
    """Returns True for a column of pandas that is no array of NumPy."""
    return not hasattr(column.dtype, "char")


def _package(table):
    """Returns the package of frames to which the table's class belongs, or its own top package.

    A subclass of a frame, such as that of geopandas, belongs to the package of the frame.
    """
    packages = [base.__module__.partition(".")[0] for base in type(table).__mro__]
    return next((name for name in packages if name in _FRAMES), packages[0])
