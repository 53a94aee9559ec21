"""Rows for the compactor: streams with a WHERE, and the tuples that pass it, in order."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, in_beats, tuples

BEATS = 2400


def rows(spark, point):
    """Returns the beats of the input ``i``, the tuples of the output ``o``, and all ``streams``.

    A beat has each share of valid lanes, from 0 to 1, with the same probability; a stream may end
    with a beat without tuples, and may have no tuple. The beats of a stream have one ``context``.
    """
    lanes = point["lanes"]
    earlier = Window.orderBy("position").rowsBetween(Window.unboundedPreceding, -1)
    ends_stream = (draw(9, 2, "beat") == 0) | (fn.col("beat") == BEATS - 1)
    drawn = (
        tuples(spark, BEATS * lanes, {"tuple": (point["width"], False)}, seed=1)
        .withColumn("beat", fn.floor(fn.col("position") / lanes))
        .withColumn("lane", fn.col("position") % lanes)
        .withColumn("last", ends_stream.cast("int"))
        .withColumn("ends", fn.when(fn.col("lane") == lanes - 1, fn.col("last")).otherwise(0))
        .withColumn("stream", fn.coalesce(fn.sum("ends").over(earlier), fn.lit(0)))
        .withColumn("context", draw(1 << point["context"], 5, "stream"))
        .withColumn("passes", draw(100, 3, "position") < draw(101, 4, "beat"))
    )
    passing = drawn.where("passes")
    beats = in_beats(drawn, lanes, fn.when(fn.col("passes"), fn.col("tuple")))
    contexts = drawn.select(fn.col("beat").alias("position"), "context").distinct()
    return {
        "i": beats.join(contexts, "position"),
        "o": passing.select("position", "stream", fn.col("tuple").alias("item")),
        "streams": drawn.select(fn.col("stream").alias("position"), "context").distinct(),
    }
