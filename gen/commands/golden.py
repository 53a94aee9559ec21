"""Runs `sluice golden`: computes the expected rows."""

from pathlib import Path
from typing import Annotated

import typer

from gen.commands.arguments import CACHE, MASTER, Cache, Format, Json, Master, Query, Start
from gen.commands.golden_frames import is_for_spark, rows_by_spark
from gen.commands.golden_rows import golden_rows, ids_line
from gen.design.first_window import start_text
from gen.files.output_files import Outputs
from gen.files.paths import checked_path
from gen.terminal.console import Output
from gen.text.known_names import known
from golden import eviction_files
from golden import rows as rows_files
from golden.answer import nan_count
from golden.frames.source import FORMATS as SPARK_FORMATS
from golden.readers import FORMATS as READERS
from query.design import load
from query.window import Range


def golden(
    query: Query,
    data: Annotated[
        Path,
        typer.Option(
            "--input",
            parser=checked_path,
            metavar="PATH",
            help="CSV, Parquet, ORC or JSON lines, a directory of such files, or a trace with "
            "--format.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            parser=checked_path,
            metavar="PATH",
            help="Where the rows go: a .csv or .parquet file.",
        ),
    ],
    format: Format = None,
    start: Start = None,
    evicted: Annotated[
        Path | None,
        typer.Option(
            parser=checked_path,
            metavar="PATH",
            help="Keys that the hardware evicted, as simulate --evicted writes them.",
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column that ascends in order of arrival; the position in the files if not given.",
        ),
    ] = None,
    parts: Annotated[
        bool,
        typer.Option("--parts", help="Write a directory of part files in place of one file."),
    ] = False,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """The expected rows, by PySpark."""
    out = Output(json)
    point = load(query)
    point_query = point.query
    outputs = Outputs([*point.files, data, *filter(None, [evicted])])
    if parts:
        outputs.add_parts(output)
    else:
        outputs.add_rows(output)
    out.warn(*point_query.warnings)
    evictions = None if evicted is None else eviction_files.read(evicted, point_query)
    if is_for_spark(data, format, order, parts):
        values = rows_by_spark(
            out, point_query, data, format, order, start, evictions, master, output, parts
        )
        outputs.remove_old_originals(output, point_query)
        out.result(values, _line(point_query, values, output))
        return
    if format is not None:
        known("format", format, dict.fromkeys([*READERS, *SPARK_FORMATS]))
    tuples, answer = golden_rows(
        out,
        point_query,
        data,
        format,
        master,
        cache,
        start,
        evictions,
        outputs=outputs,
        rows=output,
    )
    rows = answer.rows
    written = rows_files.write(rows, point_query, output, tuples.mappings)
    if not written[1:]:
        outputs.remove_old_originals(output, point_query)
    values = {
        "query": str(point_query),
        "tuples": len(tuples),
        "start": start_text(point_query, answer.start),
        "rows": rows.num_rows,
        "evictions": 0 if evictions is None else len(evictions),
        "dropped": {"late": answer.late, "nan": nan_count(point_query, tuples)},
        "rows_file": str(output),
        "files": [str(path) for path in written],
    }
    ids = "".join(f"; {ids_line(point_query, path)}" for path in written[1:])
    out.result(values, _line(point_query, values, output) + ids)


def _line(query, values, output):
    """Returns the printed line: how many rows, tuples and late tuples there are."""
    late = values["dropped"]["late"]
    late = f", {late:,} of them late," if isinstance(query.window, Range) else ""
    return f"{values['rows']:,} rows of {values['tuples']:,} tuples{late} in {output}"
