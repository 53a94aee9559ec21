"""Opens files of rows as streams of Arrow batches, so that memory does not grow with the rows."""

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from golden.compare.values import NUMBER, TEXT, different, kind_of
from golden.readers import delimited
from query.errors import UserError, refuse_special_file

BATCH = 1 << 16  # rows of a batch of Parquet
#: Bytes that Arrow parses at a time; no record can be longer.
_BLOCK = 1 << 24
_PART = re.compile(r"part-(\d+)")  # the name of a part that Spark wrote, with its number
_UNREADABLE = (pa.ArrowInvalid, OSError, EOFError, zlib.error)
_SUFFIXES = (".csv", ".csv.gz", ".parquet")


@dataclass(frozen=True)
class RowFiles:
    """Holds the files of a table of rows in order: one file, or the files of a directory by name.

    All files have the same columns. The parts that Spark wrote are in the order of their numbers.

    Attributes
    ----------
    path : Path
        The file or the directory, as the user names it.
    files : tuple of Path
    types : dict of str to pa.DataType
        The type of each column; each column of CSV is a string.
    is_csv : bool
    """

    path: Path
    files: tuple[Path, ...]
    types: dict[str, pa.DataType]
    is_csv: bool

    @classmethod
    def open(cls, path: str | Path) -> "RowFiles":
        """Opens a file ``.csv``, ``.csv.gz`` or ``.parquet``, or a directory of such files.

        Files of a directory whose names begin with ``_`` or ``.`` are no data, as in Spark.

        Raises
        ------
        UserError
            When there is no such file, when it cannot be read, or when files differ in columns.
        """
        path = Path(path)
        try:
            files = _files(path)
        except OSError as error:
            raise _unreadable(path, error) from None
        is_csv = not files[0].name.endswith(".parquet")
        first = _types(files[0], is_csv)
        for file in files[1:]:
            types = _types(file, is_csv)
            if types != first:
                message = f"columns must be {_described(first)}, as in {files[0].name}"
                raise UserError(f"{message}, not {_described(types)}", file=file)
        return cls(path=path, files=files, types=first, is_csv=is_csv)

    def kinds(self) -> dict[str, str]:
        """Returns the kind of each column that has a kind.

        Columns of CSV have no type, and a column of Parquet's type null compares by any kind.
        """
        types = {} if self.is_csv else self.types
        typed = {name: type_ for name, type_ in types.items() if not pa.types.is_null(type_)}
        return {name: kind_of(type_) for name, type_ in typed.items()}

    def batches(self) -> Iterator[tuple[Path, pa.Table]]:
        """Yields the rows in order as small tables, each with its file; raises UserError."""
        for file in self.files:
            try:
                for batch in self._reader(file):
                    yield file, pa.table(batch)
            except _UNREADABLE as error:
                if self.is_csv and isinstance(error, pa.ArrowInvalid):
                    with delimited.opened(file) as data:
                        delimited.diagnose(file, data, ",", len(self.types))
                raise _unreadable(file, error) from None

    def _reader(self, file):
        if not self.is_csv:
            with pq.ParquetFile(file) as parquet:
                for batch in parquet.iter_batches(BATCH):
                    batch.validate(full=True)  # a text may be no UTF-8
                    yield batch
            return
        options = pacsv.ConvertOptions(
            column_types=self.types,
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        )
        # The line of a row of one column that is NULL is empty.
        parse = pacsv.ParseOptions(newlines_in_values=True, ignore_empty_lines=len(self.types) > 1)
        read = pacsv.ReadOptions(block_size=_BLOCK)
        with delimited.opened(file) as data:
            counted = _QuoteCounter(data)
            try:
                yield from pacsv.open_csv(counted, read, parse, options)
            except pa.ArrowInvalid as error:
                if "Empty CSV file" not in str(error):  # only a line of names, without an end
                    raise
        if counted.quotes % 2:  # a value in quotes has two, and two for each quote in it
            with delimited.opened(file) as data:
                delimited.refuse_open_quote(file, data)


class _QuoteCounter:
    """Passes a file of bytes on, and counts its quotes: Arrow accepts a quote without an end."""

    def __init__(self, data: BinaryIO) -> None:
        self._data = data
        self.quotes = 0
        self.closed = False

    def read(self, size: int = -1) -> bytes:
        """Returns the next bytes, at most ``size``."""
        piece = self._data.read(size)
        self.quotes += piece.count(b'"')
        return piece

    def readable(self) -> bool:
        """Returns True."""
        return True

    def close(self) -> None:
        """Marks the file as closed."""
        self.closed = True


def kinds_of(
    expected: RowFiles, actual: RowFiles, query_kinds: Mapping[str, str] | None = None
) -> list[str]:
    """Returns the kind by which each column of two sources compares; see `golden.compare.values`.

    A text of Parquet beside a number compares as a number: `golden.frames` writes numbers of more
    than 38 digits as texts.

    Raises
    ------
    UserError
        When the columns differ, when Parquet's columns have other kinds than the other file's or
        the query's, and for a column of lists, or of another type without comparison.
    """
    names, other_names = list(expected.types), list(actual.types)
    if names != other_names:
        message = f"columns must be {', '.join(names)}, as in {expected.path}"
        raise UserError(f"{message}, not {', '.join(other_names)}", file=actual.path)
    if query_kinds is not None and names != list(query_kinds):
        message = f"columns must be {', '.join(query_kinds)}, as the query says"
        raise UserError(f"{message}, not {', '.join(names)}", file=expected.path)
    kinds: dict[str, str] = dict(query_kinds or {})
    origin = "the query"
    for source in (expected, actual):
        source_kinds = source.kinds()
        for name, kind in source_kinds.items():
            known = kinds.get(name, kind)
            if {known, kind} == {NUMBER, TEXT} and (kind == TEXT or query_kinds is None):
                source_kinds[name] = kinds[name] = NUMBER
            elif known != kind:
                message = f"column {name} must be a {known}, as in {origin}"
                raise UserError(f"{message}, not a {kind}", file=source.path)
        if source_kinds and not kinds:
            origin = str(source.path)
        kinds = source_kinds | kinds
    for name in names:
        a, b = (pa.array([], side.types[name]) for side in (expected, actual))
        try:
            different(pa.table({name: a}), pa.table({name: b}), [kinds.get(name, TEXT)])
        except pa.ArrowNotImplementedError:
            message = f"it is a {a.type} in {expected.path}, a {b.type} here"
            message = f"column {name} cannot be compared: {message}"
            raise UserError(message, file=actual.path) from None
    return [kinds.get(name, TEXT) for name in names]


def _files(path):
    """Returns the files of a path; raises UserError if there are none."""
    refuse_special_file(path)
    if not path.exists():
        raise UserError("there is no such file", file=path)
    if not path.is_dir():
        if not path.name.endswith(_SUFFIXES):
            raise UserError("rows must be in a .csv, .csv.gz or .parquet file", file=path)
        return (path,)
    entries = sorted(entry for entry in path.iterdir() if entry.name[0] not in "_.")
    numbers = [_PART.match(entry.name) for entry in entries]
    if all(numbers):  # part-100000 has a digit more, and follows part-99999
        entries.sort(key=lambda entry: int(_PART.match(entry.name)[1]))
    files = [entry for entry in entries if entry.name.endswith(_SUFFIXES) and entry.is_file()]
    if others := [entry for entry in entries if entry not in files]:
        raise UserError(f"holds {others[0].name}, which is no file of rows", file=path)
    if not files:
        raise UserError("holds no .csv or .parquet file", file=path)
    if len({file.name.endswith(".parquet") for file in files}) > 1:
        raise UserError("holds both CSV and Parquet", file=path)
    return tuple(files)


def _types(file, is_csv):
    """Returns the columns of a file and their types."""
    try:
        if not is_csv:
            schema = pq.read_schema(file)
            names, types = schema.names, schema.types
        else:
            names = _header(file)
            types = [pa.string()] * len(names)
    except _UNREADABLE as error:
        raise _unreadable(file, error) from None
    if not names:
        raise UserError("there is no column", file=file)
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"there is more than one column {twice[0]}", file=file)
    return dict(zip(names, types, strict=True))


def _header(file):
    with delimited.opened(file) as data:
        line, names = next(delimited.records(data, ","), (1, []))
    if not names:
        raise UserError("there is no line of column names", file=file, line=1)
    if not delimited.is_utf8(names):
        raise UserError("the text is not UTF-8", file=file, line=line)
    if len(names) == 1 and line > 1:  # in a file of one column an empty line is a row
        raise UserError("the first line must have the name of the column", file=file, line=1)
    return names


def _described(types):
    texts = {str(kind) for kind in types.values()}
    if texts == {"string"}:
        return ", ".join(types)
    return ", ".join(f"{name} {kind}" for name, kind in types.items())


def _unreadable(file, error):
    reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
    return UserError(f"cannot be read: {reason}", file=file)
