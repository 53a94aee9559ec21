"""Calls of PySpark that exchange Arrow data, without PySpark's warnings about pandas."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

Batches = Iterator[pa.RecordBatch]


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
