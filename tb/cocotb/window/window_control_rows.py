"""Rows for the control of a ring of windows: the windows of each tuple, and the closed windows."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.window.time_streams import STREAMS, arrivals, items, ring, ring_settings


def rows(spark, point):
    """Returns the items ``i``, the ``steps`` of the ring in order, and each ``overrun`` tuple.

    A step closes a window, which has ``begin`` and ``end``; or adds a tuple, with ``value``, to the
    windows in ``begins``. In half of the streams the punctuations are made out of the times, so
    that a tuple may close a window and be added in the same item; in the others they are in the
    stream, so that a tuple may be too early for the ring. ``bad`` has a row for each stream whose
    settings do not fit.
    """
    settings, width = ring_settings(point["modules"]), point["width"]
    made_arrivals = arrivals(spark, width, settings, seed=11)
    sent_arrivals = arrivals(spark, width, settings, seed=12, in_stream=True, first=STREAMS)
    item = items(made_arrivals.union(sent_arrivals))
    tuples, windows = ring(item, point["modules"])
    numbers = fn.sequence("first", "final")
    window_begins = fn.transform(numbers, lambda number: number * fn.col("slide"))
    begin = fn.col("number") * fn.col("slide")
    nothing = fn.lit(None).cast("long")
    added = tuples.where("not overrun").select(
        fn.col("position").alias("item"),
        fn.lit(None).cast("long").alias("number"),
        *(nothing.alias("begin"), nothing.alias("end"), "value", window_begins.alias("begins")),
    )
    closed = windows.where("number is not null").select(
        *(fn.col("position").alias("item"), "number", begin.alias("begin")),
        (fn.col("start") + begin + fn.col("range")).alias("end"),
        *(nothing.alias("value"), fn.array().cast("array<long>").alias("begins")),
    )
    in_order = Window.orderBy("item", fn.col("number").asc_nulls_last())
    steps = closed.union(added).withColumn("position", fn.row_number().over(in_order))
    return {
        "i": item.drop("stream"),
        "steps": steps.drop("item", "number"),
        "overrun": tuples.where("overrun").select("position"),
        "bad": item.join(windows.select("stream"), "stream", "left_anti")
        .where("last")
        .select("position"),
    }
