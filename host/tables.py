"""Reads columns from tables of several kinds, and makes tables of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .errors import TableError

#: Up to this magnitude each integer is also a float of 64 bits.
_EXACT = 1 << 53


def columns_in(table: Any, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Returns the named columns of a table as arrays; other columns are ignored.

    A table is an Arrow table, a pandas frame, a mapping of arrays, or a structured array.

    Raises TableError if a column is missing, is there twice, is shorter than another column, or has
    a null.
    """
    available = _names(table)
    if missing := [name for name in names if name not in available]:
        raise TableError(
            f"table must have the columns {', '.join(names)}; it lacks {', '.join(missing)} and "
            f"has {', '.join(map(str, available)) or 'none'}"
        )
    if doubled := [name for name in names if available.count(name) > 1]:
        raise TableError(f"table must have one column {doubled[0]}, not several")
    columns = {name: _column(table[name], name) for name in names}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise TableError(f"columns must be of one length, but {lengths_text} rows")
    return columns


def table_of(columns: dict[str, np.ndarray], like: Any) -> Any:
    """Returns an Arrow table or a pandas frame if ``like`` is one, otherwise the mapping itself.

    So rows for a structured array are a mapping, too. In an Arrow table and a frame masked entries
    become NULL.
    """
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
    column = _without_dictionary(column)
    if getattr(column, "ndim", 1) != 1:
        raise TableError(f"column {name} must have one dimension, not {column.ndim}")
    if nulls := _null_count(column):
        raise TableError(f"column {name} must have no nulls; it has {nulls}")
    try:
        array = np.ma.getdata(_array(column))
    except (ValueError, TypeError, OverflowError) as error:  # such as a list of unequal lists
        raise TableError(f"column {name} must be a list of numbers or texts: {error}") from None
    if array.ndim != 1:
        raise TableError(f"column {name} must have one dimension, not {array.ndim}")
    return array


def _null_count(column):
    """Returns the number of values that are missing.

    NaN in a NumPy column of floats, also in a pandas frame, is a value and is not missing.
    """
    if np.ma.isMaskedArray(column):
        return int(np.ma.getmaskarray(column).sum())
    if isinstance(column, (list, tuple)) or _is_object_array(column):
        return sum(map(_is_null, column))
    if not hasattr(column, "isna"):
        count = getattr(column, "null_count", 0)  # an attribute in Arrow, a method in Polars
        return count() if callable(count) else count
    is_numpy = isinstance(column.dtype, np.dtype)
    return 0 if is_numpy and column.dtype.kind == "f" else int(column.isna().sum())


def _is_null(value):
    """Returns True for a missing value of a list of objects; ``NAType`` is pandas' class."""
    return value is None or value is np.ma.masked or type(value).__name__ == "NAType"


def _is_object_array(column):
    return isinstance(column, np.ndarray) and column.dtype == object


def _without_dictionary(column):
    """Returns an Arrow column with its values in place of numbers of a dictionary's entries."""
    if not hasattr(getattr(column, "type", None), "index_type"):
        return column
    import pyarrow as pa

    # Chunk by chunk, as each may have a dictionary of its own. Arrow cannot select text views.
    is_view = pa.types.is_string_view(column.type.value_type)
    kind = pa.string() if is_view else column.type.value_type
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    parts = [chunk.dictionary.cast(kind).take(chunk.indices) for chunk in chunks]
    return pa.chunked_array(parts, kind)


def _array(column):
    """Returns a column as an array.

    A list becomes an array of objects if NumPy would change its values: texts lose zero bytes at
    their end, numbers beside texts become texts, and integers beside floats, or beside integers of
    2^63 and more, become floats, which may round them.
    """
    if hasattr(column, "null_count") and hasattr(column, "type"):  # Arrow's
        return column.to_numpy(zero_copy_only=False)
    if hasattr(column, "to_numpy"):
        return column.to_numpy()
    if isinstance(column, np.ndarray):
        return column
    array = np.asarray(column)
    kind, values = array.dtype.kind, list(column) if array.ndim == 1 else []
    has_texts = array.ndim == 1 and kind in "US"
    if has_texts or (kind == "f" and any(_may_be_rounded(value) for value in values)):
        array = np.empty(len(values), object)
        array[:] = values
    return array


def _may_be_rounded(value):
    """Returns True for an integer that may have no float of 64 bits."""
    return isinstance(value, (int, np.integer)) and abs(int(value)) > _EXACT


def _arrow(pa, column):
    """Returns a column as an Arrow array.

    A column of Python's integers becomes decimal128(38, 0), whatever the integers are, so the type
    does not depend on them. Columns with types of more than 64 bits have such integers.
    """
    mask = np.ma.getmaskarray(column) if np.ma.isMaskedArray(column) else None
    values = np.ma.getdata(column)
    if values.dtype != object:
        return pa.array(values, mask=mask)
    return pa.array(values, pa.decimal128(38, 0), mask=mask)


def _series(pd, column):
    """Returns a column for a pandas frame; masked entries become pandas' missing value.

    A masked array always becomes an array of pandas' own types with missing values, also if no
    entry is masked.
    """
    values = np.ma.getdata(column)
    if not np.ma.isMaskedArray(column):
        return values
    mask = np.ma.getmaskarray(column)
    if values.dtype.kind == "f":
        return pd.arrays.FloatingArray(values.copy(), mask.copy())
    if values.dtype.kind in "iu":
        return pd.arrays.IntegerArray(values.copy(), mask.copy())
    objects = values.astype(object)
    objects[mask] = pd.NA
    return pd.array(objects, object if values.dtype == object else "string")
