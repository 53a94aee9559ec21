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
    wanted = [column.name for column in query.columns] or list(query.schema.names[:1])
    columns = parquet_columns(path, query.schema.names, wanted)
    return delimited.tuples(path, query, columns, parquet_place)


def parquet_columns(path: Path, names, wanted) -> dict[str, pa.ChunkedArray]:
    """The columns ``wanted`` of a file that must have all of ``names``; raises UserError."""
    data = delimited.load(path)
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        delimited.require(path, file.schema_arrow.names, names)
        table = file.read(columns=list(wanted))
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"cannot be read as Parquet: {reason}", file=path) from None
    return {name: table[name] for name in wanted}


def parquet_place(row: int) -> dict:
    """Where a row is, as fields of a UserError."""
    return {"line": row + 1}
