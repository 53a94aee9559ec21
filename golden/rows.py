"""Writes rows of answers to files, in a form that a user reads.

In memory, a row holds raw values (`golden.plans.plan.row_types`). In a file, fixed point is an
exact decimal number, and null is an empty field.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from decimal import Decimal
from pathlib import Path
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from query.errors import UserError
from query.query import Query
from query.types import Fixed
from query.window import Range

_PART = 1 << 19  # rows that are converted or compared at a time


def write(
    table: pa.Table, query: Query, path: str | Path, mappings: Mapping[str, pa.Array] | None = None
) -> list[Path]:
    """Writes rows to ``path``, CSV or Parquet by its suffix; returns the files written.

    If dense ids replace the values of the key, ``mappings`` holds the originals. A second file
    ``<stem>.<key>.csv`` in the folder of ``path`` then lists the original of each id. A file
    appears completely or not at all.

    Raises
    ------
    UserError
        For a suffix other than ``.csv`` and ``.parquet``, or a folder that cannot be written.
    """
    path = Path(path)
    written = [path]
    with ExitStack() as stack:  # no file appears before all are written
        stack.enter_context(_scratch_with(table, fraction_bits(query), path))
        if second := originals_file(path, query, mappings):
            assert query.key is not None
            assert mappings is not None
            originals = mappings[query.key.name]
            ids = pa.table({query.key.name: pa.array(range(len(originals))), "original": originals})
            written.append(second)
            fractions = dict.fromkeys(ids.column_names, 0)
            _write_csv(ids, fractions, stack.enter_context(replacing(second)))
    return written


def originals_file(
    path: str | Path, query: Query, mappings: Mapping[str, pa.Array] | None
) -> Path | None:
    """Returns the file for the originals of the key's dense ids that `write` adds to ``path``.

    Returns None if the key has no dense ids.
    """
    if query.key is None or query.key.name not in (mappings or {}):
        return None
    return Path(path).with_name(f"{Path(path).stem}.{query.key.name}.csv")


def is_originals_file(path: str | Path, query: Query) -> bool:
    """Returns True if the file begins like an originals file of `write` for the query's key."""
    assert query.key is not None
    with open(path, "rb") as file:
        return file.readline(1000).rstrip(b"\r\n") == f"{query.key.name},original".encode()


def write_columns(table: pa.Table, fractions: Mapping[str, int], path: str | Path) -> None:
    """Writes raw values to ``path``, with the number of fraction bits of each column by its name.

    The form and the suffixes are those of `write`.
    """
    with _scratch_with(table, fractions, Path(path)):
        pass


@contextmanager
def replacing(path: Path) -> Iterator[str]:
    """Yields a scratch file beside ``path`` that replaces ``path`` when the block succeeds.

    The file has the permissions of a new file, which the user's umask sets. Raises UserError if the
    scratch file cannot be written or cannot replace ``path``. No scratch file remains after an
    error.
    """
    path = Path(path)
    name = str(path.parent / f".sluice.{uuid4().hex}")
    try:
        with open(name, "xb"):
            pass
        yield name
        os.replace(name, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            reason = error.strerror or str(error)
            raise UserError(f"cannot be written: {reason}", file=path) from None
        raise


@contextmanager
def _scratch_with(table, fractions, path):
    """Writes ``table`` to the scratch file of `replacing`, in the format of ``path``'s suffix."""
    writers = {".csv": _write_csv, ".parquet": _write_parquet}
    if path.suffix not in writers:
        raise UserError("rows must go to a .csv or .parquet file", file=path)
    with replacing(path) as scratch:
        writers[path.suffix](table, fractions, scratch)
        yield


def fraction_bits(query: Query) -> dict[str, int]:
    """Returns the number of fraction bits of the raw values in each column of the rows."""
    counts = [0] + (
        [query.window.attribute.type.fraction] if isinstance(query.window, Range) else []
    )
    counts += [query.key.type.fraction] if query.key else []
    counts += [item.aggregate.fraction_bits for item in query.items]
    return dict(zip(query.row_names, counts, strict=True))


def parts_of(table: pa.Table) -> Iterator[pa.Table]:
    """Yields a table, `_PART` rows at a time; a table without rows is one empty part."""
    for begin in range(0, max(table.num_rows, 1), _PART):
        yield table[begin : begin + _PART].combine_chunks()


def file_schema(table: pa.Table, fractions: Mapping[str, int]) -> pa.Schema:
    """Returns the types in a file: fixed point becomes decimals of up to 76 digits.

    The decimals hold every value of the column, with all its fraction bits. For instance the values
    -3.25 and 10.5, with 8 fraction bits, need 2 digits before the point and 8 behind it.
    """
    fields = list(table.schema)
    for index, field in enumerate(fields):
        bits = fractions[field.name]
        if bits:
            ends = pc.min_max(table[field.name])
            raws = [int(end.as_py() or 0) for end in (ends["min"], ends["max"])]
            exponent = max(Decimal(Fixed(1, bits).text(raw)).adjusted() for raw in raws)
            digits = min(max(exponent, 0) + 1 + bits, 76)
            kind = pa.decimal128 if digits <= 38 else pa.decimal256
            fields[index] = pa.field(field.name, kind(digits, bits))
    return pa.schema(fields)


def in_schema(part: pa.Table, schema: pa.Schema, fractions: Mapping[str, int]) -> pa.Table:
    """Returns a part of the rows in the types of ``schema``: exact decimals, or their texts."""
    columns: list = []
    for column, raw_type, kind in zip(part.columns, part.schema.types, schema.types, strict=True):
        if kind != raw_type:
            coded = column.combine_chunks().dictionary_encode()
            text = Fixed(1, fractions[schema.field(len(columns)).name]).text  # of any raw
            texts = [text(int(value)) for value in coded.dictionary.to_pylist()]
            numbers = texts if pa.types.is_string(kind) else [Decimal(text) for text in texts]
            column = pa.array(numbers, kind).take(coded.indices)
        columns.append(column)
    return pa.table(columns, schema=schema)


def _write_parquet(table, fractions, path):
    schema = file_schema(table, fractions)
    with pq.ParquetWriter(path, schema) as file:
        for part in parts_of(table):
            file.write_table(in_schema(part, schema, fractions))


def _write_csv(table, fractions, path):
    with open(path, "wb") as file:
        file.write((csv_header(table.column_names) + "\n").encode())
        for part in parts_of(table):
            lines = pc.binary_join_element_wise(csv_lines(part, fractions), "\n", "")
            if len(lines):  # Arrow stores the texts one after the other
                _, ends, texts = lines.buffers()
                ends = np.frombuffer(ends, np.int32)[lines.offset :][: len(lines) + 1]
                file.write(memoryview(texts)[ends[0] : ends[-1]])


def csv_header(names: Sequence[str]) -> str:
    """Returns the first line of a CSV file, without its line feed."""
    return ",".join(_quoted(pa.array(names)).to_pylist())


def csv_lines(part: pa.Table, fractions: Mapping[str, int]) -> pa.Array:
    """Returns the lines of a CSV file for rows of raw values, without their line feeds."""
    schema = pa.schema(
        field.with_type(pa.string()) if fractions[field.name] else field for field in part.schema
    )
    columns = [_csv_texts(column) for column in in_schema(part, schema, fractions).columns]
    return pa.chunked_array(pc.binary_join_element_wise(*columns, ",")).combine_chunks()


def _csv_texts(column):
    """Returns the fields of a column; null becomes an empty field."""
    if pa.types.is_floating(column.type):  # numpy's shortest text that reads back as the value
        coded = column.combine_chunks().dictionary_encode()
        texts = [str(value) for value in coded.dictionary.to_numpy(zero_copy_only=False)]
        fields = pa.array(texts, pa.string()).take(coded.indices)
    else:
        is_text = pa.types.is_string(column.type)
        fields = _quoted(column) if is_text else column.cast(pa.string())
    return pc.fill_null(fields, "")


def _quoted(column):
    """Returns strings as CSV fields, in quotes if empty or special."""
    special = pc.or_(pc.match_substring_regex(column, '[",\r\n]'), pc.equal(column, ""))
    doubled = pc.replace_substring(column, '"', '""')
    return pc.if_else(special, pc.binary_join_element_wise('"', doubled, '"', ""), column)
