"""Checks which frames have an order, and the order of tables in the driver's memory."""

import pyarrow as pa
import pytest
from pyspark.sql import functions as fn
from pyspark.sql.types import LongType

from golden.answer import full_answer
from golden.frames.answer import answer
from golden.order import arrival
from golden.order.arrival import is_in_file_order
from golden.tuples import Tuples
from query.parser import parse
from tb.golden import reference

pytestmark = pytest.mark.spark


@pytest.fixture
def stocks(spark, tmp_path):
    """Reads two files in a folder and with a column whose names hold an operator of Spark."""
    path = str(tmp_path / "StockExchange")
    rows = spark.range(0, 100, numPartitions=2)
    rows.selectExpr("id as Exchange", "'Sort' as s").write.parquet(path)
    return spark.read.parquet(path)


@fn.udf(LongType())
def doubled(value):
    return 2 * value


STEPS = {
    "read": (lambda frame: frame, True),
    "filter": (lambda frame: frame.filter("Exchange > 3 AND s = 'Exchange Sort'"), True),
    "select": (lambda frame: frame.select(doubled("Exchange").alias("Exchange")), True),
    "explode": (lambda frame: frame.select(fn.explode(fn.array("Exchange", "Exchange"))), True),
    "cache": (lambda frame: frame.filter("Exchange > 5").cache(), True),
    "repartition": (lambda frame: frame.repartition(3), False),
    "orderBy": (lambda frame: frame.orderBy("Exchange"), False),
    "sortWithinPartitions": (lambda frame: frame.sortWithinPartitions(fn.desc("Exchange")), False),
    "cache of sorted rows": (lambda frame: frame.sortWithinPartitions("s").cache(), False),
    "limit": (lambda frame: frame.limit(10), False),
    "union": (lambda frame: frame.unionAll(frame), False),
    "join": (lambda frame: frame.join(fn.broadcast(frame), "Exchange"), False),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("adaptive", ["false", "true"])
def test_steps_that_leave_rows_in_their_place(spark, stocks, adaptive):
    old_setting = spark.conf.get("spark.sql.adaptive.enabled")
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    try:
        for name, (step, expected) in STEPS.items():
            frame = step(stocks)
            assert is_in_file_order(frame) == expected, name
            frame.collect()  # an adaptive plan changes when it runs
            assert is_in_file_order(frame) == expected, name
            frame.unpersist()
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", old_setting)


QUERY = parse(
    "CREATE INPUT STREAM S (o int, t uint(8), x int);"
    "SELECT count(*) AS n, sum(x) AS s FROM S [RANGE 4 SLIDE 2 WATTR t];"
)


def table_of(places):
    """Returns a tuple for each place in the order of arrival, and a late tuple at the end."""
    rows = [{"o": place, "t": 2 * place + place % 2, "x": 1 << place} for place in places]
    return [*rows, {"o": 20, "t": 10, "x": -1}]


@pytest.mark.in_turn
@pytest.mark.parametrize("places", [[*range(20)], [*range(10, 20), *range(10)]])
def test_frames_in_memory_have_partitions(spark, monkeypatch, places):
    """A table in the driver's memory has two partitions, as when its tuples were numbered.

    Spark's optimiser could make it one partition in the later job, which reads other columns. In
    the second case the second half of the table arrives first.
    """
    monkeypatch.setattr(arrival, "SMALL", 0)
    expected = reference.rows(QUERY, table_of(sorted(places)))
    table = pa.Table.from_pylist(table_of(places))
    rows = answer(QUERY, spark.createDataFrame(table), order="o").collect()
    assert [tuple(row) for row in rows] == [tuple(row.values()) for row in expected]


@pytest.mark.in_turn
def test_a_large_table(spark, monkeypatch):
    monkeypatch.setattr(arrival, "SMALL", 0)
    tuples = table_of(range(20))
    computed = full_answer(QUERY, spark, Tuples(QUERY.schema, pa.Table.from_pylist(tuples)))
    expected, late = reference.run(QUERY, tuples, None)
    assert (computed.rows.to_pylist(), computed.late) == (expected, late)
    assert late == 1


@pytest.mark.parametrize("files", [1, 2])
def test_one_scan_finds_the_disorder_of_a_file(spark, tmp_path, monkeypatch, files):
    """The times of several files need a scan of their own, since Spark may join or split files."""
    monkeypatch.setattr(arrival, "SMALL", 0)
    scans, scan = [], arrival.disorder
    monkeypatch.setattr(arrival, "disorder", lambda *a: scans.append(a) or scan(*a))
    paths = [str(tmp_path / name) for name in "ab"[:files]]
    for path in paths:
        table = pa.Table.from_pylist(table_of(range(20)))
        spark.createDataFrame(table).coalesce(1).write.parquet(path)
    expected = reference.rows(QUERY, files * table_of(range(20)))
    rows = answer(QUERY, spark.read.parquet(*paths)).collect()
    assert [tuple(row) for row in rows] == [tuple(row.values()) for row in expected]
    assert len(scans) == files - 1
