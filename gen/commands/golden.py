"""`sluice golden`: the expected rows."""

from pathlib import Path
from typing import Annotated

import typer

from gen.commands.simulate import golden_rows
from gen.console import Output
from gen.files import check_rows_file
from gen.options import CACHE, MASTER, Cache, Format, Input, Json, Master, Query
from golden import rows as rows_files
from golden.answer import nan_count
from query.design import load


def golden(
    query: Query,
    data: Input,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Where the rows go: a .csv or .parquet file.")
    ],
    format: Format = None,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
):
    """The expected rows, by PySpark."""
    out = Output(json)
    check_rows_file(output)
    asked = load(query).query
    tuples, rows = golden_rows(out, asked, data, format, master, cache)
    written = rows_files.write(rows, asked, output, tuples.mappings)
    values = {
        "query": str(asked),
        "tuples": len(tuples),
        "rows": rows.num_rows,
        "dropped": {"nan": nan_count(asked, tuples)},
        "rows_file": str(output),
        "files": [str(path) for path in written],
    }
    out.result(values, f"{rows.num_rows:,} rows of {len(tuples):,} tuples in {output}")
