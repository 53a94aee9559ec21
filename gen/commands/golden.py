"""`sluice golden`: the expected rows."""

from pathlib import Path
from typing import Annotated

import typer

from gen.commands.arguments import CACHE, MASTER, Cache, Format, Input, Json, Master, Query, Start
from gen.commands.golden_rows import golden_rows, ids_line
from gen.design.first_window import start_text
from gen.files.output_files import Outputs
from gen.files.paths import named
from gen.terminal.console import Output
from golden import eviction_files
from golden import rows as rows_files
from golden.answer import nan_count
from query.design import load
from query.window import Range


def golden(
    query: Query,
    data: Input,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            parser=named,
            metavar="PATH",
            help="Where the rows go: a .csv or .parquet file.",
        ),
    ],
    format: Format = None,
    start: Start = None,
    evicted: Annotated[
        Path | None,
        typer.Option(
            parser=named,
            metavar="PATH",
            help="Keys that hardware threw out on the way, as simulate --evicted writes them.",
        ),
    ] = None,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
):
    """The expected rows, by PySpark."""
    out = Output(json)
    point = load(query)
    asked, outputs = point.query, Outputs([*point.files, data, *filter(None, [evicted])])
    outputs.add_rows(output)
    out.warn(*asked.warnings)
    gone = None if evicted is None else eviction_files.read(evicted, asked)
    tuples, found = golden_rows(
        out, asked, data, format, master, cache, start, gone, outputs=outputs, rows=output
    )
    rows = found.rows
    written = rows_files.write(rows, asked, output, tuples.mappings)
    values = {
        "query": str(asked),
        "tuples": len(tuples),
        "start": start_text(asked, found.start),
        "rows": rows.num_rows,
        "evictions": 0 if gone is None else len(gone),
        "dropped": {"late": found.late, "nan": nan_count(asked, tuples)},
        "rows_file": str(output),
        "files": [str(path) for path in written],
    }
    late = f", {found.late:,} of them late," if isinstance(asked.window, Range) else ""
    ids = "".join(f"; {ids_line(asked, path)}" for path in written[1:])
    out.result(values, f"{rows.num_rows:,} rows of {len(tuples):,} tuples{late} in {output}{ids}")
