"""Compares two sources of rows as a job of Spark, for rows on a cluster.

Both sources are numbered in parallel and joined by the number. Python workers compare the joined
rows by the same function as `golden.compare.streams`, and each task returns its counts and its
first differences, so the driver's memory does not grow with the rows.
"""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn
from pyspark.sql.types import LongType, StringType, StructField, StructType

from golden.compare.sources import RowFiles, kinds_of
from golden.compare.streams import Difference, Differences
from golden.compare.values import NotOfKindError, different
from golden.frames.columns import column_named
from golden.frames.errors import OF_WORKER
from golden.frames.source import refuse_other_encodings, spark_places
from golden.spark.arrow_maps import quiet
from query.errors import UserError, brief

_INDEX, _FILE, _PLACE, _OFFSET = "#index", "#file", "#place", "#offset"
_RESULT_SCHEMA = "mismatches long, rows_a long, rows_b long, place long, pair binary, error string"


def compare(
    spark: SparkSession,
    expected: RowFiles,
    actual: RowFiles,
    query_kinds: Mapping[str, str] | None = None,
    shown: int = 10,
) -> Differences:
    """Returns the result of `golden.compare.streams.compare`, computed by Spark.

    The files must have the same paths on every machine of the cluster. A file of CSV is read by one
    task, because its texts may hold line ends; files of Parquet are split.

    Raises
    ------
    UserError
        As `golden.compare.streams.compare` does, and for files that Spark cannot read, such as
        numbers of more than 38 digits.
    """
    kinds = kinds_of(expected, actual, query_kinds)
    width = len(kinds) + 1
    sources = expected, actual
    paths = [(str(source.path), len(source.files) > 1) for source in sources]
    task = partial(_compare_task, names=list(expected.types), kinds=kinds, paths=paths, shown=shown)
    try:
        with quiet():
            a, b = (
                numbered(spark, source).toDF(*(f"{side}{number}" for number in range(width)))
                for source, side in zip(sources, "ab", strict=True)
            )
            joined = a.join(b, a["a0"] == b["b0"], "full_outer")
            results = joined.mapInArrow(task, _RESULT_SCHEMA).collect()
    except PySparkException as error:
        raise _as_user_error(error) from None
    if errors := [(row.place, row.error) for row in results if row.error is not None]:
        raise UserError(min(errors)[1])
    first = sorted((row for row in results if row.pair is not None), key=lambda row: row.place)
    return Differences(
        rows_expected=sum(row.rows_a for row in results),
        rows=sum(row.rows_b for row in results),
        mismatches=sum(row.mismatches for row in results),
        first=[Difference(row.place, *pickle.loads(row.pair)) for row in first[:shown]],
    )


def numbered(spark: SparkSession, source: RowFiles) -> DataFrame:
    """Returns the rows of a source after a column with the number of each row, from 0.

    The columns of the source become x0, x1 and so on, because columns of a source may have any
    names, also those of the columns that are added here.

    No data move. The number of a row is its number in its file, plus the rows of the files before:
    these come from the footers of Parquet, and for CSV from a job that counts.
    """
    columns = [f"x{number}" for number in range(len(source.types))]
    if source.is_csv:
        rows = _csv_rows(spark, source)
        counts = dict(rows.groupBy(_FILE).count().collect())
    else:
        rows = spark.read.parquet(*spark_places(source.files))
        # A column of the source may have the name _metadata, so Spark's own is asked for as such.
        encoded, place = (rows.metadataColumn("_metadata")[n] for n in ("file_name", "row_index"))
        # Spark encodes names as in a URL, but a plus stays a plus.
        name = fn.url_decode(fn.replace(encoded, fn.lit("+"), fn.lit("%2B")))
        null = fn.lit(None).cast("string")  # Spark would read a column of type null as integers
        selected = [
            (null if pa.types.is_null(type_) else column_named(column)).alias(new_name)
            for (column, type_), new_name in zip(source.types.items(), columns, strict=True)
        ]
        rows = rows.select(*selected, name.alias(_FILE), place.alias(_PLACE))
        counts = {file.name: pq.read_metadata(file).num_rows for file in source.files}
    names = [file.name for file in source.files]
    row_numbers = accumulate((counts.get(name, 0) for name in names[:-1]), initial=0)
    offsets = spark.createDataFrame(list(zip(names, row_numbers, strict=True)), [_FILE, _OFFSET])
    index = fn.col(f"`{_PLACE}`") + fn.col(f"`{_OFFSET}`")
    return rows.join(fn.broadcast(offsets), _FILE).select(index.alias(_INDEX), *columns)


def _csv_rows(spark, source):
    """Returns the rows of CSV files with the file of each row, and its place in the file.

    Workers read CSV as this process does, a file in each task: Spark's own reader takes a quoted
    empty text for NULL.
    """
    fields = [StructField(f"x{number}", StringType()) for number in range(len(source.types))]
    fields += [StructField(_FILE, StringType()), StructField(_PLACE, LongType())]
    for file in source.files:
        refuse_other_encodings(file)
    source = replace(source, files=tuple(file.absolute() for file in source.files))
    numbers = [(number,) for number in range(len(source.files))]
    numbers = spark.sparkContext.parallelize(numbers, len(numbers)).toDF("number int")
    return numbers.mapInArrow(partial(_read, source=source), StructType(fields))


def _read(batches, source):
    """Yields the rows of the files whose numbers are in ``batches``."""
    for batch in batches:
        for number in batch.column(0).to_pylist():
            place = 0
            for file, table in replace(source, files=(source.files[number],)).batches():
                names = pa.array([file.name]).take(pa.array(np.zeros(table.num_rows, np.int32)))
                places = pa.array(np.arange(place, place + table.num_rows))
                place += table.num_rows
                table = table.rename_columns([f"x{n}" for n in range(table.num_columns)])
                table = table.append_column(_FILE, names).append_column(_PLACE, places)
                yield from table.to_batches()


def _compare_task(
    batches: Iterator[pa.RecordBatch],
    names: Sequence[str],
    kinds: Sequence[str],
    paths: Sequence[tuple[str, bool]],
    shown: int,
) -> Iterator[pa.RecordBatch]:
    """Compares the joined rows of a task.

    Yields one batch: a row with the counts of the task, then a row for each of the first
    differences. ``paths`` has the path of each side, and True if this is a path of several files.
    """
    width = len(names) + 1
    mismatches, rows_a, rows_b = 0, 0, 0
    fault: tuple[int, str] | None = None  # row of an error, from 0, and message
    first: list[tuple[int, bytes]] = []
    for batch in batches:
        table = pa.table(batch)
        if fault := _not_utf8(batch, names, paths):
            break
        a, b = (table.select(range(k * width, (k + 1) * width)) for k in (0, 1))
        in_a, in_b = (pc.is_valid(side.column(0)) for side in (a, b))
        rows_a += pc.sum(in_a).as_py()
        rows_b += pc.sum(in_b).as_py()
        in_both = pc.and_(in_a, in_b)
        unmatched = table.filter(pc.invert(in_both))
        common = table.filter(in_both)
        a, b = (
            common.select(range(k * width + 1, (k + 1) * width)).rename_columns(names)
            for k in (0, 1)
        )
        try:
            marked = different(a, b, kinds)
        except NotOfKindError as error:
            number = common["a0"][error.index].as_py()
            fault = number, f"{_place(paths[error.side], number)}: {error.column}: {error}"
            break
        differing = pa.concat_tables([common.filter(marked), unmatched])
        mismatches += differing.num_rows
        places = pc.coalesce(differing["a0"], differing["b0"])
        order = pc.sort_indices(places)[:shown]
        for place, row in zip(
            places.take(order).to_pylist(), differing.take(order).to_pylist(), strict=True
        ):
            first.append((place, pickle.dumps([_side(row, side, names) for side in "ab"])))
        first = sorted(first)[:shown]
    number, message = fault or (None, None)
    counts = [(mismatches, rows_a, rows_b, number, None, message)]
    lines = [*counts, *((0, 0, 0, place, pair, None) for place, pair in first)]
    types = [pa.int64()] * 4 + [pa.binary(), pa.string()]
    fields = ("mismatches", "rows_a", "rows_b", "place", "pair", "error")
    columns = zip(*lines, strict=True)
    arrays = [pa.array(column, type_) for column, type_ in zip(columns, types, strict=True)]
    yield pa.record_batch(arrays, names=fields)


def _not_utf8(batch, names, paths):
    """Returns the row and a message for the first column with a text that is not UTF-8, or None."""
    for number, column in enumerate(batch.columns):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            side, index = divmod(number, len(names) + 1)
            texts = enumerate(column.cast(pa.binary()).to_pylist())
            faulty = next(k for k, text in texts if text is not None and not _is_utf8(text))
            row = batch.column(number - index)[faulty].as_py()
            return row, f"{_place(paths[side], row)}: {names[index - 1]}: the text is not UTF-8"
    return None


def _place(path, number):
    """Returns a path and a row, whose ``number`` counts the rows of all files from 0."""
    name, has_files = path
    return f"{name}: row {number + 1}" + (" of all files" if has_files else "")


def _is_utf8(text):
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def _side(row, side, names):
    """Returns one side's row of a joined row, or None where the side has no such row."""
    values = [row[f"{side}{number}"] for number in range(len(names) + 1)]
    return None if values[0] is None else dict(zip(names, values[1:], strict=True))


def _as_user_error(error):
    """Returns the error of the user that a worker has raised, or else the reason of Spark."""
    if of_worker := OF_WORKER.search(str(error)):
        return UserError(of_worker[1])
    return UserError(f"Spark cannot read the rows: {brief(str(error).splitlines()[0], 300)}")
