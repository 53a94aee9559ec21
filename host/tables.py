"""Reads columns from tables of several kinds, and returns rows as a table of the same kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import TableError


def columns_in(table: Any, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Returns the named columns of a table as arrays; other columns are ignored.

    A table is an Arrow table, a pandas frame, a mapping of arrays, or a structured array.

    Raises TableError if a column is missing, is shorter than another column, or has a null.
    """
    available = _names(table)
    if missing := [name for name in names if name not in available]:
        raise TableError(
            f"table must have the columns {', '.join(names)}; it lacks {', '.join(missing)} and "
            f"has {', '.join(map(str, available)) or 'none'}"
        )
    columns = {name: _column(table[name], name) for name in names}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise TableError(f"columns must be of one length, but {lengths_text} rows")
    return columns


def table_of(columns: dict[str, np.ndarray], like: Any) -> Any:
    """Returns a table of the same kind as ``like``; masked entries of the columns become NULL."""
    if _is_arrow(like):
        import pyarrow as pa

        return pa.table({name: _arrow(pa, column) for name, column in columns.items()})
    if _is_pandas(like):
        import pandas as pd

        return pd.DataFrame({name: _series(pd, column) for name, column in columns.items()})
    return columns


def _is_arrow(table):
    return hasattr(table, "column_names") and hasattr(table, "schema")


def _is_pandas(table):
    return hasattr(table, "columns") and hasattr(table, "iloc")


def _names(table):
    """Returns the names of a table's columns."""
    if _is_arrow(table):
        return list(table.column_names)
    if _is_pandas(table):
        return list(table.columns)
    if isinstance(table, Mapping):
        return list(table)
    if isinstance(table, np.ndarray) and table.dtype.names:
        return list(table.dtype.names)
    raise TableError(
        "table must be an Arrow table, a pandas frame, a mapping of names to arrays or a "
        f"structured array, not {type(table).__name__}"
    )


def _column(column, name):
    """Returns a column as an array of one dimension without nulls."""
    nulls = getattr(column, "null_count", 0)  # an attribute of Arrow's columns
    if hasattr(column, "isna"):  # pandas counts NaN as a null: in columns of floats it is a number
        nulls = int(column.isna().sum()) if column.dtype.kind not in "f" else 0
    if np.ma.isMaskedArray(column):
        nulls = int(np.ma.getmaskarray(column).sum())
    if nulls:
        raise TableError(f"column {name} must have no nulls; it has {nulls}")
    array = np.ma.getdata(np.asarray(column) if not hasattr(column, "to_numpy") else _numpy(column))
    if array.ndim != 1:
        raise TableError(f"column {name} must have one dimension, not {array.ndim}")
    return array


def _numpy(column):
    return column.to_numpy()


def _arrow(pa, column):
    """Returns a column as an Arrow array; integers that need more than 64 bits become decimals."""
    mask = np.ma.getmaskarray(column) if np.ma.isMaskedArray(column) else None
    values = np.ma.getdata(column)
    if values.dtype != object:
        return pa.array(values, mask=mask)
    values = values.tolist()
    if mask is not None:
        values = [None if is_null else value for value, is_null in zip(values, mask, strict=True)]
    if any(isinstance(value, int) for value in values):
        return pa.array(values, pa.decimal128(38, 0))
    return pa.array(values, pa.string())


def _series(pd, column):
    """Returns a column for a pandas frame; masked entries become pandas' missing value."""
    if not np.ma.isMaskedArray(column) or not np.ma.getmaskarray(column).any():
        return np.ma.getdata(column)
    mask = np.ma.getmaskarray(column)
    values = [None if is_null else v for v, is_null in zip(column.data.tolist(), mask, strict=True)]
    return pd.array(values)
