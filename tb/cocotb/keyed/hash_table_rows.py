"""Rows for the hash table: tuples with keys, and the entry and the count of each tuple's key."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.table_lookups import with_lookups
from tb.cocotb.support.stimulus import in_streams, tuples


def rows(spark, point):
    """Returns the tuples ``i`` and the lookups ``o``.

    The state of a lookup is the number of earlier tuples of the key since the key was last inserted
    into the table.
    """
    columns = {"key": (point["key_width"], False), "passenger": (8, False), "valid": (3, False)}
    # The table numbers streams from 1 to 3 (``epoch`` of 2 bits), and a sweep clears all entries
    # before a number is used again. Streams of 3 tuples overwrite few entries, so a missing sweep
    # shows.
    length = fn.when(fn.col("position") < 2000, 30).otherwise(3)
    drawn = in_streams(tuples(spark, 3000, columns, seed=1), length, 5)
    next_stream = fn.lead("stream").over(Window.orderBy("position"))
    sent = drawn.withColumn("valid", fn.col("valid") != 3).withColumn(
        "last", fn.coalesce(next_stream != fn.col("stream"), fn.lit(True))
    )
    lookups = with_lookups(sent, point["key_width"], point["entries"], point["ways"])
    by_key = Window.partitionBy("stream", "key", "valid").orderBy("position")
    insertion = fn.sum(fn.col("fresh").cast("long")).over(by_key)
    by_insertion = Window.partitionBy("stream", "key", "valid", "insertion").orderBy("position")
    counted = lookups.withColumn("insertion", insertion).withColumn(
        "state", fn.when(fn.col("valid"), fn.row_number().over(by_insertion) - 1)
    )
    return {"i": sent.drop("stream"), "o": counted.drop("stream", "insertion")}
