"""Reads CSV and Parquet files that have the schema's column names."""

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from golden.readers import delimited
from golden.tuples import Tuples
from query.errors import UserError
from query.query import Query


def csv(path: Path, query: Query) -> Tuples:
    """Returns the tuples of a CSV file in UTF-8, gzipped or not; its first line names columns."""
    data, layout = delimited.load(path), delimited.Layout()
    delimited.require(path, delimited.names(path, data), query.schema.names)
    texts = delimited.texts(path, data, layout, _selected(query))
    return delimited.tuples(path, query, texts, delimited.place(data, layout))


def parquet(path: Path, query: Query) -> Tuples:
    """Returns the tuples of a Parquet file.

    Numbers of any Parquet type are converted exactly; strings are read like those of CSV.
    """
    columns = parquet_columns(path, query.schema.names, _selected(query))
    return delimited.tuples(path, query, columns, parquet_place)


def _selected(query):
    """Returns the columns that the query uses; the first of the schema if it uses none."""
    return [column.name for column in query.columns] or list(query.schema.names[:1])


def parquet_columns(
    path: Path, names: Sequence[str], selected: Sequence[str]
) -> dict[str, pa.ChunkedArray]:
    """Returns the columns ``selected``; raises UserError if the file lacks a name of ``names``."""
    data = delimited.load(path)
    try:
        file = pq.ParquetFile(delimited.arrow_stream(data))
        delimited.require(path, file.schema_arrow.names, names)
        table = file.read(columns=list(selected))
    except (pa.ArrowInvalid, OSError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"cannot be read as Parquet: {reason}", file=path) from None
    return {name: table[name] for name in selected}


def parquet_place(row: int) -> dict:
    """Returns the place of a row, as fields of a UserError."""
    return {"line": row + 1}
