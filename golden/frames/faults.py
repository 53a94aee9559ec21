"""Finds the place of a bad value in files that only Spark reads: JSON lines and ORC."""

import json
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

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
    if not names:
        return
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
        columns = dict(zip(stripe.schema.names, stripe.columns, strict=True))
        yield columns, range(first, first + stripe.num_rows)
        first += stripe.num_rows


def _json_parts(file, names) -> Iterator[tuple[dict[str, pa.Array], Sequence[int]]]:
    """Yields the texts of the columns in many lines, and the number of each line.

    Ends before a line that Python takes for no record, since Spark takes more forms of JSON, and
    before a record with a list or a record in a column. Raises UserError for a text that is not
    UTF-8, after the lines before it.
    """
    lines: dict[int, list[str | None]] = {}
    with delimited.opened(file) as data:
        for number, line in enumerate(data, 1):
            if not line.strip(b" \t\r\n"):
                continue
            texts = _texts(line, names)
            if texts is None:
                break
            if not all(text is None or _is_utf8(text) for text in texts):
                yield _columns(lines, names), list(lines)
                raise UserError("the line is not UTF-8", file=file, line=number)
            lines[number] = texts
            if len(lines) == _LINES:
                yield _columns(lines, names), list(lines)
                lines = {}
    yield _columns(lines, names), list(lines)


def _columns(lines, names):
    """Returns the columns of lines whose texts are in the order of ``names``."""
    return {
        name: pa.array([texts[place] for texts in lines.values()], pa.string())
        for place, name in enumerate(names)
    }


def _texts(line, names) -> list[str | None] | None:
    """Returns the texts that Spark has for the values of a line; None if they are unknown."""
    text = line.decode(errors="surrogateescape")
    try:
        record = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        return None
    values = [record.get(name) for name in names] if isinstance(record, dict) else [[]]
    if any(isinstance(value, list | dict) for value in values):
        return None
    return [json.dumps(value) if isinstance(value, bool) else value for value in values]


def _is_utf8(text):
    """Returns False for a text with bytes that were not UTF-8."""
    return not any("\udc80" <= char <= "\udcff" for char in text)
