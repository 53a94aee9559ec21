"""Reads delimited text into columns of text and into tuples; errors name the exact line."""

import csv as slow_csv
import gzip
import io
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv as fast_csv

from golden.tuples import Tuples
from golden.values.convert import BadValue, raw_column
from query.errors import UserError, brief, nearest, refuse_device
from query.query import Query

slow_csv.field_size_limit(sys.maxsize)  # a long field is not an error

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_BLOCK = 1 << 20  # bytes that Arrow parses at a time, unless a record is longer
_PIECE = 1 << 22  # bytes that are checked at a time
_LARGEST_BLOCK = (1 << 31) - 1
_LONG_RECORD = "straddling object"
_GZIP = b"\x1f\x8b"  # the first bytes of a gzipped file
_MARK = b"\xef\xbb\xbf"  # byte-order mark that some programs write before UTF-8


@dataclass(frozen=True)
class Layout:
    """Describes the columns of a file; if ``names`` is None, the first line holds the names."""

    delimiter: str = ","
    names: tuple[str, ...] | None = None


def load(path: Path) -> bytes:
    """Returns the bytes of a file, unpacked if it is gzipped, without a byte-order mark."""
    try:
        refuse_device(path)
        data = path.read_bytes()  # once, because a pipe gives its bytes only once
        if data.startswith(_GZIP):
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read()
        return data.removeprefix(_MARK)
    except FileNotFoundError:
        raise UserError("there is no such file", file=path) from None
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise UserError(f"cannot be read: {reason}", file=path) from None


def arrow_stream(data: bytes) -> pa.BufferReader:
    """Returns a stream of a copy of ``data`` in memory that Arrow owns.

    A thread of Arrow may free its memory some time after a read has ended. If it then freed an
    object of a Python that ends, the process would abort (issue 34314 of Arrow).
    """
    buffer = pa.BufferOutputStream()
    buffer.write(data)
    return pa.BufferReader(buffer.getvalue())


def opened(path: Path) -> BinaryIO:
    """Opens a file of bytes, and unpacks a gzipped file; the first two bytes decide."""
    return cast(BinaryIO, gzip.open(path)) if is_gzipped(path) else path.open("rb")


def is_gzipped(path: Path) -> bool:
    """Returns True if a file begins as gzipped files do, under any name."""
    with path.open("rb") as data:
        return data.read(len(_GZIP)) == _GZIP


def texts(
    path: Path, data: bytes, layout: Layout, selected: Sequence[str]
) -> dict[str, pa.ChunkedArray]:
    """Returns the columns ``selected`` as text; empty lines are skipped."""
    names, body = (layout.names, data) if layout.names else _header(path, data, layout)
    require(path, names, selected)
    if not body.strip(b"\r\n"):
        return {name: pa.chunked_array([[]], pa.string()) for name in selected}
    check_quotes(path, data, layout.delimiter)
    check_after_quotes(path, data, layout.delimiter)
    numbered = [str(i) for i in range(len(names))]
    used = {name: numbered[names.index(name)] for name in selected} or {"": numbered[0]}
    parse = fast_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=b'"' in body)
    convert = fast_csv.ConvertOptions(
        include_columns=list(used.values()),
        column_types=dict.fromkeys(used.values(), pa.string()),
        strings_can_be_null=False,
    )

    def table_of(block_size):
        read = fast_csv.ReadOptions(column_names=numbered, block_size=block_size)
        return fast_csv.read_csv(arrow_stream(body), read, parse, convert)

    try:
        try:
            table = table_of(_BLOCK)
        except pa.ArrowInvalid as error:
            if _LONG_RECORD not in str(error):
                raise
            table = table_of(min(len(body), _LARGEST_BLOCK))
    except pa.ArrowInvalid as error:
        diagnose(path, io.BytesIO(data), layout.delimiter, len(names))
        reason = brief(str(error).splitlines()[0], 200)
        raise UserError(f"cannot be read: {reason}", file=path) from None
    return {name: table[number] for name, number in used.items()}


def names(path: Path, data: bytes) -> tuple[str, ...]:
    """Returns the names in the first record of CSV; ``data`` may end early."""
    return _header(path, data.removeprefix(_MARK), Layout())[0]


def check_quotes(path: Path, data: bytes, delimiter: str = ",") -> None:
    """Raises UserError, with the line, if a quoted value does not end before the data end.

    Otherwise such a value would silently hold all later records.
    """
    if data.count(b'"') % 2:  # a value in quotes has two, and two for each quote in it
        refuse_open_quote(path, io.BytesIO(data), delimiter)


def check_after_quotes(path: Path, data: bytes, delimiter: str = ",") -> None:
    """Raises UserError, with the line, if text follows the closing quote of a value.

    Readers of CSV disagree about such a value: ``"a"b`` is ``ab`` or ``"a"b``.
    """
    characters = np.frombuffer(data, np.uint8)
    quotes = np.flatnonzero(characters == ord('"'))
    if not len(quotes):
        return
    # In a file without quotes in plain fields, quotes open and close in turn, and `""` in a value
    # closes it and opens it again.
    ends = [*delimiter.encode(), *b'\r\n"']
    padded = np.concatenate([characters, np.frombuffer(b"\n", np.uint8)])
    before, after = padded[quotes[::2] - 1], padded[quotes[1::2] + 1]
    if np.isin(before, ends).all() and np.isin(after, ends).all():
        return
    refuse_after_quote(path, lambda: io.BytesIO(data), delimiter)


def check_breaks(path: Path) -> None:
    """Raises UserError, with the line, if a quoted value has a carriage return.

    Spark changes it to a line feed, alone and before a line feed, so that two texts become one.
    The file is read as a stream.
    """
    in_value = False
    with opened(path) as data:
        while piece := data.read(_PIECE):
            characters = np.frombuffer(piece, np.uint8)
            in_quotes = (np.cumsum(characters == ord('"')) + in_value) % 2 == 1
            if (in_quotes & (characters == ord("\r"))).any():
                break
            in_value = bool(in_quotes[-1])
        else:
            return
    # A quote in a plain field confuses the count, so the records decide.
    with opened(path) as data:
        for number, fields in records(data, ","):
            if any("\r" in field for field in fields):
                message = "a value in quotes has a carriage return, which Spark changes"
                raise UserError(f"{message}; use line feeds alone", file=path, line=number)


def check_line_ends(path: Path) -> None:
    """Raises UserError if the lines of a file end in several ways, such as LF and CR LF.

    Spark splits records with line breaks in quotes by the end of the file's first line, and other
    ends become parts of values. The file is read as a stream.
    """
    kinds: dict[str, int] = {"LF": 0, "CR LF": 0, "CR": 0}
    in_value = False
    with opened(path) as data:
        while piece := data.read(_PIECE):
            if piece.endswith(b"\r"):  # a line feed may follow
                piece += data.read(1)
            characters = np.frombuffer(piece, np.uint8)
            in_quotes = (np.cumsum(characters == ord('"')) + in_value) % 2 == 1
            is_cr, is_lf = characters == ord("\r"), characters == ord("\n")
            follows_cr = np.concatenate([[False], is_cr[:-1]])
            before_lf = np.concatenate([is_lf[1:], [False]])
            kinds["CR LF"] += int((is_lf & follows_cr & ~in_quotes).sum())
            kinds["LF"] += int((is_lf & ~follows_cr & ~in_quotes).sum())
            kinds["CR"] += int((is_cr & ~before_lf & ~in_quotes).sum())
            in_value = bool(in_quotes[-1])
    used = [kind for kind, count in kinds.items() if count]
    if len(used) > 1:
        message = f"lines end in {' and in '.join(used)}, which Spark does not tell from values"
        raise UserError(f"{message} beside line breaks in quotes; use one kind", file=path)


def refuse_open_quote(path: Path, data: BinaryIO, delimiter: str = ",") -> None:
    """Raises UserError, with the line, if a quoted value does not end before the data end.

    ``data`` is read as a stream, which is slow: a second for some 100 MB.
    """
    end = "end"
    [(begin, last)] = deque(records(data, delimiter, ["\n", end]), maxlen=1)
    if last != [end]:
        raise UserError("a quote is not closed", file=path, line=begin)


def refuse_after_quote(path: Path, reopen: Callable[[], BinaryIO], delimiter: str = ",") -> None:
    """Raises UserError, with the line, if text follows the closing quote of a value.

    ``reopen`` returns the bytes from the beginning. They are read as a stream, which is slow.
    """
    with io.TextIOWrapper(reopen(), "utf-8-sig", errors="surrogateescape", newline="") as text:
        reader = slow_csv.reader(text, delimiter=delimiter, strict=True)
        number = 1
        try:
            for _ in reader:
                number = reader.line_num + 1
        except slow_csv.Error:
            refuse_open_quote(path, reopen(), delimiter)  # strict readers refuse it, too
            message = 'text follows the closing quote of a value, as in "a"b'
            raise UserError(message, file=path, line=number) from None


def require(path: Path | None, names: Sequence[str], selected: Iterable[str]) -> None:
    """Raises UserError unless every column of ``selected`` is exactly once among ``names``.

    ``path`` is the file with the names; None for a table in memory.
    """
    for name in selected:
        if name not in names:
            hint = nearest(name, names, else_list=False)
            listed = ", ".join(names) or "none"
            raise UserError(f"there is no column {name}, only: {listed}{hint}", file=path)
        if list(names).count(name) > 1:
            raise UserError(f"there is more than one column {name}", file=path)


def require_unit(path: Path, query: Query, name: str, unit: str) -> None:
    """Raises UserError if the query declares another unit for the trace's column ``name``."""
    for column in query.columns:
        if column.name == name and column.unit not in (None, unit):
            message = f"{name} is in {unit} here, and the query declares {column}; declare"
            raise UserError(f'{message} "{name} {column.type} {unit}"', file=path)


def tuples(
    path: Path,
    query: Query,
    columns: Mapping[str, pa.ChunkedArray | pa.Array],
    place: Callable[[int], dict],
    mappings: dict[str, pa.Array] | None = None,
) -> Tuples:
    """Returns tuples of the query's columns.

    ``place`` returns the place of row i, as fields of a UserError. If several columns have a bad
    value, the error names the value in the earliest row.
    """
    raws = {c.name: raw_column(columns[c.name], c.type) for c in query.columns}
    faults = [(v.row, name, v) for name, v in raws.items() if isinstance(v, BadValue)]
    if faults:
        row, name, fault = min(faults, key=lambda entry: entry[0])
        raise UserError(f"{name}: {fault.reason}", file=path, **place(row))
    if not raws:  # a query that uses no column still counts its tuples
        rows = len(next(iter(columns.values())))
        table = pa.table({"": pa.nulls(rows)}).select([])
    else:
        table = pa.table(raws)
    return Tuples(query.schema, table, mappings or {})


def place(data: bytes, layout: Layout) -> Callable[[int], dict]:
    """Returns a function from row to line, which is slow: it runs only for the reported error."""

    def line(row):
        skipped = row if layout.names else row + 1
        for number, _ in records(io.BytesIO(data), layout.delimiter):
            if skipped == 0:
                return {"line": number}
            skipped -= 1
        raise IndexError(row)

    return line


def _header(path, data, layout):
    """Returns the names in the first record that is not empty, and the data after this record."""
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
    """Iterates over the lines of a text, with their ends; ``end`` is the end of the last line."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.end = 0

    def __iter__(self) -> Iterator[str]:
        while self.end < len(self._data):
            line = _LINE.match(self._data, self.end)
            assert line is not None  # the pattern matches the empty text, too
            self.end = line.end()
            yield line[0].decode()


def diagnose(path: Path, data: BinaryIO, delimiter: str, count: int) -> None:
    """Raises UserError for the first record that has not ``count`` fields, or that is not UTF-8.

    ``data`` is read as a stream, so a large file needs little memory.
    """
    for number, fields in records(data, delimiter):
        if len(fields) != count:
            message = f"there must be {count} fields, not {len(fields)}"
            raise UserError(message, file=path, line=number)
        if not is_utf8(fields):
            raise UserError("the text is not UTF-8", file=path, line=number)


def records(
    data: BinaryIO, delimiter: str, end: Iterable[str] = ()
) -> Iterator[tuple[int, list[str]]]:
    """Yields (number of the first line, fields) of every record that is not empty.

    A byte that is not UTF-8 becomes a surrogate, which `is_utf8` finds. The texts of ``end`` follow
    the data.
    """
    with io.TextIOWrapper(data, "utf-8-sig", errors="surrogateescape", newline="") as text:
        reader = slow_csv.reader(chain(text, end), delimiter=delimiter)
        number = 1
        for fields in reader:
            if fields:
                yield number, fields
            number = reader.line_num + 1


def is_utf8(fields: Iterable[str]) -> bool:
    """Returns True if the fields of a record of `records` are UTF-8 in the file."""
    return not any("\udc80" <= char <= "\udcff" for field in fields for char in field)
