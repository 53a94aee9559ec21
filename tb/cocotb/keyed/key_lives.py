"""Streams of tuples with the settings of windows of rows, and the lives of the streams' keys."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.table_lookups import with_lookups
from tb.cocotb.support.stimulus import draw, in_streams, tuples

#: Number of beats of the input, and the mean of a stream.
BEATS, STREAM = 1600, 120


def tuples_of_streams(spark, point, sizes):
    """Returns the tuples of streams, each stream with a ``size`` and a ``slide`` of its windows.

    ``sizes`` are the sizes of half of the windows, the largest among them. Most tuples have one of
    four keys. A beat in six has no tuple: ``valid`` is false.
    """
    columns = {"item": (min(62, point["width"]), True)}
    drawn = in_streams(tuples(spark, BEATS, columns, seed=1), STREAM, 2)
    any_key = fn.when(draw(12, 3, "position") == 0, draw(1 << point["key_width"], 4, "position"))
    few_keys = fn.when(draw(2, 11, "position") == 0, 0).otherwise(draw(4, 10, "position"))
    fixed = fn.element_at(fn.array(*map(fn.lit, sizes)), 1 + draw(len(sizes), 5, "stream"))
    any_size = 1 + draw(max(sizes), 7, "stream")
    size = fn.when(draw(2, 6, "stream") == 0, fixed).otherwise(any_size)
    slide = fn.when(draw(3, 8, "stream") == 0, 1).otherwise(
        1 + draw(1 << 20, 9, "stream") % fn.col("size")
    )
    next_stream = fn.lead("stream").over(Window.orderBy("position"))
    return (
        drawn.withColumn("key", fn.coalesce(any_key, few_keys).cast("long"))
        .withColumn("valid", draw(6, 12, "position") > 0)
        .withColumn("size", size)
        .withColumn("slide", slide)
        .withColumn("last", fn.coalesce(next_stream != fn.col("stream"), fn.lit(True)))
    )


def with_lives(sent, point):
    """Returns tuples with their lookup, the ``life`` of their key, and their number ``n`` in it.

    A life of a key is from the insertion of the key into the table to its eviction, or to the end
    of its stream. ``begin`` is the number of the first tuple of the window that the tuple would
    fill, and ``closes`` is true if the tuple fills a window: the last ``size`` tuples of a life,
    after every ``slide`` of them.
    """
    lookups = with_lookups(sent, point["key_width"], point["entries"], point["ways"])
    by_key = Window.partitionBy("stream", "key", "valid").orderBy("position")
    by_life = Window.partitionBy("stream", "key", "valid", "life").orderBy("position")
    begin = fn.col("n") + 1 - fn.col("size")
    closes = fn.col("valid") & (fn.col("begin") >= 0) & (fn.col("begin") % fn.col("slide") == 0)
    return (
        lookups.withColumn("life", fn.sum(fn.col("fresh").cast("int")).over(by_key))
        .withColumn("n", fn.row_number().over(by_life) - 1)
        .withColumn("begin", begin)
        .withColumn("closes", closes)
    )


def evictions(lives):
    """Returns the evicted keys, each with the number of its tuple, and the end of each stream."""
    in_stream = Window.partitionBy("stream").orderBy("position")
    arrival = fn.sum(fn.col("valid").cast("int")).over(in_stream) - fn.col("valid").cast("int")
    key = fn.struct(fn.col("evicted_key").alias("key"), "arrival")
    reports = lives.withColumn("arrival", arrival).where("evicted OR last")
    return reports.select(
        "position",
        fn.array(fn.when(fn.col("evicted"), key)).alias("tuples"),
        fn.col("evicted").alias("valid"),
        "last",
    )
