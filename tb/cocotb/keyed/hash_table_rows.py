"""Rows for the hash table: tuples with keys, and the entry and the count of each tuple's key."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.table_lookups import with_lookups
from tb.cocotb.support.stimulus import in_streams, tuples


def rows(spark, point):
    """Returns the tuples ``i`` and the lookups ``o``.

    The state of a lookup is the number of earlier tuples of the key since the key was new.
    """
    columns = {"key": (point["key_width"], False), "passenger": (8, False), "valid": (3, False)}
    # Short streams leave entries as they are, so a sweep must clear them.
    length = fn.when(fn.col("position") < 2000, 30).otherwise(3)
    drawn = in_streams(tuples(spark, 3000, columns, seed=1), length, 5)
    next_stream = fn.lead("stream").over(Window.orderBy("position"))
    sent = drawn.withColumn("valid", fn.col("valid") != 3).withColumn(
        "last", fn.coalesce(next_stream != fn.col("stream"), fn.lit(True))
    )
    lookups = with_lookups(sent, point["key_width"], point["entries"], point["ways"])
    by_key = Window.partitionBy("stream", "key", "valid").orderBy("position")
    life = fn.sum(fn.col("fresh").cast("long")).over(by_key)
    by_life = Window.partitionBy("stream", "key", "valid", "life").orderBy("position")
    counted = lookups.withColumn("life", life).withColumn(
        "state", fn.when(fn.col("valid"), fn.row_number().over(by_life) - 1)
    )
    return {"i": sent.drop("stream"), "o": counted.drop("stream", "life")}
