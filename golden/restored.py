"""Replaces values by the values that a codec restores after compression, which may lose something.

The plain model compresses the values of the tuples that pass, for each key and each life of a key
by itself, in order of arrival. Golden aggregates the restored values.
"""

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from golden.arrow_maps import quiet
from golden.carry import bits_of_places, places_of_bits
from golden.codecs.blocks import restored_values
from golden.codecs.sz import AnySz


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
        values = _restored(_numbers(table["x0"], codec), codec, stamped)
        for name in set(table.column_names) & {"x0", "x1"}:
            field = table.schema.field(name)
            restored = _column(values, codec, field.type)
            table = table.set_column(table.schema.get_field_index(name), field, restored)
        return table

    with quiet():
        return tuples.groupBy(*by).applyInArrow(restore_key, tuples.schema)


def _numbers(column, codec):
    """Returns the numbers of a column: integers, or the places of floats."""
    if not pa.types.is_floating(column.type):
        return [int(value) for value in column.to_pylist()]
    bits = column.combine_chunks().to_numpy(zero_copy_only=False).view(f"u{codec.width // 8}")
    return places_of_bits(bits.tolist(), codec.width)


def _column(numbers, codec, type_):
    """Returns the column of the numbers, as floats if the type is floating."""
    if not pa.types.is_floating(type_):
        return pa.array(numbers, type_)
    bits = np.array(bits_of_places(numbers, codec.width), f"u{codec.width // 8}")
    return pa.array(bits.view(f"f{codec.width // 8}"), type_)


def _restored(values, codec, stamped):
    """Returns the restored values of numbers, or of the places of floats."""
    width = codec.width
    if codec.kind == "float":
        bits = bits_of_places(values, width)
        return places_of_bits(restored_values(codec, bits, stamped), width)
    patterns = restored_values(codec, [value % (1 << width) for value in values], stamped)
    if codec.kind == "signed":
        return [pattern - (pattern >> width - 1 << width) for pattern in patterns]
    return patterns
