"""Plans the tasks of a query with keys, or groups: the hash of a key decides its task."""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from golden.frames.engine_values import engine_columns, result_batches, result_schema
from golden.order.runs import Times
from golden.plans.time_windows import span_of
from golden.spark.arrow_maps import map_batches
from host.spark.cuts import TimeWindows
from host.spark.segment import run_near
from host.spark.task import EngineTask
from query.query import Query
from query.window import Range
from sluice.operator.prepared import ACCEPTED, NUMBER, TIME, Prepared, column_of


def key_results(
    query: Query,
    task: EngineTask,
    prepared: Prepared,
    parts: int,
    part_size: int,
    start: int | None,
) -> DataFrame:
    """Returns the results of ``parts`` engines, each of which gets all tuples of its keys.

    There are more engines if ``parts`` equal shares would have more than ``part_size`` tuples each:
    with 2 parts of at most 300,000 tuples, 1,000,000 tuples take 4 engines. Keys are not split, so
    a part may have more tuples than its share. The tuples of a key stay in order of arrival, so its
    windows are the same with any number of parts. Windows of time are numbered from ``start`` for
    all keys; None stands for `first_start`.
    """
    tuples = prepared.tuples
    parts = max(parts, -(-(prepared.count or tuples.count()) // part_size))
    if isinstance(query.window, Range) and start is None:
        start = first_start(query, tuples)
    part = key_part(query, parts)
    names = [f"c{i}" for i in range(len(query.columns))]
    columns = tuples.select(*names, ACCEPTED, NUMBER, part.alias("part"))
    shares = columns.repartitionById(parts, "part")

    def run(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        batches = [batch for batch in batches if batch.num_rows]
        if batches:
            table = pa.Table.from_batches(batches)
            accepted = np.asarray(table[ACCEPTED])
            rows, counts = _answered(query, task, engine_columns(query, table), accepted, start)
            yield from result_batches(query, rows, counts, TaskContext.get().partitionId())

    selected = shares.sortWithinPartitions(NUMBER).select(*names, ACCEPTED)
    return map_batches(selected, run, result_schema(query))


def _answered(query, task, columns, accepted, start):
    """Returns an engine's rows and counts; window 0 of the rows begins at ``start``.

    ``accepted`` is False for each tuple that reaches no window: its time does not matter.
    """
    window = query.window
    if not isinstance(window, Range):
        return task.run(columns, start)
    name = window.attribute.name
    windows = TimeWindows(window.size, window.slide, window.slack, name, start)
    return run_near(task, windows, columns, columns[name][accepted])


def key_part(query: Query, parts: int) -> Column:
    """Returns the number of the part of a tuple's key, from 0 to ``parts`` - 1."""
    assert query.key is not None
    return fn.pmod(fn.hash(column_of(query, query.key.name)), fn.lit(parts)).cast("int")


def first_start(query: Query, tuples: DataFrame) -> int:
    """Returns the start of window 0 that the first accepted tuple determines; 0 without one."""
    first = fn.min_by(TIME, NUMBER)
    [row] = tuples.filter(ACCEPTED).agg(first.alias("first")).take(1)
    if row["first"] is None:
        return 0
    assert isinstance(query.window, Range)
    time = int(row["first"])
    span = span_of(Times(time, time, time), query.window, None)
    assert span is not None
    return span.start
