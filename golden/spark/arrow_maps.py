"""Exchanges Arrow data with PySpark, without PySpark's warnings about pandas."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]
_MOST_ROWS, _MOST_BYTES = 100_000, 16 << 20  # in one partition of a table
_ROWS_OF_BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"
#: Setting: size in bytes from which tasks, and not the driver, decode the rows of a table.
_LEAST_OF_TASKS = "spark.sql.execution.arrow.localRelationThreshold"
_lock = Lock()


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

    The tasks decode the table, and PySpark makes a partition of each batch. Otherwise Spark's
    driver would decode tables below 48 MB, a row at a time. A table of two or more rows has at
    least two partitions. For instance 1,000 rows lie in two partitions of 500 rows, and 250,000
    rows of 8 bytes in two of 100,000 rows and one of 50,000.
    """
    table = table.combine_chunks()
    row_bytes = max(1, table.nbytes // max(1, table.num_rows))
    rows = min(_MOST_ROWS, _MOST_BYTES // row_bytes, -(-table.num_rows // 2))
    settings = {_ROWS_OF_BATCH: max(1, rows), _LEAST_OF_TASKS: 0}
    with _lock:  # threads may share the session
        before = {name: str(spark.conf.get(name)) for name in settings}
        try:
            for name, value in settings.items():
                spark.conf.set(name, value)
            with quiet():
                return spark.createDataFrame(table)
        finally:
            for name, earlier in before.items():
                spark.conf.set(name, earlier)
