"""Reads and writes files of evictions: CSV or Parquet, with the columns ``key`` and ``arrival``.

A key has the same form as in a file of rows: a string or a number, fixed point as an exact decimal,
and a dense id if the key has dense ids.
"""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from golden.plans.lives import NAMES, Evictions, first_invalid, partition_column
from golden.readers import delimited, format_by_suffix, table
from golden.rows import write_columns
from golden.values.convert import BadValue, raw_column
from query.errors import UserError
from query.query import Query
from query.types import UInt

_ARRIVAL = UInt(63)


def write(evictions: Evictions, path: str | Path) -> None:
    """Writes ``evictions``; the file appears completely or not at all.

    Raises UserError for a suffix other than ``.csv`` and ``.parquet``, or a place that cannot be
    written.
    """
    fractions = dict(zip(NAMES, (evictions.column.type.fraction, 0), strict=True))
    write_columns(evictions.table, fractions, path)


def read(path: str | Path, query: Query) -> Evictions:
    """Returns the evictions of a file, for the keys of ``query``.

    Raises
    ------
    UserError
        When the query has no PARTITION BY, for a file that cannot be read or lacks a column, and
        for the first line that is no eviction: its key does not fit the key's type, or its arrival
        is not greater than the previous arrival.
    """
    path = Path(path)
    column = partition_column(query)
    place: Callable[[int], dict]
    if format_by_suffix(path) == "parquet":
        columns = table.parquet_columns(path, NAMES, NAMES)
        place = table.parquet_place
    else:
        data = delimited.load(path)
        layout = delimited.Layout()
        columns = delimited.texts(path, data, layout, NAMES)
        place = delimited.place(data, layout)
    types = zip(NAMES, (column.type, _ARRIVAL), strict=True)
    raws = {name: raw_column(columns[name], type_) for name, type_ in types}
    faults = [(v.row, f"{name}: {v.reason}") for name, v in raws.items() if isinstance(v, BadValue)]
    if not faults and (fault := first_invalid(column, pa.table(raws))):
        faults.append(fault)
    if faults:
        row, reason = min(faults)
        raise UserError(reason, file=path, **place(row))
    return Evictions(column, pa.table(raws), path)
