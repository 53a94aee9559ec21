"""Checks which frames have the order of the files that Spark reads."""

import pytest
from pyspark.sql import functions as fn
from pyspark.sql.types import LongType

from golden.frames.arrival import is_in_file_order

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


@pytest.mark.parametrize("adaptive", ["false", "true"])
def test_steps_that_leave_rows_in_their_place(spark, stocks, adaptive):
    before = spark.conf.get("spark.sql.adaptive.enabled")
    spark.conf.set("spark.sql.adaptive.enabled", adaptive)
    try:
        for name, (step, expected) in STEPS.items():
            frame = step(stocks)
            assert is_in_file_order(frame) == expected, name
            frame.collect()  # an adaptive plan changes when it runs
            assert is_in_file_order(frame) == expected, name
            frame.unpersist()
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", before)
