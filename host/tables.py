"""Tables of several kinds: what comes in as one goes out as one."""

from collections.abc import Mapping

import numpy as np

from .errors import TableError


def columns_in(table, names):
    """The columns of those names as arrays, out of an Arrow table, a pandas frame, a mapping of
    arrays, or a structured array. Others are left alone.

    Raises TableError for a column that lacks, is shorter than another, or has a null.
    """
    there = _names(table)
    if lacking := [name for name in names if name not in there]:
        raise TableError(
            f"table must have the columns {', '.join(names)}; it lacks {', '.join(lacking)} and "
            f"has {', '.join(map(str, there)) or 'none'}"
        )
    columns = {name: _column(table[name], name) for name in names}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise TableError(f"columns must be of one length, but {told} rows")
    return columns


def table_of(columns, like):
    """Columns, masked where they are NULL, as a table of the kind of ``like``."""
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
    nulls = getattr(column, "null_count", 0)  # Arrow's
    if hasattr(column, "isna"):  # that of pandas takes NaN for one: a number, where it is no object
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
    mask = np.ma.getmaskarray(column) if np.ma.isMaskedArray(column) else None
    values = np.ma.getdata(column)
    if values.dtype != object:
        return pa.array(values, mask=mask)
    values = values.tolist()
    if mask is not None:
        values = [None if gone else value for value, gone in zip(values, mask, strict=True)]
    if any(isinstance(value, int) for value in values):
        return pa.array(values, pa.decimal128(38, 0))
    return pa.array(values, pa.string())


def _series(pd, column):
    if not np.ma.isMaskedArray(column) or not np.ma.getmaskarray(column).any():
        return np.ma.getdata(column)
    mask = np.ma.getmaskarray(column)
    told = [None if gone else v for v, gone in zip(column.data.tolist(), mask, strict=True)]
    return pd.array(told)
