"""Checks the facts of partitions against a plain loop over the tuples."""

import random
from decimal import Decimal
from functools import reduce
from itertools import accumulate

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame

from golden.order.partition_scan import partition_facts
from golden.spark.arrow_maps import quiet
from tb.golden.order.time_types import TIMES

ROWS_OF_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
pytestmark = [pytest.mark.spark, pytest.mark.usefixtures("separate_partitions")]


@pytest.fixture(autouse=True)
def small_batches(spark):
    """Lets a batch have four tuples."""
    old_batch_rows = spark.conf.get(ROWS_OF_BATCH)
    spark.conf.set(ROWS_OF_BATCH, "4")
    yield
    spark.conf.set(ROWS_OF_BATCH, old_batch_rows)


def frame_of(spark, parts, kind):
    """Returns a frame with a partition for each list of pairs (order, time).

    Pairs with an order below 0 are dropped. The condition is random for Spark's optimiser, which
    would otherwise remove an empty partition.
    """
    frames = []
    passes = "`#order` + rand() >= 0"
    for part in parts:
        times = [Decimal(t) if pa.types.is_decimal(kind) else t for _, t in part]
        orders = pa.array([order for order, _ in part], pa.int64())
        with quiet():
            table = pa.table({"#order": orders, "t": pa.array(times, kind)})
            frames.append(spark.createDataFrame(table).coalesce(1).filter(passes))
    return reduce(DataFrame.unionAll, frames)


def disorder(times):
    return max(g - t for g, t in zip(accumulate(times, max), times, strict=True))


@pytest.mark.parametrize("name", TIMES)
def test_times_of_partitions(spark, name):
    """The partitions have one, seven and two batches; an empty partition has no facts."""
    dropped_row = (-1, 0)  # `frame_of` drops it
    kind, extremes = TIMES[name]
    rng = random.Random(name)
    parts = [[(n, rng.choice(extremes)) for n in range(size)] for size in (1, 0, 25, 7)]
    frame = frame_of(spark, [part or [dropped_row] for part in parts], kind)
    facts = partition_facts(frame, None, timed=True)
    actual = {row["partition"]: tuple(int(value) for value in row[1:]) for row in facts}
    times = {i: [t for _, t in part] for i, part in enumerate(parts) if part}
    assert actual == {i: (len(t), t[0], min(t), max(t), disorder(t)) for i, t in times.items()}


@pytest.mark.parametrize("timed", [False, True])
def test_ascent_of_a_column(spark, timed):
    """The fourth part descends between two batches of four tuples."""
    orders = [[3, 4, 9], [5, 5], [7, 6, 8], [10, 11, 12, 13, 2, 14]]
    parts = [[(order, 5 - order) for order in part] for part in orders]
    facts = partition_facts(frame_of(spark, parts, pa.int64()), "#order", timed=timed)
    actual = [tuple(row)[:5] for row in sorted(facts)]
    assert actual == [
        (0, 3, True, 3, 9),
        (1, 2, False, 5, 5),
        (2, 3, False, 7, 8),
        (3, 6, False, 10, 14),
    ]
    disorders = [row.asDict().get("disorder") for row in sorted(facts)]
    assert disorders == ([6, 0, 2, 12] if timed else [None] * 4)
