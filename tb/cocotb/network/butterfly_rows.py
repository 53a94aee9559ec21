"""Rows for the reverse butterfly: tuples with target lanes, and the beats in order of targets."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, in_beats, tuples


def rows(spark, point):
    """Returns the beats of the input ``i`` and of the output ``o``.

    The valid tuples of a beat have consecutive target lanes, from a random lane on, modulo lanes.
    """
    lanes = point["lanes"]
    by_lane = Window.partitionBy("beat").orderBy("lane")
    # A beat has each share of valid lanes, from 0 to 1, with the same probability.
    valid = draw(100, 3, "position") < draw(101, 4, "beat")
    number = fn.sum(fn.col("valid").cast("int")).over(by_lane) - 1
    drawn = (
        tuples(spark, 2200 * lanes, {"tuple": (point["width"], False)}, seed=1)
        .withColumn("beat", fn.floor(fn.col("position") / lanes))
        .withColumn("lane", fn.col("position") % lanes)
        .withColumn("last", draw(2, 2, "beat"))
        .withColumn("valid", valid)
        .withColumn("to", (draw(lanes, 5, "beat") + number) % lanes)
    )
    moved = drawn.withColumn("lane", fn.col("to"))
    return {
        "i": in_beats(drawn, lanes, fn.when(fn.col("valid"), fn.struct("tuple", "to"))),
        "o": in_beats(moved, lanes, fn.when(fn.col("valid"), fn.col("tuple"))),
    }
