"""Rows for the reduction: windows of lines with gaps, and the aggregate of each window."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, in_beats, tuples


def rows(spark, point):
    """Returns the lines of the input ``i``, and the state of each window at the output ``o``.

    A window has 1 to ``tuples / lanes`` lines. A line has each share of valid lanes with the same
    probability. Only a sum and a count have a state of no tuple: 0.
    """
    lanes, lines = point["lanes"], point["tuples"] // point["lanes"]
    earlier = Window.orderBy("position").rowsBetween(Window.unboundedPreceding, -1)
    ends_window = (draw(6, 2, "beat") == 0) | (fn.col("beat") % lines == lines - 1)
    drawn = (
        tuples(spark, 2400 * lanes, {"value": (point["width"], True)}, seed=1)
        .withColumn("beat", fn.floor(fn.col("position") / lanes))
        .withColumn("lane", fn.col("position") % lanes)
        .withColumn("last", ends_window.cast("int"))
        .withColumn("ends", fn.when(fn.col("lane") == lanes - 1, fn.col("last")).otherwise(0))
        .withColumn("window", fn.coalesce(fn.sum("ends").over(earlier), fn.lit(0)))
        .withColumn("passenger", draw(1 << point["passenger"], 5, "window"))
        .withColumn("valid", draw(100, 3, "position") < draw(101, 4, "beat"))
    )
    value = fn.when(fn.col("valid"), fn.col("value"))
    state = getattr(fn, point["operator"])(value)
    state = fn.coalesce(state, fn.lit(0)) if point["operator"] in ("sum", "count") else state
    windows = drawn.groupBy("window", "passenger").agg(state.alias("value"))
    passengers = drawn.select(fn.col("beat").alias("position"), "passenger").distinct()
    item = fn.when(fn.col("valid"), fn.struct("value"))
    return {
        "i": in_beats(drawn, lanes, item).join(passengers, "position"),
        "o": windows.select(
            fn.col("window").alias("position"), fn.struct("value").alias("state"), "passenger"
        ),
    }
