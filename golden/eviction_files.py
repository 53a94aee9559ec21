"""Evictions in files: CSV or Parquet, with the columns ``key`` and ``arrival``.

Keys are as in a file of rows: strings and numbers, fixed point as exact decimals, dense ids where
such stand for the key.
"""

from pathlib import Path

import pyarrow as pa

from golden.convert import Bad, raw
from golden.lives import NAMES, Evictions, first_wrong, partition_column
from golden.readers import delimited, table
from golden.rows import write_columns
from query.errors import UserError
from query.query import Query
from query.types import UInt

_ARRIVAL = UInt(63)


def write(evictions: Evictions, path):
    """Writes ``evictions``; the file appears whole or not at all.

    Raises UserError for a suffix other than ``.csv`` and ``.parquet``, or a place that cannot be
    written.
    """
    fractions = dict(zip(NAMES, (evictions.column.type.fraction, 0), strict=True))
    write_columns(evictions.table, fractions, path)


def read(path, query: Query) -> Evictions:
    """What `write` wrote, or somebody else, for the keys of ``query``.

    Raises
    ------
    UserError
        When the query has no PARTITION BY, for a file that cannot be read or lacks a column, and
        for the first line that is no eviction: a key that is none of its type, or an arrival that
        is not greater than the one before.
    """
    path, column = Path(path), partition_column(query)
    if path.suffix == ".parquet":
        columns, place = table.parquet_columns(path, NAMES, NAMES), table.parquet_place
    else:
        data, layout = delimited.load(path), delimited.Layout()
        columns, place = delimited.texts(path, data, layout, NAMES), delimited.place(data, layout)
    types = zip(NAMES, (column.type, _ARRIVAL), strict=True)
    done = {name: raw(columns[name], type_) for name, type_ in types}
    wrong = [(v.row, f"{name}: {v.reason}") for name, v in done.items() if isinstance(v, Bad)]
    if not wrong and (reason := first_wrong(column, pa.table(done))):
        wrong.append(reason)
    if wrong:
        row, reason = min(wrong)
        raise UserError(reason, file=path, **place(row))
    return Evictions(column, pa.table(done))
