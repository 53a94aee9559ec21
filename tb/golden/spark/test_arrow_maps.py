"""Checks the frames of tables in memory."""

import pyarrow as pa
import pytest

from golden.spark import arrow_maps
from golden.spark.arrow_maps import frame_of

pytestmark = pytest.mark.spark
ROWS_OF_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


@pytest.mark.parametrize(
    ("count", "partitions"), [(0, []), (1, [1]), (3, [2, 1]), (8, [4, 4]), (25, [10, 10, 5])]
)
def test_rows_lie_in_the_partitions_in_their_order(spark, monkeypatch, count, partitions):
    monkeypatch.setattr(arrow_maps, "_PARTITION", 10)
    before = spark.conf.get(ROWS_OF_BATCH)
    parts = frame_of(spark, pa.table({"x": pa.array(range(count), pa.int64())})).rdd.glom()
    values = [[row["x"] for row in part] for part in parts.collect()]
    assert [len(part) for part in values] == partitions
    assert [value for part in values for value in part] == list(range(count))
    assert spark.conf.get(ROWS_OF_BATCH) == before
