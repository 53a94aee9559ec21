"""Plans the tasks of a query with ROWS or RANGE and no keys: segments in order of arrival.

`host.spark.cuts` explains where a stream can be cut, and which tuples the engine behind a cut gets
again. The driver collects a few numbers of each segment: with ROWS and WHERE the count of tuples
that pass, with RANGE their first, least and greatest time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from golden.frames.engine_values import engine_columns, result_batches, result_schema
from golden.order.runs import Times
from golden.plans.stream import acceptance
from golden.plans.time_windows import check_span, span_of
from golden.spark.arrow_maps import map_batches
from host.spark.cuts import Cut, RowWindows, StreamWindows, TimeWindows
from host.spark.segment import run_segment
from host.spark.task import EngineTask
from query.query import Query
from query.window import Range
from sluice.operator.prepared import ACCEPTED, NUMBER, TIME, Prepared

SEGMENT = "segment"  # column of the number of the segment that gets a tuple


@dataclass(frozen=True)
class Segments:
    """Describes the segments of a stream.

    Attributes
    ----------
    size : int
        Number of tuples of each segment; the last one may have fewer.
    windows : StreamWindows
    cuts : tuple of Cut
        The cut before each segment.
    thresholds : tuple of int
        A bound for each segment, which gets again the earlier tuples that pass WHERE and whose time
        (with RANGE) or number in order of arrival (with ROWS) is at least the bound. There may be
        none. (``Cut.threshold`` of ROWS is an index among the tuples that pass WHERE, so
        `_arrival_numbers` converts it.)
    """

    size: int
    windows: StreamWindows
    cuts: tuple[Cut, ...]
    thresholds: tuple[int, ...]


def segment_results(
    query: Query,
    task: EngineTask,
    prepared: Prepared,
    parts: int,
    part_size: int,
    start: int | None,
) -> DataFrame:
    """Returns the results of the engines, one for each segment, in the order of the windows.

    There are at most ``parts`` segments of equal size, or more if each of them would have more than
    ``part_size`` new tuples, see `OperatorDesign.part_size`. Example: 10 tuples and 4 parts make
    segments of 3, 3, 3 and 1 tuples; with a ``part_size`` of 2 they make 5 segments of 2.
    """
    tuples, count = prepared.tuples, prepared.count
    if count == 0:
        return tuples.sparkSession.createDataFrame([], result_schema(query))
    size = min(-(-count // parts), part_size)
    segments, copies = divide(query, prepared, size, start)
    names = [f"c{i}" for i in range(len(query.columns))]  # see `sluice.operator.prepared.NUMBER`
    copies = copies.select(*names, NUMBER, SEGMENT)
    ordered = copies.repartitionById(len(segments.cuts), SEGMENT).sortWithinPartitions(NUMBER)
    size, windows, cuts = segments.size, segments.windows, segments.cuts

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        batches = [batch for batch in batches if batch.num_rows]
        if not batches:
            return
        # Usually one segment; Spark may merge partitions.
        partition = pa.Table.from_batches(batches)
        for segment in sorted(partition[SEGMENT].unique().to_pylist()):
            table = partition.filter(pc.equal(partition[SEGMENT], segment))
            # Tuples are in order of arrival, so those of earlier segments come first.
            replayed = int(np.searchsorted(table[NUMBER].to_numpy(), segment * size))
            end = cuts[segment + 1].window if segment + 1 < len(cuts) else None
            columns = engine_columns(query, table)
            rows, counts = run_segment(task, windows, columns, replayed, cuts[segment], end)
            yield from result_batches(query, rows, counts, segment)

    return map_batches(ordered, run, result_schema(query))


def divide(
    query: Query, prepared: Prepared, size: int, start: int | None
) -> tuple[Segments, DataFrame]:
    """Returns segments of ``size`` tuples, and the tuples with the column `SEGMENT`.

    A tuple has a row for its own segment, and for each later segment that gets the tuple again.
    ``start`` is the raw time at which window 0 begins; None: it follows from the first tuple.
    """
    segment_count = -(-prepared.count // size)
    tuples = prepared.tuples.withColumn(SEGMENT, _segment_of(size))
    if isinstance(query.window, Range):
        segments = _time_segments(query, tuples, size, segment_count, start)
    else:
        segments = _row_segments(query, tuples, size, segment_count)
    return segments, _with_copies(query, tuples, segments)


def _segment_of(size):
    return fn.expr(f"cast({NUMBER} div {size} as int)")


def _time_segments(query, tuples, size, segment_count, start):
    """Returns segments whose cuts follow from the greatest time before each of them."""
    greatest = fn.max(TIME).alias("greatest")
    facts = [greatest, fn.min(TIME).alias("smallest"), fn.min_by(TIME, NUMBER).alias("first")]
    by_segment = tuples.filter(ACCEPTED).groupBy(SEGMENT).agg(*facts).collect()
    times = {
        row[SEGMENT]: Times(int(row["first"]), int(row["smallest"]), int(row["greatest"]))
        for row in sorted(by_segment, key=lambda row: row[SEGMENT])
    }
    window = query.window
    span = span_of(Times.of(list(times.values())), window, start)
    if span is not None:
        check_span(tuples.filter(ACCEPTED), window, span, grouped=False)
    first = 0 if span is None else span.start
    windows = TimeWindows(window.size, window.slide, window.slack, window.attribute.name, first)
    cuts, so_far = [], None
    for segment in range(segment_count):
        cuts.append(windows.cut(so_far))
        if segment in times:
            time = times[segment].greatest
            so_far = time if so_far is None else max(so_far, time)
    return Segments(size, windows, tuple(cuts), tuple(cut.threshold for cut in cuts))


def _row_segments(query, tuples, size, segment_count):
    """Returns segments whose cuts follow from the count of accepted tuples before each of them."""
    windows = RowWindows(query.window.size, query.window.slide)
    if acceptance(query) is None:
        cuts = tuple(windows.cut(segment * size) for segment in range(segment_count))
        return Segments(size, windows, cuts, tuple(cut.threshold for cut in cuts))
    by_segment = tuples.filter(ACCEPTED).groupBy(SEGMENT).count().collect()
    counts = {row[SEGMENT]: row["count"] for row in by_segment}
    counts_before, total = [], 0
    for segment in range(segment_count):
        counts_before.append(total)
        total += counts.get(segment, 0)
    cuts = tuple(windows.cut(count) for count in counts_before)
    segments = Segments(size, windows, cuts, ())
    return replace(segments, thresholds=_arrival_numbers(tuples, segments, counts_before))


def _arrival_numbers(tuples, segments, counts_before):
    """Converts the threshold of each cut, an index among accepted tuples, to an arrival number.

    ``counts_before`` are the counts of accepted tuples before the segments. A cut without a tuple
    to send again has the number of its segment's first tuple.
    """
    pairs = zip(segments.cuts, counts_before, strict=True)
    looked_up = {cut.threshold for cut, count in pairs if cut.threshold < count}
    numbers = {}
    if looked_up:
        array = ", ".join(f"{count}L" for count in counts_before)
        rank = fn.row_number().over(Window.partitionBy(SEGMENT).orderBy(NUMBER)).cast("long")
        index = fn.expr(f"get(array({array}), {SEGMENT})") + rank - 1
        indexed = tuples.filter(ACCEPTED).select(NUMBER, index.alias("index"))
        for row in indexed.filter(fn.col("index").isin(sorted(looked_up))).collect():
            numbers[row["index"]] = row[NUMBER]
    return tuple(
        numbers.get(cut.threshold, segment * segments.size)
        for segment, cut in enumerate(segments.cuts)
    )


def _with_copies(query, tuples, segments):
    """Returns each tuple with the number of its segment, and a copy for each segment that needs it.

    The thresholds ascend, so a tuple is sent again to the segments up to the last one whose
    threshold is at most the tuple's number, or time.
    """
    own = _segment_of(segments.size)
    if len(segments.cuts) == 1:
        return tuples.withColumn(SEGMENT, own)
    value = fn.col(TIME if isinstance(query.window, Range) else NUMBER)
    kind = "decimal(38,0)"
    # One array: Spark's compiler would need a deep stack for a sum of thousands of terms.
    thresholds = fn.array(*(fn.lit(str(number)).cast(kind) for number in segments.thresholds[1:]))
    last = fn.size(fn.filter(thresholds, lambda threshold: value.cast(kind) >= threshold))
    last = fn.when(fn.col(ACCEPTED), fn.greatest(own, last)).otherwise(own)
    return tuples.withColumn(SEGMENT, fn.explode(fn.sequence(own, last)))
