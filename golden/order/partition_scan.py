"""Scans the partitions of a frame once, in Python, for the facts from which runs are made.

The facts of a partition are its count of tuples, whether the column of the order ascends in it, and
its times with their disorder. Spark's aggregates would find the count and the extreme times, but
not the disorder and the ascent, because aggregates do not see the order of the rows.
"""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from pyspark.sql import DataFrame, Row
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import _parse_datatype_string

from golden.order.runs import Times
from golden.spark.arrow_maps import map_batches
from golden.values.carry import array_of

_EXACT = "decimal(38,0)"


def partition_facts(tuples: DataFrame, order: str | None, timed: bool) -> list[Row]:
    """Returns a row of facts for each partition that holds a tuple, in any sequence.

    Parameters
    ----------
    tuples : DataFrame
        Has the column ``t`` of times if ``timed``.
    order : str or None
        Column whose ascent is checked, without NULL and NaN.

    Returns
    -------
    list of Row
        ``partition`` and ``count``; with an order ``ascending``, and the ``first`` and ``last``
        value of the column; with ``timed`` the fields of `golden.order.runs.Times`. For instance a
        partition with the times 5, 9, 7, 6 has count 4, first_time 5, smallest 5, greatest 9 and
        disorder 3.
    """
    fields = [("partition", "int"), ("count", "long")]
    if order is not None:
        kind = tuples.schema[order].dataType.simpleString()
        fields += [("ascending", "boolean"), ("first", kind), ("last", kind)]
    if timed:
        fields += [(name, _EXACT) for name in ("first_time", "smallest", "greatest", "disorder")]
    types = [to_arrow_type(_parse_datatype_string(text)) for _, text in fields]
    is_ordered = order is not None

    def scan(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        facts = _facts(batches, is_ordered, timed)
        if facts is not None:
            arrays = [pa.array([v], type_) for v, type_ in zip(facts, types, strict=True)]
            yield pa.record_batch(arrays, names=[name for name, _ in fields])

    selected = tuples.select(*([f"`{order}`"] if is_ordered else []), *(["t"] if timed else []))
    schema = ", ".join(f"{name} {text}" for name, text in fields)
    return map_batches(selected, scan, schema).collect()


def _facts(batches, is_ordered, timed):
    """Returns the facts of the task's partition; None if it is empty."""
    count, ascending, ends, times = 0, True, [], None
    for batch in batches:
        if not batch.num_rows:
            continue
        count += batch.num_rows
        if is_ordered:
            order = batch.column(0)
            ascending &= pc.all(pc.less(order[:-1], order[1:]), min_count=0).as_py()
            ascending &= not ends or ends[-1] < order[0].as_py()
            ends = [*ends[:1], order[0].as_py(), order[-1].as_py()]
        if timed:
            batch_times = _times(array_of(batch.column(batch.num_columns - 1)))
            times = Times.of([batch_times] if times is None else [times, batch_times])
    if not count:
        return None
    ordered = [ascending, ends[0], ends[-1]] if is_ordered else []
    timed_facts = [times.first, times.smallest, times.greatest, times.disorder] if times else []
    return [TaskContext.get().partitionId(), count, *ordered, *timed_facts]


def _times(times):
    """Returns the Times of an array."""
    # The difference is not negative and may need 64 bits, so its bits are read as unsigned.
    below = (np.maximum.accumulate(times) - times).view(np.uint64)
    return Times(int(times[0]), int(times.min()), int(times.max()), int(below.max()))
