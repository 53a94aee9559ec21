"""Calls of PySpark that exchange Arrow data, without PySpark's warnings about pandas."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]
_PARTITION = 100_000  # greatest number of rows that a partition of a table has
_ROWS_OF_PARTITION = "spark.sql.execution.arrow.maxRecordsPerBatch"


@contextmanager
def quiet() -> Iterator[None]:
    """Mutes PySpark's warnings about the version of pandas, which golden does not use."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        warnings.filterwarnings("ignore", "Cannot infer the eval type", UserWarning)
        yield


def map_batches(
    frame: DataFrame, convert: Callable[[Batches], Batches], schema: StructType | str
) -> DataFrame:
    """Returns the frame of the batches that ``convert`` makes of each partition's batches."""
    with quiet():
        return frame.mapInArrow(convert, schema)


def frame_of(spark: SparkSession, table: pa.Table) -> DataFrame:
    """Returns the frame of a table, whose rows lie in Spark's partitions in their order.

    Small tables have two partitions. For instance 1,000 rows lie in partitions of 500 rows, and
    250,000 rows in two partitions of 100,000 rows and one of 50,000.
    """
    before = str(spark.conf.get(_ROWS_OF_PARTITION))
    spark.conf.set(_ROWS_OF_PARTITION, max(1, min(_PARTITION, -(-table.num_rows // 2))))
    try:
        with quiet():
            return spark.createDataFrame(table)
    finally:
        spark.conf.set(_ROWS_OF_PARTITION, before)
