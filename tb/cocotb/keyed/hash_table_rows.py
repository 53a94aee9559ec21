"""Rows for the hash table: tuples with keys, and the entry and the count of each tuple's key."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.key_indices import indices
from tb.cocotb.support.stimulus import by_group, in_streams, tuples

_SCHEMA = "position long, stream long, key long, passenger long, valid boolean, last boolean, "
_SCHEMA += "entry long, fresh boolean, evicted boolean, evicted_key long"


def rows(spark, point):
    """Returns the tuples ``i`` and the lookups ``o``.

    The state of a lookup is the number of earlier tuples of the key since the key was new.
    """
    depth, ways = point["entries"] // point["ways"], point["ways"]
    columns = {"key": (point["key_width"], False), "passenger": (8, False), "valid": (3, False)}
    # Short streams leave entries as they are, so a sweep must clear them.
    length = fn.when(fn.col("position") < 2000, 30).otherwise(3)
    drawn = in_streams(tuples(spark, 3000, columns, seed=1), length, 5)
    next_stream = fn.lead("stream").over(Window.orderBy("position"))
    sent = drawn.withColumn("valid", fn.col("valid") != 3).withColumn(
        "last", fn.coalesce(next_stream != fn.col("stream"), fn.lit(True))
    )
    index = indices(fn.col("key"), point["key_width"], depth.bit_length() - 1, ways)

    def least_recently_used(stream):
        """Returns the entries of the tuples of a stream, whose table is empty at first."""
        arrivals = {}  # the latest arrival of each key in the table, by entry: (arrival, key)
        for row in stream:
            row |= {"entry": None, "fresh": False, "evicted": False, "evicted_key": None}
            places = [place + way * depth for way, place in enumerate(row.pop("index"))]
            if row["valid"]:
                mine = [p for p in places if p in arrivals and arrivals[p][1] == row["key"]]
                unused = [place for place in places if place not in arrivals]
                row["entry"] = (mine or unused or [min(places, key=arrivals.get)])[0]
                row["fresh"] = not mine
                row["evicted"] = not mine and not unused
                if row["evicted"]:
                    row["evicted_key"] = arrivals[row["entry"]][1]
                arrivals[row["entry"]] = row["position"], row["key"]
        return stream

    lookups = by_group(sent.withColumn("index", index), ["stream"], least_recently_used, _SCHEMA)
    by_key = Window.partitionBy("stream", "key", "valid").orderBy("position")
    life = fn.sum(fn.col("fresh").cast("long")).over(by_key)
    by_life = Window.partitionBy("stream", "key", "valid", "life").orderBy("position")
    counted = lookups.withColumn("life", life).withColumn(
        "state", fn.when(fn.col("valid"), fn.row_number().over(by_life) - 1)
    )
    return {"i": sent.drop("stream"), "o": counted.drop("stream", "life")}
