"""Values as a codec keeps them: with one that loses something, golden answers for what is left.

Of each key, and each life of it, the values of the tuples that pass are compressed in the order of
their arrival, by the plain model, and windows are those of what comes out.
"""

import pandas as pd
from pyspark.sql import DataFrame

from golden.carry import bits_of_places, places_of_bits
from golden.codecs.blocks import kept


def with_kept(seen: DataFrame, codec, by: list[str]) -> DataFrame:
    """The tuples that the window sees, with what is kept of their one column of values.

    Parameters
    ----------
    seen : DataFrame
        With ``n``, the columns ``by`` and one of values, ``x0``.
    codec
        A model of :mod:`golden.codecs`, with the ``kind`` of its values.
    by : list of str
        What makes a key.
    """

    def of_key(tuples: pd.DataFrame) -> pd.DataFrame:
        tuples = tuples.sort_values("n")
        tuples["x0"] = _kept(codec, tuples["x0"])
        return tuples

    return seen.groupBy(*by).applyInPandas(of_key, seen.schema)


def _kept(codec, column):
    """A column of numbers, or of the places of floats, as it comes out."""
    width, raw = codec.width, [int(value) for value in column]
    if codec.kind == "float":
        return places_of_bits(kept(codec, bits_of_places(raw, width)), width)
    found = kept(codec, [value % (1 << width) for value in raw])
    if codec.kind == "signed":
        found = [value - (value >> width - 1 << width) for value in found]
    return [type(column.iloc[0])(value) for value in found]
