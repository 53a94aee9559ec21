"""Delimited text to columns of text, and text to tuples, with errors at the exact line."""

import csv as slow_csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as fast_csv

from golden.convert import Bad, raw
from golden.tuples import Tuples
from query.errors import UserError, brief, nearest, refuse_device
from query.query import Query

slow_csv.field_size_limit(sys.maxsize)  # a long field is no error of its own

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_MARK = b"\xef\xbb\xbf"  # that some programs write before UTF-8


@dataclass(frozen=True)
class Layout:
    """How the columns lie in a file; ``names`` of None means that the first line names them."""

    delimiter: str = ","
    names: tuple[str, ...] | None = None


def load(path: Path) -> bytes:
    """All bytes of a file, unpacked when it is gzipped, without a byte-order mark."""
    try:
        refuse_device(path)
        data = path.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        return data.removeprefix(_MARK)
    except FileNotFoundError:
        raise UserError("there is no such file", file=path) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot be read: {reason}", file=path) from None


def texts(path: Path, data: bytes, layout: Layout, wanted) -> dict[str, pa.ChunkedArray]:
    """The columns ``wanted`` as text. Lines without anything on them are passed over."""
    names, body = (layout.names, data) if layout.names else _header(path, data, layout)
    require(path, names, wanted)
    if not body.strip():
        return {name: pa.chunked_array([[]], pa.string()) for name in wanted}
    numbered = [str(i) for i in range(len(names))]
    used = {name: numbered[names.index(name)] for name in wanted} or {"": numbered[0]}
    try:
        table = fast_csv.read_csv(
            pa.BufferReader(body),
            read_options=fast_csv.ReadOptions(column_names=numbered),
            parse_options=fast_csv.ParseOptions(
                delimiter=layout.delimiter, newlines_in_values=b'"' in body
            ),
            convert_options=fast_csv.ConvertOptions(
                include_columns=list(used.values()),
                column_types=dict.fromkeys(used.values(), pa.string()),
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid as error:
        _diagnose(path, data, layout, names)
        reason = brief(str(error).splitlines()[0], 200)
        raise UserError(f"cannot be read: {reason}", file=path) from None
    return {name: table[number] for name, number in used.items()}


def require(path: Path, names, wanted):
    """Raises unless every column ``wanted`` is among ``names``, once."""
    for name in wanted:
        if name not in names:
            hint = nearest(name, names, else_list=False)
            there = ", ".join(names) or "none"
            raise UserError(f"there is no column {name}, only: {there}{hint}", file=path)
        if list(names).count(name) > 1:
            raise UserError(f"there is more than one column {name}", file=path)


def require_unit(path: Path, query: Query, name: str, unit: str):
    """Raises UserError if the query declares another unit for the trace's column ``name``."""
    for column in query.columns:
        if column.name == name and column.unit not in (None, unit):
            message = f"{name} is in {unit} here, and the query declares {column}; declare"
            raise UserError(f'{message} "{name} {column.type} {unit}"', file=path)


def tuples(
    path: Path, query: Query, columns: dict, place: Callable[[int], dict], mappings=None
) -> Tuples:
    """Tuples of the query's columns; ``place`` says where row i is, as fields of a UserError.

    When several columns have a bad value, the one in the earliest row is reported.
    """
    done = {c.name: raw(columns[c.name], c.type) for c in query.columns}
    bad = [(result.row, name, result) for name, result in done.items() if isinstance(result, Bad)]
    if bad:
        row, name, result = min(bad, key=lambda entry: entry[0])
        raise UserError(f"{name}: {result.reason}", file=path, **place(row))
    if not done:  # a query that uses no column still counts its tuples
        rows = len(next(iter(columns.values())))
        table = pa.table({"": pa.nulls(rows)}).select([])
    else:
        table = pa.table(done)
    return Tuples(query.schema, table, mappings or {})


def place(data: bytes, layout: Layout) -> Callable[[int], dict]:
    """Row to line: slow, for the one error that is reported."""

    def line(row):
        skipped = row if layout.names else row + 1
        for number, _ in _lines(data, layout):
            if skipped == 0:
                return {"line": number}
            skipped -= 1
        raise IndexError(row)

    return line


def read(path: Path, query: Query, data: bytes, layout: Layout) -> Tuples:
    """Tuples of a file whose columns go straight to the schema's types."""
    require(path, layout.names or _header(path, data, layout)[0], query.schema.names)
    wanted = [column.name for column in query.columns] or list(query.schema.names[:1])
    return tuples(path, query, texts(path, data, layout, wanted), place(data, layout))


def _header(path, data, layout):
    """The names in the first record that is not empty, and what follows it."""
    lines = _Lines(data)
    reader = slow_csv.reader(lines, delimiter=layout.delimiter)
    try:
        fields = next((fields for fields in reader if fields), None)
    except UnicodeDecodeError:
        message = "the line of column names is no text"
        raise UserError(message, file=path, line=reader.line_num + 1) from None
    if fields is None:
        raise UserError("there is no line of column names", file=path, line=1)
    return tuple(field.strip() for field in fields), data[lines.end :]


class _Lines:
    """Lines of a text, ends and all, one by one; ``end`` is behind the last that was asked for."""

    def __init__(self, data):
        self._data, self.end = data, 0

    def __iter__(self):
        while self.end < len(self._data):
            line = _LINE.match(self._data, self.end)
            self.end = line.end()
            yield line[0].decode()


def _lines(data, layout):
    """(line number, fields) of every line that has something on it; a record's first line."""
    text = io.StringIO(data.decode(errors="surrogateescape"), newline="")
    reader = slow_csv.reader(text, delimiter=layout.delimiter)
    begun = 1
    for fields in reader:
        if fields:
            yield begun, fields
        begun = reader.line_num + 1


def _diagnose(path, data, layout, names):
    """Raises for the first line that has not one field a column, or is not UTF-8."""
    for number, fields in _lines(data, layout):
        if len(fields) != len(names):
            message = f"there must be {len(names)} fields, not {len(fields)}"
            raise UserError(message, file=path, line=number)
        if any("\udc80" <= char <= "\udcff" for field in fields for char in field):
            raise UserError("the text is not UTF-8", file=path, line=number)
