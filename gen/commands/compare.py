"""Runs `sluice compare`: compares two files of rows, and shows where they differ."""

from pathlib import Path
from typing import Annotated

import typer

from gen.commands.arguments import Json, master
from gen.files.paths import checked_path
from gen.terminal.console import Output
from gen.terminal.errors import CheckFailedError
from gen.text.differing_rows import differences_table, float_widths, plain_row
from golden.compare import streams
from golden.compare.sources import RowFiles, kinds_of
from golden.compare.values import kinds_of_query
from query.design import load

_SHOWN = 10
_ROWS = "A .csv, .csv.gz or .parquet file, or a directory of such files."


def compare(
    expected: Annotated[Path, typer.Argument(parser=checked_path, metavar="A", help=_ROWS)],
    actual: Annotated[Path, typer.Argument(parser=checked_path, metavar="B", help=_ROWS)],
    query: Annotated[
        Path | None,
        typer.Option(
            parser=checked_path,
            metavar="PATH",
            help="The query whose rows they are: the types of CSV.",
        ),
    ] = None,
    show: Annotated[
        int, typer.Option(min=0, max=10_000, help="Number of differences to show.")
    ] = _SHOWN,
    master: Annotated[
        str | None,
        typer.Option(parser=master, help="Compare on this Spark master, not in this process."),
    ] = None,
    json: Json = False,
) -> None:
    """Compare two files of rows, row by row; exit code 1 if they differ."""
    out = Output(json)
    kinds = None if query is None else kinds_of_query(load(query).query)
    sources = RowFiles.open(expected), RowFiles.open(actual)
    widths = float_widths(list(sources[0].types), kinds_of(*sources, kinds))
    if master is None:
        with out.step(f"comparing {expected} and {actual}"):
            differences = streams.compare(*sources, kinds, show)
    else:
        from golden.compare import spark
        from golden.spark.session import session

        with out.step(f"comparing {expected} and {actual}, by PySpark", mute=True):
            differences = spark.compare(session(master), *sources, kinds, show)
    if not (differences.rows_expected or differences.rows):
        out.warn(f"no row was compared: {expected} and {actual} have none")
    values = {
        "expected": str(expected),
        "actual": str(actual),
        "rows_expected": differences.rows_expected,
        "rows": differences.rows,
        "mismatches": differences.mismatches,
        "first": [
            {
                "row": d.index,
                "expected": plain_row(d.expected, widths),
                "actual": plain_row(d.actual, widths),
            }
            for d in differences.first
        ],
    }
    counts = f"{differences.rows_expected:,} rows in {expected}, {differences.rows:,} in {actual}"
    shown = (
        [] if not differences.first else [differences_table(differences, expected, actual, widths)]
    )
    out.result(values, counts, *shown, f"mismatches: {differences.mismatches:,}")
    if differences.mismatches:
        first = f"; the first is row {differences.first[0].index:,}" if differences.first else ""
        raise CheckFailedError(f"check failed: {differences.mismatches:,} rows differ{first}")
