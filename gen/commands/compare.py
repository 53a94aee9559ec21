"""Runs `sluice compare`, which compares two files of rows and shows where they differ."""

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from gen.commands.arguments import Json, master
from gen.files.paths import named
from gen.terminal.console import Output, table
from gen.terminal.errors import CheckFailedError
from golden.compare import streams
from golden.compare.sources import RowFiles
from golden.compare.streams import Differences
from golden.compare.values import kinds_of_query
from query.design import load
from query.errors import one_line

_SHOWN = 10
_ROWS = "A .csv, .csv.gz or .parquet file, or a directory of such files."


def compare(
    expected: Annotated[Path, typer.Argument(parser=named, metavar="A", help=_ROWS)],
    actual: Annotated[Path, typer.Argument(parser=named, metavar="B", help=_ROWS)],
    query: Annotated[
        Path | None,
        typer.Option(
            parser=named, metavar="PATH", help="The query whose rows they are: the types of CSV."
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
            {"row": d.index, "expected": _plain(d.expected), "actual": _plain(d.actual)}
            for d in differences.first
        ],
    }
    counts = f"{differences.rows_expected:,} rows in {expected}, {differences.rows:,} in {actual}"
    shown = [] if not differences.first else [_table(differences, expected, actual)]
    out.result(values, counts, *shown, f"mismatches: {differences.mismatches:,}")
    if differences.mismatches:
        first = f"; the first is row {differences.first[0].index:,}" if differences.first else ""
        raise CheckFailedError(f"check failed: {differences.mismatches:,} rows differ{first}")


def _table(differences: Differences, expected: Path, actual: Path) -> Any:
    """Returns a table with two lines for each difference, A and B.

    Line B has no text for a value that line A shows with the same text.
    """
    columns = next(row for d in differences.first for row in (d.expected, d.actual) if row)
    lines = []
    for difference in differences.first:
        a, b = _plain(difference.expected), _plain(difference.actual)
        a_texts, b_texts = _texts(a, columns), _texts(b, columns)
        lines.append([str(difference.index), "A", *a_texts])
        if a is not None and b is not None:  # texts, because 0.0 == -0.0, though the rows differ
            b_texts = ["" if x == y else y for x, y in zip(a_texts, b_texts, strict=True)]
        lines.append(["", "B", *b_texts])
    title = f"the first differences between {expected} (A) and {actual} (B)"
    return table(title, ["row", "", *columns], lines)


def _texts(row, columns):
    """Returns the values of a row as texts; for None, a row beyond its file's end, "no row"."""
    if row is None:
        return ["no row", *[""] * (len(columns) - 1)]
    return [_text(value) for value in row.values()]


def _text(value):
    """Returns a value as a text; different values of a column have different texts.

    NULL is printed without quotes. A text is printed in quotes, as in JSON, if it is empty, is the
    word NULL, or has quotes, backslashes or control characters.
    """
    if value is None:
        return "NULL"
    text = one_line(str(value))
    is_plain = text == value and text not in ("", "NULL") and not {'"', "\\"} & {*text}
    return text if is_plain or not isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _plain(row):
    """Returns a row for JSON: finite numbers, texts and NULL stay, other values become texts."""
    if row is None:
        return None
    return {name: value if _is_json(value) else str(value) for name, value in row.items()}


def _is_json(value):
    if isinstance(value, float):
        return math.isfinite(value)
    return value is None or isinstance(value, bool | int | str)
