"""Streams of tuples with the settings of windows of rows, and the lives of the streams' keys."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.table_lookups import with_lookups
from tb.cocotb.support.stimulus import draw, in_streams, tuples

#: Least number of beats of the input, and the mean length of a stream in the first half.
BEATS, STREAM = 2400, 120


def tuples_of_streams(spark, point, sizes):
    """Returns the tuples of streams, each stream with a ``size`` and a ``slide`` of its windows.

    One beat in six has no tuple: its ``valid`` is false. Most tuples have one of four keys.
    Streams of the first half are of three kinds, in turn. Kind 0 ends like any beat. Kind 1 ends
    with a tuple, and has a key of the whole range in this tuple and in half of the others. Kind 2
    ends without a tuple. Half of these streams have a size out of ``sizes``, the others any size.
    Streams of the second half are long, and have windows of the largest of ``sizes``, one after
    each tuple.
    """
    largest = max(sizes)
    beats = max(BEATS, 30 * largest)
    columns = {"item": (min(62, point["width"]), True)}
    is_late = fn.col("position") >= beats // 2
    mean = fn.when(is_late, max(STREAM, 4 * largest)).otherwise(STREAM)
    drawn = in_streams(tuples(spark, beats, columns, seed=1), mean, 2)

    in_stream = Window.partitionBy("stream")
    is_long = fn.min(is_late).over(in_stream)
    last = fn.col("position") == fn.max("position").over(in_stream)
    kind = fn.when(is_long, 0).otherwise(fn.col("stream") % 3)
    any_key = ((kind == 1) & (last | (draw(2, 13, "position") == 0))) | (
        draw(12, 3, "position") == 0
    )
    few_keys = fn.when(draw(2, 11, "position") == 0, 0).otherwise(draw(4, 10, "position"))
    key = fn.when(any_key, draw(1 << point["key_width"], 4, "position")).otherwise(few_keys)
    valid = fn.when(last & (kind > 0), kind == 1).otherwise(draw(6, 12, "position") > 0)

    fixed = fn.element_at(fn.array(*map(fn.lit, sizes)), 1 + draw(len(sizes), 5, "stream"))
    any_size = fn.when(draw(2, 6, "stream") == 0, fixed).otherwise(1 + draw(largest, 7, "stream"))
    any_slide = 1 + draw(1 << 20, 9, "stream") % fn.col("size")
    return (
        drawn.withColumn("size", fn.when(is_long, largest).otherwise(any_size))
        .withColumn("slide", fn.when(is_long | (draw(3, 8, "stream") == 0), 1).otherwise(any_slide))
        .withColumn("key", key.cast("long"))
        .withColumn("valid", valid)
        .withColumn("last", last)
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
