"""Replaces values by the values that a codec restores after compression, which may lose something.

The plain model compresses the values of the tuples that pass, for each key and each life of a key
by itself, in order of arrival. Golden aggregates the restored values.
"""

import warnings

import pyarrow as pa
from pyspark.sql import DataFrame

from golden.carry import bits_of_places, places_of_bits
from golden.codecs.blocks import restored_values
from golden.codecs.sz import AnySz


def with_restored_values(
    tuples: DataFrame, codec: AnySz, by: list[str], stamped: bool = False
) -> DataFrame:
    """Returns the tuples with the restored values in their one column of values.

    Parameters
    ----------
    tuples : DataFrame
        Tuples with ``n``, the columns ``by``, and one column of values, ``x0``.
    codec
        A model of :mod:`golden.codecs`, with the ``kind`` of its values.
    by : list of str
        Columns that identify a key.
    stamped : bool
        True if blocks are stamped: then no block is raw.
    """

    def restore_key(table):
        table = table.sort_by("n")
        index = table.schema.get_field_index("x0")
        values = _restored([int(value) for value in table["x0"].to_pylist()], codec, stamped)
        return table.set_column(index, "x0", pa.array(values, table.schema.field("x0").type))

    with warnings.catch_warnings():  # PySpark warns of a newer pandas, which golden does not use
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        warnings.filterwarnings("ignore", "Cannot infer the eval type", UserWarning)
        return tuples.groupBy(*by).applyInArrow(restore_key, tuples.schema)


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
