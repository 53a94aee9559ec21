"""Queries with windows of each key, and tuples for them."""

import pyarrow as pa

from golden.tuples import Tuples

SCHEMA = "CREATE INPUT STREAM S (k uint(8), t int(16), v int(8)); SELECT"
OF_ROWS = f"{SCHEMA} k, sum(v) FROM S [PARTITION BY k ROWS 64 SLIDE 4] WHERE v > 0;"
OF_TIME = f"{SCHEMA} k, sum(v) FROM S [PARTITION BY k RANGE 64 SLIDE 4 WATTR t] WHERE v > 0;"


def tuples_of(query, k, v, spacing=1):
    """Returns tuples in order of time, ``spacing`` units of time after each other."""
    columns = {"k": k, "t": [5 + spacing * at for at in range(len(k))], "v": v}
    table = pa.table({name: pa.array(column, pa.int64()) for name, column in columns.items()})
    return Tuples(query.schema, table)
