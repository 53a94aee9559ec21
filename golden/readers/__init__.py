"""Reads data sets into tuples: CSV and Parquet by column names, and traces of known layout."""

import os
from pathlib import Path

from golden.readers import debs2012, google, table
from golden.tuples import Tuples
from query.errors import UserError, nearest
from query.query import Query

FORMATS = {
    "csv": table.csv,
    "parquet": table.parquet,
    "google-task-events": google.task_events,
    "google-task-events-excerpt": google.excerpt,
    "debs2012": debs2012.manufacturing,
}
_SUFFIXES = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}


def read(path: str | Path, query: Query, format: str | None = None) -> Tuples:
    """Returns the query's columns of the data in ``path``, as raw values in the order of the file.

    Parameters
    ----------
    path : path-like
        A file, gzipped or not.
    query : Query
        The file must have every column of the query's schema; only the columns in use are read.
    format : str or None
        One of `FORMATS`; None selects the format by the suffix (``.csv``, ``.parquet`` or ``.pq``,
        each also with ``.gz``).

    Raises
    ------
    UserError
        For a missing file, for a missing column, or for the first value that does not fit its
        column's type, with its line.
    """
    path = Path(path)
    if os.path.isdir(path):
        raise UserError("is a directory, and must be one file", file=path)
    if format is None:
        format = format_by_suffix(path)
        if format is None:
            message = f"the format must be named for this suffix, one of: {', '.join(FORMATS)}"
            raise UserError(message, file=path)
    if format not in FORMATS:
        hint = nearest(format, FORMATS, else_list=False)
        raise UserError(f"format must be one of {', '.join(FORMATS)}, not {format}{hint}")
    return FORMATS[format](path, query)


def has_format(path: str | Path) -> bool:
    """Returns True if the suffix of ``path`` tells its format."""
    return format_by_suffix(Path(path)) is not None


def format_by_suffix(path: Path) -> str | None:
    """Returns the format that the suffix of ``path`` tells, with or without ``.gz``; or None."""
    plain = path.with_suffix("") if path.suffix == ".gz" else path
    return _SUFFIXES.get(plain.suffix.lower())
