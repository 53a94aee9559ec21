"""Converts tables to the arrays of tuples of a C program, and its arrays of rows to tables."""

import numpy as np
import pyarrow as pa

from host.columns import order_key, raw_of
from host.packing import pack
from host.rows import rows_of
from host.tables import table_of


def packed(description, tuples):
    """Returns the bytes of a table of raw values, sorted if the engine needs a sorted stream."""
    types = {field.name: field.type for field in description.tuples.fields}
    raws = {n: raw_of(tuples.table[n].to_numpy(), n, t, raw=True) for n, t in types.items()}
    keys = [order_key(raws[name], types[name]) for name in description.host["sorted_by"]]
    order = np.lexsort(keys[::-1]) if keys else slice(None)
    return pack([column[order] for column in raws.values()], description.tuples)


def table(description, raw, packets):
    """Returns the rows as a table with golden's columns."""
    parts = np.split(raw, np.cumsum(packets)[:-1]) if packets else []
    return table_of(rows_of(description, [parts], raw=True), pa.table({}))
