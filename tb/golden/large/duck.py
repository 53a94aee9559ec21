"""Compares golden's rows of large data with DuckDB's, as sets in which a row may stand twice."""

from pathlib import Path

import duckdb

from tb.golden.large.kinds import Kind


def difference(kind: Kind, data: Path, rows: Path) -> str | None:
    """Returns None if ``rows`` are DuckDB's rows over ``data``, or the counts that differ."""
    with duckdb.connect() as database:
        database.execute(
            "SET threads = 2; SET memory_limit = '4GB'; SET preserve_insertion_order = false"
        )
        source = f"read_parquet({str(data)!r}, file_row_number = true)"
        database.execute(f"CREATE VIEW data AS SELECT *, file_row_number AS r FROM {source}")
        database.execute(f"CREATE TEMP TABLE expected AS {kind.sql}")
        actual = f"SELECT {kind.columns} FROM read_parquet({str(rows)!r})"
        database.execute(f"CREATE TEMP TABLE found AS {actual}")
        counts = [_count(database, table) for table in ("expected", "found")]
        missing = _count(database, "(FROM expected EXCEPT ALL FROM found)")
    if counts[0] == counts[1] and not missing:
        return None
    return f"DuckDB has {counts[0]} rows, golden {counts[1]}; {missing} of DuckDB's are missing"


def _count(database, table):
    return database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
