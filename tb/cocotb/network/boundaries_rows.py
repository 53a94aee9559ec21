"""Rows for the boundaries: streams of contiguous groups, and marks by lag and lead."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import in_streams, tuples


def rows(spark, point):
    """Returns the tuples of the input ``i``, and of the output ``o`` with their marks.

    A third of the streams is sorted, a third by keys only, and a third is in random order if the
    order is checked. Some streams are empty. ``descends``: the tuple is less than the previous one.
    """
    columns = dict.fromkeys(("key", "value"), (point["width"], False))
    drawn = in_streams(tuples(spark, 2400 * point["lanes"], columns, 1), 4 * point["lanes"], 2)
    kind = fn.when(fn.lit(point["order"] == "checked"), fn.col("stream") % 3).otherwise(1)
    order = [
        fn.when(kind < 2, fn.col("key")),
        fn.when(kind == 0, fn.col("value")),
        fn.col("position"),
    ]
    arrival = fn.row_number().over(Window.orderBy("stream", *order))
    arrived = drawn.where(fn.col("stream") % 7 != 3).withColumn("position", arrival)
    by_stream = Window.partitionBy("stream").orderBy("position")
    previous = {name: fn.lag(name).over(by_stream) for name in columns}
    first = ~previous["key"].eqNullSafe(fn.col("key"))
    descends = fn.struct(previous["key"], previous["value"]) > fn.struct("key", "value")
    marked = arrived.select(
        "position",
        "stream",
        fn.struct("key", "value").alias("row"),
        first.alias("first"),
        (~fn.lead("key").over(by_stream).eqNullSafe(fn.col("key"))).alias("last"),
        fn.struct((first | (previous["value"] != fn.col("value"))).alias("value")).alias("fresh"),
        (previous["key"].isNotNull() & descends).alias("descends"),
    )
    return {"i": arrived, "o": marked}
