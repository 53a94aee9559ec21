"""Finds the place of a bad value in files that only Spark reads: JSON lines and ORC."""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import pyarrow as pa

from golden.readers import delimited
from query.errors import UserError
from query.query import Query

_LINES = 100_000  # lines of JSON that are examined at a time


def refuse_value(file: Path, query: Query, format: str) -> None:
    """Raises the UserError of the first bad value in a file of JSON lines or ORC, with its place.

    The place is the line of JSON lines, and the number of the row, from 1, of ORC. Nothing happens
    if each value fits the type of its column, or the file cannot be read.
    """
    names = [column.name for column in query.columns]
    parts = _json_parts(file, names) if format == "json" else _orc_parts(file, names)
    with suppress(OSError, EOFError, zlib.error, pa.ArrowException):
        for columns, places in parts:
            delimited.tuples(file, query, columns, partial(_place, places))


def _place(numbers, row):
    """Returns the place of a row, as fields of a UserError."""
    return {"line": numbers[row]}


def _orc_parts(file, names) -> Iterator[tuple[dict[str, pa.Array], Sequence[int]]]:
    """Yields the columns of each stripe, and the number of each row."""
    from pyarrow import orc

    stripes, first = orc.ORCFile(file), 1
    for number in range(stripes.nstripes):
        stripe = stripes.read_stripe(number, columns=names)
        yield (
            dict(zip(stripe.schema.names, stripe.columns, strict=True)),
            range(first, first + stripe.num_rows),
        )
        first += stripe.num_rows


def _json_parts(file, names) -> Iterator[tuple[dict[str, pa.Array], Sequence[int]]]:
    """Yields the texts of the columns in many lines, and the number of each line.

    Ends before a line that Python takes for no record, since Spark takes more forms of JSON.
    """
    with delimited.opened(file) as data:
        lines = ((n, line) for n, line in enumerate(data, 1) if line.strip(b" \t\r\n"))
        records = takewhile(
            lambda numbered: isinstance(numbered[1], dict),
            ((n, _record(file, n, line)) for n, line in lines),
        )
        while part := dict(islice(records, _LINES)):
            texts = {
                name: pa.array([_text(record.get(name)) for record in part.values()], pa.string())
                for name in names
            }
            yield texts, list(part)


def _record(file, number, line) -> Any:
    """Returns the value of a line of JSON, with the texts of its numbers; None without a value."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise UserError("the line is not UTF-8", file=file, line=number) from None
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except ValueError:
        return None


def _text(value) -> str | None:
    """Returns a value of a record as the text that Spark has in its place."""
    return value if value is None or isinstance(value, str) else json.dumps(value)
