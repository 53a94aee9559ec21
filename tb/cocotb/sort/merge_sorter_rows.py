"""Rows for the merge sorter: streams of windows, and each window sorted by Spark."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import counted, draw, exploded, in_beats

#: A stream has fewer beats than this.
STREAM = 10_000


def rows(spark, point):
    """Returns the beats of the input ``i`` and of the output ``o``.

    The windows of a stream have one size, from a beat to ``window_max``. The end of a stream cuts
    its last window short; the tuples of this window do not leave. An empty beat with ``context``
    ends a stream.
    """
    lanes, half = point["lanes"], point["width"] // 2
    columns = {"key": (half, False), "value": (point["width"] - half, True)}
    largest = point["window_max"] // lanes
    size = 1 + draw(largest, 1, "stream")
    size = fn.when(draw(6, 2, "stream") == 0, largest).otherwise(size)
    streams = (
        spark.range(0, 10_000 // point["window_max"] // lanes, 1, 1)
        .select(fn.col("id").alias("stream"))
        .withColumn("rows", size)
        .withColumn("windows", draw(12, 3, "stream"))
        .withColumn("cut", draw(1 << 30, 4, "stream") % fn.col("rows"))
    )
    drawn = (
        exploded(streams, (fn.col("windows") * fn.col("rows") + fn.col("cut")) * lanes, columns, 1)
        .withColumn("row", fn.floor(fn.col("number") / lanes))
        .withColumn("window", fn.floor(fn.col("row") / fn.col("rows")))
        .cache()
    )

    def beats(frame, number, item):
        """Returns the beats of tuples, ``number`` in their stream, and the ends of streams."""
        row = fn.floor(number / lanes)
        placed = (
            frame.withColumn("beat", fn.col("stream") * STREAM + row)
            .withColumn("lane", number % lanes)
            .withColumn("last", row % fn.col("rows") == fn.col("rows") - 1)
        )
        full = in_beats(placed, lanes, item).withColumn("context", fn.lit(0))
        ends = streams.select(
            ((fn.col("stream") + 1) * STREAM - 1).alias("position"),
            fn.lit(None).cast(full.schema["tuples"].dataType).alias("tuples"),
            *(fn.lit(bit).alias(name) for name, bit in (("valid", 0), ("last", 1), ("context", 1))),
        )
        of_stream = streams.select("stream", "rows")
        both = full.union(ends).withColumn("stream", fn.floor(fn.col("position") / STREAM))
        return both.join(of_stream, "stream").drop("stream")

    complete = drawn.where(fn.col("window") < fn.col("windows"))
    items = counted(complete, point["cardinality"], columns, "stream", "window")
    item = fn.struct("tuple", "cardinality") if point["cardinality"] else fn.struct(*columns)
    fields = [f"tuple.{name}" for name in columns] if point["cardinality"] else list(columns)
    in_order = Window.partitionBy("stream", "window").orderBy(*fields)
    number = fn.col("window") * fn.col("rows") * lanes + fn.col("rank") - 1
    ranked = items.withColumn("rank", fn.row_number().over(in_order))
    return {
        "i": beats(drawn, fn.col("number"), fn.struct(*columns)),
        "o": beats(ranked, number, item).drop("rows"),
    }
