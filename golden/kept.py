"""Values as a codec keeps them: with one that loses something, golden answers for what is left.

Of each key, and each life of it, the values of the tuples that pass are compressed in the order of
their arrival, by the plain model, and windows are those of what comes out.
"""

import warnings

import pyarrow as pa
from pyspark.sql import DataFrame

from golden.carry import bits_of_places, places_of_bits
from golden.codecs.blocks import kept


def with_kept(seen: DataFrame, codec, by: list[str], stamped: bool = False) -> DataFrame:
    """The tuples that the window sees, with what is kept of their one column of values.

    Parameters
    ----------
    seen : DataFrame
        With ``n``, the columns ``by`` and one of values, ``x0``.
    codec
        A model of :mod:`golden.codecs`, with the ``kind`` of its values.
    by : list of str
        What makes a key.
    stamped : bool
        Whether blocks are: none of them is raw then.
    """

    def of_key(tuples):
        tuples = tuples.sort_by("n")
        at, kind = tuples.schema.get_field_index("x0"), tuples.schema.field("x0").type
        values = _kept(codec, [int(value) for value in tuples["x0"].to_pylist()], stamped)
        return tuples.set_column(at, "x0", pa.array(values, kind))

    with warnings.catch_warnings():  # of a pandas that is newer than PySpark, and not used here
        warnings.filterwarnings("ignore", "PySpark does not yet fully support", FutureWarning)
        warnings.filterwarnings("ignore", "Cannot infer the eval type", UserWarning)
        return seen.groupBy(*by).applyInArrow(of_key, seen.schema)


def _kept(codec, raw, stamped):
    """Numbers, or the places of floats, as they come out."""
    width = codec.width
    if codec.kind == "float":
        return places_of_bits(kept(codec, bits_of_places(raw, width), stamped), width)
    found = kept(codec, [value % (1 << width) for value in raw], stamped)
    if codec.kind == "signed":
        return [value - (value >> width - 1 << width) for value in found]
    return found
