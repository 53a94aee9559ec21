"""Replaces values by the values that a codec restores after compression, which may lose something.

The plain model compresses the values of the tuples that pass, for each key and each life of a key
by itself, in order of arrival. Golden aggregates the restored values.
"""

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from golden.arrow_maps import quiet
from golden.carry import carried_column, plain_column
from golden.codecs.blocks import restored_values
from golden.codecs.predictions import signed
from golden.codecs.sz import AnySz
from query.types import Double, Float

_FLOATS = {32: Float(), 64: Double()}


def with_restored_values(
    tuples: DataFrame, codec: AnySz, by: list[str], stamped: bool = False
) -> DataFrame:
    """Returns the tuples with the restored values in the columns of their one value.

    A query that sums floats has a column of the floats themselves, and if it has other aggregates
    too, a column of their places (`golden.carry`): both are restored alike.

    Parameters
    ----------
    tuples : DataFrame
        Tuples with ``n``, the columns ``by``, and the columns ``x0`` and perhaps ``x1`` of the
        value.
    codec
        A model of :mod:`golden.codecs`, with the ``kind`` of its values.
    by : list of str
        Columns that identify a key.
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
    """Returns the bit patterns of a column: of integers, of floats, or of places of floats."""
    if codec.kind != "float":
        return [int(value) % (1 << codec.width) for value in column.to_pylist()]
    if not pa.types.is_floating(column.type):
        column = plain_column(column, _FLOATS[codec.width])
    floats = column.combine_chunks().to_numpy(zero_copy_only=False)
    return floats.view(f"u{floats.itemsize}").tolist()


def _column(patterns, codec, kind):
    """Returns the column of bit patterns, in the form that `_patterns` reads."""
    if codec.kind != "float":
        is_signed = codec.kind == "signed"
        return pa.array([signed(p, codec.width) if is_signed else p for p in patterns], kind)
    size = codec.width // 8
    floats = pa.chunked_array([np.array(patterns, f"u{size}").view(f"f{size}")])
    return floats if pa.types.is_floating(kind) else carried_column(floats, _FLOATS[codec.width])
