"""Rows for the sliding aggregates: streams of items, exploded into windows and grouped by Spark."""

from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, exploded

#: A stream has fewer items than this.
STREAM = 10_000


def rows(spark, point):
    """Returns the payloads of the input ``i``, and the rows of the output ``o``.

    Size, slide, stamp and stride stand with the first item of their stream. A stream ends with its
    last item, or behind it; some streams have no item, and some payloads no item and no end. Stream
    0 has windows of one item, stream 1 has no item, and stream 2 has exactly one window. A third
    of the streams have a slide of 1, and a third a slide of the size.
    """
    largest, operator = point["items_max"], point["operator"]
    any_number = draw(1 << 30, 1, "stream")
    stream = fn.col("stream")
    any_size = fn.when(draw(4, 2, "stream") == 0, largest).otherwise(1 + draw(largest, 3, "stream"))
    any_length = draw(4 * largest, 7, "stream")
    size = fn.when(stream == 0, 1).otherwise(any_size)
    length = fn.when(stream == 1, 0).when(stream == 2, fn.col("size")).otherwise(any_length)
    kind = draw(3, 4, "stream")
    any_slide = 1 + any_number % fn.col("size")
    slide = fn.when(kind == 0, 1).when(kind == 1, fn.col("size")).otherwise(any_slide)
    settings = {
        "size": fn.col("size"),
        "slide": fn.col("slide"),
        "stamp": draw(1 << 20, 5, "stream") - (1 << 19),
        "stride": draw(1 << 10, 6, "stream"),
    }
    streams = (
        spark.range(0, max(20, 1200 // largest), 1, 1)
        .select(fn.col("id").alias("stream"))
        .withColumn("size", size)
        .withColumn("slide", slide)
        .withColumn("length", length)
        .withColumn("ends_apart", (draw(2, 8, "stream") == 0) | (fn.col("length") == 0))
    )
    place = 2 * (fn.col("stream") * STREAM + fn.col("number"))
    items = exploded(streams, fn.col("length"), {"value": (point["width"], True)}, 1).cache()

    def payloads(frame, position, valid, last):
        start = (fn.col("number") == 0) & fn.lit(valid)
        return frame.select(
            position.alias("position"),
            fn.when(fn.lit(valid), fn.struct("value")).alias("state"),
            fn.lit(valid).alias("valid"),
            last.alias("last"),
            *(fn.when(start, value).alias(name) for name, value in _of(point, settings)),
        )

    final = fn.col("number") == fn.col("length") - 1
    ends = streams.where("ends_apart").select(
        "*", fn.col("length").alias("number"), fn.lit(0).cast("long").alias("value")
    )
    sent = payloads(items, place, True, final & ~fn.col("ends_apart"))
    idle = payloads(items.where(draw(8, 10, place) == 0), place + 1, False, fn.lit(False))
    ends_of_streams = payloads(ends, place, False, fn.lit(True))

    count = fn.floor((fn.col("length") - fn.col("size")) / fn.col("slide")) + 1
    windows = (
        streams.where("length >= size")
        .withColumn("window", fn.explode(fn.sequence(fn.lit(0).cast("long"), count - 1)))
        .withColumn("place", fn.explode(fn.sequence(fn.lit(0), fn.col("size") - 1)))
        .withColumn("number", (fn.col("window") * fn.col("slide") + fn.col("place")).cast("int"))
        .join(items.select("stream", "number", "value"), ["stream", "number"])
    )
    aggregate = {"min": fn.min, "max": fn.max}.get(operator, fn.sum)
    grouped = windows.groupBy("stream", "window").agg(aggregate("value").alias("value"))
    results = grouped.select(
        (fn.col("stream") * STREAM + fn.col("window")).alias("position"),
        fn.struct("value").alias("state"),
        fn.lit(1).alias("busy"),
        *_stamps(point, settings),
    )
    return {"i": sent.union(idle).union(ends_of_streams), "o": results}


def _of(point, settings):
    """Returns the settings that the block has as ports."""
    return [(name, settings[name]) for name in settings if point["stamp"] or name[:2] != "st"]


def _stamps(point, settings):
    stamp = settings["stamp"] + fn.col("window") * settings["stride"]
    return [stamp.alias("stamp")] if point["stamp"] else []
