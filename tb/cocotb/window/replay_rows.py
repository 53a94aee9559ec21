"""Rows for the replay buffer: streams of tuples, exploded into windows by Spark."""

from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, exploded

#: A stream has fewer tuples than this, and fewer windows.
STREAM = 10_000


def rows(spark, point):
    """Returns the tuples of the input ``i`` and of the windows at ``o``, and the ``streams``.

    ``windows`` is the number of whole windows of a stream. The tuples of one further window, which
    the end of the stream cuts short, are in ``o``, too, without the tuples of a beat that is not
    full. The windows of stream 0 are one beat.
    """
    lanes = point["lanes"]
    largest = point["window_max"] // lanes
    any_size = fn.when(draw(4, 1, "stream") == 0, largest).otherwise(1 + draw(largest, 2, "stream"))
    size = fn.when(fn.col("stream") == 0, 1).otherwise(any_size)
    slide = fn.when(draw(4, 3, "stream") == 0, fn.col("size")).otherwise(
        lanes * (1 + draw(1 << 30, 4, "stream") % (fn.col("size") / lanes).cast("int"))
    )
    windows = fn.floor((fn.col("full") - fn.col("size")) / fn.col("slide")) + 1
    streams = (
        spark.range(0, 6000 // point["window_max"], 1, 1)
        .select(fn.col("id").alias("stream"))
        .withColumn("size", size * lanes)
        .withColumn("slide", slide.cast("int"))
        .withColumn("length", draw(5 * point["window_max"], 5, "stream"))
        .withColumn("full", fn.col("length") - fn.col("length") % lanes)
        .withColumn("windows", fn.greatest(windows, fn.lit(0)))
    )
    items = exploded(streams, fn.col("length"), {"value": (point["width"], True)}, 1).cache()
    first = fn.col("window") * fn.col("slide")
    exploded_windows = (
        streams.withColumn("window", fn.explode(fn.sequence(fn.lit(0), "windows")))
        .withColumn("place", fn.explode(fn.sequence(fn.lit(0), fn.col("size") - 1)))
        .withColumn("number", (first + fn.col("place")).cast("int"))
        .where("number < full")
        .join(items.select("stream", "number", "value"), ["stream", "number"])
    )
    order = (fn.col("stream") * STREAM + fn.col("window")) * STREAM + fn.col("place")
    return {
        "i": items.select(
            (fn.col("stream") * STREAM + fn.col("number")).alias("position"), "stream", "value"
        ),
        "o": exploded_windows.select(order.alias("position"), "stream", "window", "value"),
        "streams": streams.select(fn.col("stream").alias("position"), "size", "slide", "windows"),
    }
