"""Rows for the hash of keys: keys, and their indices by Spark."""

from tb.cocotb.keyed.key_indices import indices
from tb.cocotb.support.stimulus import tuples


def rows(spark, point):
    """Returns the keys ``i`` and the indices ``o``."""
    keys = tuples(spark, 2500, {"key": (point["key_width"], False)}, seed=1)
    index = indices(keys.key, point["key_width"], point["bits"], point["ways"])
    return {"i": keys, "o": keys.select("position", index.alias("index"))}
