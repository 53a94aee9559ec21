"""Converts a table to the bytes of an engine's tuples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .columns import order_key, raw_of
from .description import Description
from .errors import TableError
from .packing import pack
from .tables import columns_in


def raw_columns(description: Description, table: Any, raw: bool = False) -> dict[str, np.ndarray]:
    """Returns the table's columns as raw integers by name, in the order of a tuple's fields.

    Parameters
    ----------
    description : Description
    table : pyarrow.Table, pandas.DataFrame, mapping of str to arrays, or structured array
    raw : bool
        True if fixed-point columns of the table hold raw integers already.

    Raises TableError for values that do not fit the type of their column, and for more rows than
    the build can count.
    """
    fields = description.tuples.fields
    columns = columns_in(table, [field.name for field in fields])
    columns = {f.name: raw_of(columns[f.name], f.name, f.type, raw) for f in fields}
    count = len(next(iter(columns.values())))
    longest = description.host["longest"]
    if longest is not None and count > longest:
        raise TableError(
            f"table must have at most {longest} rows, as many as the build can count, not "
            f"{count}; run it in parts"
        )
    return columns


def packed(description: Description, columns: Mapping[str, np.ndarray]) -> np.ndarray:
    """Returns the tuples of raw columns: uint8, shape (tuples, bytes of a tuple).

    Tuples are in the order of arrival. If the engine needs a sorted stream, tuples are sorted
    ascending by the engine's key columns, and tuples with equal keys stay in the order of arrival.
    """
    types = {field.name: field.type for field in description.tuples.fields}
    keys = [order_key(columns[name], types[name]) for name in description.host["sorted_by"]]
    ordered = [*columns.values()]
    if keys:
        order = np.lexsort(keys[::-1])
        ordered = [column[order] for column in ordered]
    return pack(ordered, description.tuples)
