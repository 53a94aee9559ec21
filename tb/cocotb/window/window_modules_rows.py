"""Rows for the window modules: each tuple explodes into its windows, which Spark groups."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.window.time_streams import aggregate, arrivals, items, ring, ring_settings


def rows(spark, point):
    """Returns the items ``i``, the closed windows ``o``, and the tuples of each ``overrun``.

    The punctuations are in the streams, so that some tuples are too early for the ring. ``bad``
    has a row for each stream whose settings do not fit.
    """
    modules = point["modules"]
    arriving = arrivals(spark, point["width"], ring_settings(modules), 7, in_stream=True)
    item = items(arriving)
    tuples, windows = ring(item, modules)
    exploded = tuples.where("not overrun").withColumn(
        "number", fn.explode(fn.sequence("first", "final"))
    )
    states = exploded.groupBy("stream", "number").agg(
        aggregate(point["operator"]).alias("value"), fn.lit(True).alias("nonempty")
    )
    in_order = Window.partitionBy("stream").orderBy("position", "number")
    is_last = fn.lead("number").over(in_order).isNull() & fn.col("of_end")
    end = fn.col("start") + fn.col("range") + fn.col("number") * fn.col("slide")
    answer = windows.withColumn("last", is_last).join(states, ["stream", "number"], "left")
    is_window = fn.col("number").isNotNull()
    value = fn.when(is_window, fn.coalesce("value", fn.lit(0)))
    closed_windows = answer.select(
        fn.row_number().over(Window.orderBy("stream", "position", "number")).alias("position"),
        fn.when(is_window, fn.struct(value.alias("value"))).alias("state"),
        fn.when(is_window, fn.coalesce("nonempty", fn.lit(False))).alias("nonempty"),
        end.alias("end"),
        is_window.alias("valid"),
        "last",
    )
    return {
        "i": item.drop("stream"),
        "o": closed_windows,
        "overrun": tuples.where("overrun").select("position"),
        "bad": item.join(windows.select("stream"), "stream", "left_anti")
        .where("last")
        .select("position"),
    }
