"""Replaces values by the values that a lossy codec restores after compression.

The codec's plain model compresses the values of the tuples that pass, in order of arrival,
separately for each key and each life of a key. Golden aggregates the restored values.
"""

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from golden.codecs.blocks import restored_values
from golden.codecs.predictions import signed
from golden.codecs.sz import AnySz
from golden.spark.arrow_maps import quiet
from golden.values.carry import carried_column, plain_column
from query.types import Double, Float

_FLOATS = {32: Float(), 64: Double()}


def with_restored_values(
    tuples: DataFrame, codec: AnySz, by: list[str], stamped: bool = False
) -> DataFrame:
    """Returns the tuples with each value replaced by its restored value.

    The query aggregates one column. If it sums floats and has other aggregates too, the value is in
    two columns: the float itself, and its place (`golden.values.carry`). Both get the restored
    value.

    Parameters
    ----------
    tuples : DataFrame
        Tuples with the column ``n`` (order of arrival), the columns ``by``, and the value in
        column ``x0`` and perhaps also in ``x1``.
    codec : AnySz
        Plain model of the codec.
    by : list of str
        Columns that identify a key, or a life of a key.
    stamped : bool
        True if blocks are stamped: then no block is raw.
    """

    def restore_key(table):
        table = table.sort_by("n")
        patterns = restored_values(codec, _patterns(table["x0"], codec), stamped)
        for name in set(table.column_names) & {"x0", "x1"}:
            field = table.schema.field(name)
            restored = _column(patterns, codec, field.type)
            table = table.set_column(table.schema.get_field_index(name), field, restored)
        return table

    with quiet():
        return tuples.groupBy(*by).applyInArrow(restore_key, tuples.schema)


def _patterns(column, codec):
    """Returns the bit patterns of a column's values: integers, floats, or places of floats."""
    if codec.kind != "float":
        return [int(value) % (1 << codec.width) for value in column.to_pylist()]
    if not pa.types.is_floating(column.type):
        column = plain_column(column, _FLOATS[codec.width])
    floats = column.combine_chunks().to_numpy(zero_copy_only=False)
    return floats.view(f"u{floats.itemsize}").tolist()


def _column(patterns, codec, kind):
    """Returns a column of type ``kind`` with the values of bit patterns; inverts `_patterns`."""
    if codec.kind != "float":
        is_signed = codec.kind == "signed"
        return pa.array([signed(p, codec.width) if is_signed else p for p in patterns], kind)
    size = codec.width // 8
    floats = pa.chunked_array([np.array(patterns, f"u{size}").view(f"f{size}")])
    return floats if pa.types.is_floating(kind) else carried_column(floats, _FLOATS[codec.width])
