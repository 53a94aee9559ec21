"""From a table to the bytes of an engine's tuples."""

import numpy as np

from .columns import order_key, raw_of
from .errors import TableError
from .packing import pack
from .tables import columns_in


def raw_columns(description, table, raw=False):
    """Returns the table's columns as raw integers by name, in the order of a tuple's fields.

    Parameters
    ----------
    description : Description
    table : pyarrow.Table, pandas.DataFrame, mapping of str to arrays, or structured array
    raw : bool
        Fixed point is whole numbers of its last place already.

    Raises TableError for values that a column's type does not hold, and for more rows than the
    build can count.
    """
    fields = description.tuples.fields
    columns = columns_in(table, [field.name for field in fields])
    columns = {f.name: raw_of(columns[f.name], f.name, f.type, raw) for f in fields}
    count, longest = len(next(iter(columns.values()))), description.host["longest"]
    if longest is not None and count > longest:
        raise TableError(
            f"table must have at most {longest} rows, as many as the build can count, not "
            f"{count}; run it in parts"
        )
    return columns


def packed(description, columns):
    """Returns the tuples of raw columns: uint8, shape (tuples, bytes of a tuple).

    They are in the order of arrival, or sorted by the columns that the engine wants ascending;
    equal ones stay in their order.
    """
    types = {field.name: field.type for field in description.tuples.fields}
    by = [order_key(columns[name], types[name]) for name in description.host["sorted_by"]]
    ordered = [*columns.values()]
    if by:
        order = np.lexsort(by[::-1])
        ordered = [column[order] for column in ordered]
    return pack(ordered, description.tuples)
