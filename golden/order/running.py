"""Finds the greatest time so far of each tuple, by scans over the partitions.

The first scan finds the greatest time of each run (`golden.order.runs`), from which the driver
computes the greatest time before each run. `with_greatest` is the second scan. It continues from
these times: each partition by itself, in order of its rows, without an exchange.

The second scan is left out if no tuple can be late: no tuple is before the start, and the disorder
is at most the slack. If the first scan has not found the disorder, `disorder` scans the times.
"""

from collections.abc import Iterable, Iterator
from itertools import accumulate

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.types import StructField, StructType

from golden.order.runs import Run
from golden.spark.arrow_maps import map_batches
from golden.values.carry import array_of

GREATEST = "greatest"  # column of the greatest time up to and including a tuple
_Piece = tuple[int, int, int | None]  # first row, row after the last one, greatest time before


def disorder(times: DataFrame, runs: list[Run]) -> int:
    """Returns the greatest distance of a tuple's time below the greatest time before the tuple.

    The disorder of times in order is 0, and the disorder of the times 5, 9, 7, 6 is 3. ``times`` is
    a frame with the column ``t`` only, and ``runs`` are in order of arrival.
    """
    pieces = _pieces(runs)

    def scan(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        greatest_disorder = 0
        for _, numbers, greatest in _scanned(batches, pieces):
            if len(numbers):  # the difference is not negative, so its 64 bits are unsigned
                batch_disorder = int((greatest - numbers).view(np.uint64).max())
                greatest_disorder = max(greatest_disorder, batch_disorder)
        yield pa.record_batch([pa.array([str(greatest_disorder)])], names=["disorder"])

    exact = fn.col("disorder").cast("decimal(20,0)")
    [row] = map_batches(times, scan, "disorder string").agg(fn.max(exact)).take(1)
    return int(row[0] or 0)


def with_greatest(tuples: DataFrame, runs: list[Run]) -> DataFrame:
    """Returns the tuples with the column `GREATEST`; ``runs`` are in order of arrival."""
    pieces = _pieces(runs)
    schema = StructType([*tuples.schema, StructField(GREATEST, tuples.schema["t"].dataType)])

    def scan(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch, _, greatest in _scanned(batches, pieces):
            column = pa.array(greatest).cast(batch.schema.field("t").type)
            yield pa.record_batch([*batch.columns, column], names=[*batch.schema.names, GREATEST])

    return map_batches(tuples, scan, schema)


def _pieces(runs: list[Run]) -> dict[int, list[_Piece]]:
    """Returns the pieces of each partition, in the order of their rows."""
    pieces: dict[int, list[_Piece]] = {}
    greatest_before = [None, *accumulate((run.times.greatest for run in runs), max)]
    for run, before in zip(runs, greatest_before, strict=False):
        pieces.setdefault(run.partition, []).append((run.row, run.row + run.count, before))
    return {partition: sorted(parts) for partition, parts in pieces.items()}


def _scanned(
    batches: Iterable[pa.RecordBatch], pieces: dict[int, list[_Piece]]
) -> Iterator[tuple[pa.RecordBatch, np.ndarray, np.ndarray]]:
    """Yields each batch of the task's partition, with times and the greatest times so far."""
    partition_pieces = pieces.get(TaskContext.get().partitionId(), [])
    row, piece_index, greatest_before = 0, 0, None
    for batch in batches:
        times = array_of(batch.column(batch.schema.get_field_index("t")))
        greatest = np.empty_like(times)
        begin = 0
        while begin < len(times):
            if piece_index == len(partition_pieces):
                raise RuntimeError("a partition has more tuples than in the first scan")
            first, end, greatest_before_piece = partition_pieces[piece_index]
            if row + begin == first:
                greatest_before = greatest_before_piece
            stop = min(len(times), end - row)
            part = np.maximum.accumulate(times[begin:stop])
            if greatest_before is not None:
                part = np.maximum(part, times.dtype.type(greatest_before))
            greatest[begin:stop] = part
            greatest_before = int(part[-1])
            begin = stop
            piece_index += row + stop == end
        row += len(times)
        yield batch, times, greatest
