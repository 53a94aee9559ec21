"""Rows of answers as a user reads them, in files.

Inside, a row holds raw values (`golden.answer.row_types`). In a file, fixed point is shown as the
exact decimal number, and a value that is null as nothing.
"""

import os
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from golden.answer import row_types
from query.errors import UserError
from query.query import Query
from query.window import Range

_EXACT = Context(prec=200)
_PART = 1 << 19  # rows that are shown or compared at a time


def write(table: pa.Table, query: Query, path, mappings=None) -> list[Path]:
    """Writes rows to ``path``, CSV or Parquet by its suffix; returns the files written.

    When the key was replaced by dense ids, ``mappings`` holds its originals, and a CSV file
    beside ``path``, named ``<stem>.<key>.csv``, gives the original of each id in the rows' file.
    A file appears whole or not at all.

    Raises
    ------
    UserError
        For a suffix other than ``.csv`` and ``.parquet``, or a folder that cannot be written.
    """
    path = Path(path)
    written = [path]
    with ExitStack() as together:  # none takes its place before all are written
        together.enter_context(_written(table, _fractions(query), path))
        if beside := originals_file(path, query, mappings):
            originals = mappings[query.key.name]
            ids = pa.table({query.key.name: pa.array(range(len(originals))), "original": originals})
            written.append(beside)
            _write_csv(parts_of(ids), ids.schema, together.enter_context(replacing(beside)))
    return written


def originals_file(path, query: Query, mappings) -> Path | None:
    """The file that `write` adds beside ``path`` for the originals of the key's dense ids.

    None when the key has no dense ids.
    """
    if query.key is None or query.key.name not in (mappings or {}):
        return None
    return Path(path).with_name(f"{Path(path).stem}.{query.key.name}.csv")


def is_originals_file(path, query: Query) -> bool:
    """Whether the file at ``path`` begins as one that `write` made for originals of the key."""
    with open(path, "rb") as file:
        return file.readline(1000).rstrip(b"\r\n") == f"{query.key.name},original".encode()


def write_columns(table: pa.Table, fractions, path):
    """Writes raw values as `write` does, with the fraction bits of each column by its name."""
    with _written(table, fractions, Path(path)):
        pass


def read(path, query: Query) -> pa.Table:
    """The rows that `write` wrote for ``query``, as raw values again."""
    path = Path(path)
    types, fractions = dict(row_types(query)), _fractions(query)
    if path.suffix == ".csv":
        texts = dict.fromkeys(types, pa.string())
        nullable = pacsv.ConvertOptions(
            column_types=texts, strings_can_be_null=True, null_values=[""],
            quoted_strings_can_be_null=False,
        )  # fmt: skip
        table = pacsv.read_csv(path, convert_options=nullable)
    else:
        table = pq.read_table(path)
    if tuple(table.column_names) != query.row_names:
        there = ", ".join(table.column_names)
        raise UserError(f"columns must be {', '.join(query.row_names)}, not {there}", file=path)
    columns = {
        name: _raw(table[name], kind, fractions[name]) for name, kind in types.items()
    }  # fmt: skip
    return pa.table(columns, schema=pa.schema(list(types.items())))


@contextmanager
def replacing(path: Path):
    """A scratch file beside ``path`` that takes its place when the block ends well.

    Raises UserError when it cannot be written, or take its place; nothing is left then.
    """
    path = Path(path)
    name = None
    try:
        handle, name = tempfile.mkstemp(prefix=".sluice.", dir=path.parent)
        os.close(handle)
        yield name
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException as error:
        if name is not None:
            with suppress(OSError):
                os.unlink(name)
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise UserError(f"cannot be written: {reason}", file=path) from None
        raise


def decimal(raw: int, fraction_bits: int) -> str:
    """``raw / 2**fraction_bits`` in decimals, exactly, as short as it gets."""
    digits = str(abs(raw) * 5**fraction_bits).zfill(fraction_bits + 1)
    whole, part = digits[: len(digits) - fraction_bits], digits[len(digits) - fraction_bits :]
    part = part.rstrip("0")
    return f"{'-' if raw < 0 else ''}{whole}{'.' if part else ''}{part}"


@contextmanager
def _written(table, fractions, path):
    """`replacing` with ``table`` in the scratch file, as ``path``'s suffix says."""
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    if path.suffix not in writers:
        raise UserError("rows must go to a .csv or .parquet file", file=path)
    schema = _shown_schema(table, fractions)
    with replacing(path) as scratch:
        writers[path.suffix]((_shown(part, schema) for part in parts_of(table)), schema, scratch)
        yield


def _fractions(query):
    """Fraction bits of the raw values in each column of the rows."""
    counts = [0] + (
        [query.window.attribute.type.fraction] if isinstance(query.window, Range) else []
    )
    counts += [query.key.type.fraction] if query.key else []
    counts += [item.aggregate.fraction_bits for item in query.items]
    return dict(zip(query.row_names, counts, strict=True))


def parts_of(table):
    """A table, `_PART` rows at a time: one part, and an empty one, when there is no row."""
    for begin in range(0, max(table.num_rows, 1), _PART):
        yield table[begin : begin + _PART].combine_chunks()


def _shown_schema(table, fractions):
    """The types in which rows are shown: fixed point in decimals that hold the whole column."""
    fields = list(table.schema)
    for at, field in enumerate(fields):
        bits = fractions[field.name]
        if bits:
            ends = pc.min_max(table[field.name])
            raws = [int(end.as_py() or 0) for end in (ends["min"], ends["max"])]
            whole = max(Decimal(decimal(raw, bits)).adjusted() for raw in raws)
            digits = min(max(whole, 0) + 1 + bits, 76)
            kind = pa.decimal128 if digits <= 38 else pa.decimal256
            fields[at] = pa.field(field.name, kind(digits, bits))
    return pa.schema(fields)


def _shown(part, schema):
    """A part of the rows as ``schema`` has them."""
    columns = []
    for column, raw_type, kind in zip(part.columns, part.schema.types, schema.types, strict=True):
        if kind != raw_type:
            coded = column.combine_chunks().dictionary_encode()
            texts = [decimal(int(value), kind.scale) for value in coded.dictionary.to_pylist()]
            column = pa.array([Decimal(text) for text in texts], kind).take(coded.indices)
        columns.append(column)
    return pa.table(columns, schema=schema)


def _write_parquet(parts, schema, path):
    with pq.ParquetWriter(path, schema) as file:
        for part in parts:
            file.write_table(part)


def _write_csv(parts, schema, path):
    with open(path, "wb") as file:
        header = _quoted(pa.array(schema.names)).to_pylist()
        file.write((",".join(header) + "\n").encode())
        for part in parts:
            columns = [_csv_texts(column) for column in part.columns]
            rows = pc.binary_join_element_wise(*columns, ",")
            lines = pc.binary_join_element_wise(rows, "\n", "").combine_chunks()
            if len(lines):  # the texts lie behind one another
                _, ends, texts = lines.buffers()
                ends = np.frombuffer(ends, np.int32)[lines.offset :][: len(lines) + 1]
                file.write(memoryview(texts)[ends[0] : ends[-1]])


def _csv_texts(column):
    if pa.types.is_string(column.type):
        return _quoted(column)
    if pa.types.is_integer(column.type):
        return pc.fill_null(column.cast(pa.string()), "")
    coded = column.combine_chunks().dictionary_encode()
    if pa.types.is_decimal(column.type):
        texts = [_plain(value) for value in coded.dictionary.to_pylist()]
    elif pa.types.is_floating(column.type):  # numpy's shortest text that reads back the same
        values = coded.dictionary.to_numpy(zero_copy_only=False)
        texts = [str(value) for value in values]
    else:
        texts = [str(value) for value in coded.dictionary.to_pylist()]
    return pc.fill_null(pa.array(texts, pa.string()).take(coded.indices), "")


def _quoted(column):
    special = pc.or_(pc.match_substring_regex(column, '[",\r\n]'), pc.equal(column, ""))
    doubled = pc.replace_substring(column, '"', '""')
    return pc.if_else(special, pc.binary_join_element_wise('"', doubled, '"', ""), column)


def _plain(number):
    text = format(number.normalize(_EXACT), "f")
    return "0" if text == "-0" else text


def _raw(column, kind, fraction_bits):
    if pa.types.is_string(kind):
        return column.combine_chunks()
    if pa.types.is_floating(kind):
        return column.combine_chunks().cast(kind)
    coded = column.combine_chunks().dictionary_encode()
    numbers = [int(Fraction(value) * 2**fraction_bits) for value in coded.dictionary.to_pylist()]
    if pa.types.is_decimal(kind):
        numbers = [Decimal(number) for number in numbers]
    return pa.array(numbers, kind).take(coded.indices)
