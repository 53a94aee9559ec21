"""Writes rows by Spark: each partition writes its part, and the parts become a file or a directory.

Spark writes all parts into a scratch directory beside the target. For a directory the scratch
directory is renamed. For a file the parts are joined in their order, a piece at a time, so that the
driver's memory does not grow with the rows. The target appears completely or not at all.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from pyspark.sql import Observation
from pyspark.sql import functions as fn

from golden.frames.answer import FrameAnswer
from golden.rows import csv_header, replacing
from query.errors import UserError

_PIECE = 1 << 22  # bytes of a part that are joined at a time
#: Names that Spark gives to files of rows, to the mark of their end, and to their checksums.
_SPARK_NAME = re.compile(r"part-.*|_SUCCESS|\.(part-.*|_SUCCESS)\.crc", re.DOTALL)


def write_rows(answer: FrameAnswer, path: Path, parts: bool) -> int:
    """Writes the rows to ``path``, CSV or Parquet by its suffix; returns the number of rows.

    With ``parts`` the path becomes a directory of part files, whose names ascend in the order of
    the rows; each part file of CSV begins with the names. Such a directory may be replaced.

    Raises UserError for a place that cannot be written.
    """
    is_csv = path.suffix == ".csv"
    if parts:
        if path.is_symlink():
            path = path.resolve()  # the directory behind a link is replaced, and not the link
        check_directory(path)
    with _scratch_directory(path) as scratch:
        written = _write(answer, is_csv, parts, scratch / "rows")
        # Numbers of partitions have five digits or more, so shorter names come first.
        files = sorted((scratch / "rows").glob("part-*"), key=lambda file: (len(file.name), file))
        if not parts:
            return (_joined_csv if is_csv else _joined_parquet)(files, answer, path, written)
        row_count = sum((_csv_lines if is_csv else _parquet_count)(file) for file in files)
        _check_complete(written, row_count, path)
        names = sum(file.stat().st_size > 0 for file in files) if is_csv else 0
        for file in files if is_csv else ():
            file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
            if not file.stat().st_size:  # of an empty partition, for which Spark writes no line
                file.write_text(csv_header(answer.query.row_names) + "\n")
            file.rename(file.with_suffix(".csv"))  # Spark names a file of texts .txt
        _replace_directory(path, scratch)
        return row_count - names


def _write(answer, is_csv, header, place):
    """Writes the rows by Spark into a directory; returns the number of rows, or lines of CSV."""
    frame = answer.csv_lines(header=header) if is_csv else answer.rows()
    observation = Observation()
    writer = frame.observe(observation, fn.count(fn.lit(1)).alias("lines")).write
    address = f"file://{place.absolute()}"
    if is_csv:
        writer.option("maxRecordsPerFile", 0).text(address)  # one file for each partition
    else:
        writer.parquet(address)
    return observation.get["lines"]


def check_directory(path: Path) -> None:
    """Raises UserError if ``path`` is neither free nor a directory of parts that Spark wrote."""
    try:
        if path.is_dir() and all(
            entry.is_file() and _SPARK_NAME.fullmatch(entry.name) for entry in path.iterdir()
        ):
            return
        is_free = not os.path.lexists(path)
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=path) from None
    if not is_free:
        raise UserError("is in the way: it is no directory of part files; move it away", file=path)


@contextmanager
def _scratch_directory(path) -> Iterator[Path]:
    """Yields a directory beside ``path``, which is removed in the end."""
    try:
        scratch = Path(tempfile.mkdtemp(prefix=".sluice.", dir=path.parent))
    except OSError as error:
        raise UserError(f"cannot be written: {error.strerror}", file=path) from None
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _replace_directory(path, scratch):
    """Moves ``rows`` of the scratch directory to ``path``, and a directory there to the scratch.

    At each moment both exist, so that an error loses neither.
    """
    old = scratch / "old"
    try:
        with suppress(FileNotFoundError):
            os.rename(path, old)
        os.rename(scratch / "rows", path)
    except BaseException as error:
        if os.path.lexists(old) and not os.path.lexists(path):
            os.rename(old, path)
        if isinstance(error, OSError):
            raise UserError(f"cannot be written: {error.strerror}", file=path) from None
        raise


def _check_complete(written, row_count, path):
    """Raises UserError unless all rows, or lines, that Spark has written are in its part files."""
    if row_count != written:
        raise UserError(
            f"Spark has written {written:,} rows, and {row_count:,} of them are here: its workers "
            "must write to a file system that this machine shares",
            file=path,
        )


def _joined_csv(files, answer, path, written):
    """Joins part files of lines to ``path``; returns the number of rows."""
    with replacing(path) as scratch:
        with open(scratch, "wb") as target:
            target.write((csv_header(answer.query.row_names) + "\n").encode())
            row_count = sum(_csv_lines(file, target.write) for file in files)
        _check_complete(written, row_count, path)
    return row_count


def _csv_lines(file, write=None):
    """Returns the number of lines of a part file, and passes the file to ``write`` in pieces."""
    lines, in_quotes = 0, False
    with open(file, "rb") as part:
        while piece := part.read(_PIECE):
            if write is not None:
                write(piece)
            ends, in_quotes = _line_ends(piece, in_quotes)
            lines += ends
    return lines


def _line_ends(piece, in_quotes):
    """Returns the number of line feeds outside of quotes, and whether the piece ends in quotes."""
    data = np.frombuffer(piece, np.uint8)
    feeds = data == ord("\n")
    if not in_quotes and b'"' not in piece:
        return int(feeds.sum()), False
    quoted = (np.cumsum(data == ord('"')) + in_quotes) % 2 == 1
    return int((feeds & ~quoted).sum()), bool(quoted[-1])


def _joined_parquet(files, answer, path, written):
    """Joins part files of Parquet to ``path``; returns the number of rows."""
    _check_complete(written, sum(map(_parquet_count, files)), path)
    if not files:  # Spark writes a part without rows
        raise UserError("Spark has written no part here", file=path)
    rows = 0
    with replacing(path) as scratch:
        schema = pq.read_schema(files[0]).remove_metadata()
        with pq.ParquetWriter(scratch, schema) as target:
            for file in files:
                for batch in pq.ParquetFile(file).iter_batches():
                    target.write_batch(batch.cast(schema))
                    rows += batch.num_rows
    return rows


def _parquet_count(file):
    return pq.read_metadata(file).num_rows
