"""Rows for the scans: states of tuples, and their running aggregates by window functions."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, in_beats, tuples


def rows(spark, point):
    """Returns the beats of the input ``i`` and of the output ``o``.

    Lane k of ``o`` aggregates the lanes 0 to k of its beat; in a rolling scan, which has the
    setting ``tuples``, all tuples of its stream up to lane k.
    """
    lanes, operator, width = point["lanes"], point["operator"], point["width"]
    rolling = "tuples" in point
    column = (1, False) if operator == "count" else (width, True)
    least, greatest = (0, 1) if operator == "count" else (-(1 << width - 1), (1 << width - 1) - 1)
    value = (  # of all numbers of some beats: an end of the type
        fn.when(draw(8, 2, "beat") == 0, fn.lit(least))
        .when(draw(8, 2, "beat") == 1, fn.lit(greatest))
        .otherwise(fn.col("value"))
    )
    by_position = Window.orderBy("position")
    earlier = by_position.rowsBetween(Window.unboundedPreceding, -1)
    drawn = (
        tuples(spark, 2000 * lanes, {"value": column}, seed=1)
        .withColumn("beat", fn.floor(fn.col("position") / lanes))
        .withColumn("lane", fn.col("position") % lanes)
        .withColumn("last", (draw(8, 3, "beat") == 0).cast("int"))
        .withColumn("ends", fn.when(fn.col("lane") == lanes - 1, fn.col("last")).otherwise(0))
        .withColumn("stream", fn.coalesce(fn.sum("ends").over(earlier), fn.lit(0)))
        .withColumn("value", value)
        .withColumn("first", (draw(100, 4, "position") < draw(101, 5, "beat")).cast("int"))
    )
    run = "stream" if rolling else "beat"
    segmented = operator == "segmented-sum"
    boundaries = fn.sum("first").over(Window.partitionBy(run).orderBy("position"))
    segment = boundaries if segmented else fn.lit(0)
    aggregate = {"min": fn.min, "max": fn.max}.get(operator, fn.sum)
    seen = Window.partitionBy(run, "segment").orderBy("position")
    scanned = drawn.withColumn("segment", segment).withColumn(
        "total", aggregate("value").over(seen)
    )
    # The state of a segmented sum says whether it has a boundary; a stream begins with one.
    is_segment = fn.lit(1) if rolling else (fn.col("segment") > 0).cast("int")

    def beats(first, total):
        state = fn.col(total).alias("value")
        parts = [first.alias("first"), fn.struct(state).alias("state")] if segmented else [state]
        return in_beats(scanned, lanes, fn.struct(*parts), "states").drop("valid")

    return {"i": beats(fn.col("first"), "value"), "o": beats(is_segment, "total")}
