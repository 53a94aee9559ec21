"""Checks the frames of tables in memory."""

import pyarrow as pa
import pytest

from golden.spark import arrow_maps
from golden.spark.arrow_maps import frame_of

pytestmark = pytest.mark.spark
SETTINGS = [
    f"spark.sql.execution.arrow.{name}" for name in ("maxRecordsPerBatch", "localRelationThreshold")
]


@pytest.mark.parametrize(
    ("count", "partitions"), [(0, []), (1, [1]), (3, [2, 1]), (8, [4, 4]), (25, [10, 10, 5])]
)
def test_rows_lie_in_the_partitions_in_their_order(spark, monkeypatch, count, partitions):
    """The table has a chunk for each row, as if many small tables had been joined."""
    monkeypatch.setattr(arrow_maps, "_MOST_ROWS", 10)
    old_settings = [spark.conf.get(name) for name in SETTINGS]
    chunks = [pa.array([value], pa.int64()) for value in range(count)]
    table = pa.table({"x": pa.chunked_array(chunks, pa.int64())})
    parts = frame_of(spark, table).rdd.glom()
    values = [[row["x"] for row in part] for part in parts.collect()]
    assert [len(part) for part in values] == partitions
    assert [value for part in values for value in part] == list(range(count))
    assert [spark.conf.get(name) for name in SETTINGS] == old_settings


def test_wide_rows_make_more_partitions(spark, monkeypatch):
    monkeypatch.setattr(arrow_maps, "_MOST_BYTES", 64)
    frame = frame_of(spark, pa.table({"x": pa.array(range(100), pa.int64())}))
    assert [len(part) for part in frame.rdd.glom().collect()] == [8] * 12 + [4]
