"""CSV and Parquet files that have the schema's column names."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from golden.readers import delimited
from golden.tuples import Tuples
from query.errors import UserError
from query.query import Query


def csv(path: Path, query: Query) -> Tuples:
    """Comma-separated, UTF-8, the first line names the columns; gzipped or not."""
    return delimited.read(path, query, delimited.load(path), delimited.Layout())


def parquet(path: Path, query: Query) -> Tuples:
    """Numbers of any Parquet type, taken exactly; strings are read as CSV's are."""
    data = delimited.load(path)
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        delimited.require(path, file.schema_arrow.names, query.schema.names)
        wanted = [column.name for column in query.columns] or list(query.schema.names[:1])
        table = file.read(columns=wanted)
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"cannot be read as Parquet: {reason}", file=path) from None
    columns = {name: table[name] for name in wanted}
    return delimited.tuples(path, query, columns, lambda row: {"line": row + 1})
