"""Rows for the pane gate: items of windows, and the items of panes, whose length is a divisor."""

from math import gcd

from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import by_group
from tb.cocotb.window.time_streams import arrivals, items, ring_settings


def rows(spark, point):
    """Returns the items ``i`` and ``o``; and for each stream the ``lengths`` of its panes.

    A swallowed stream has a row in ``bad``, and each of its tuples one in ``overrun``.
    """
    item = items(arrivals(spark, point["width"], ring_settings(point["panes_max"] // 3), 21))
    lengths = item.select("stream", "context.*").distinct()

    def divide(stream):
        row = stream[0]
        pane = gcd(row["range"], row["slide"])
        fits = 0 < row["slide"] <= row["range"] <= pane * point["panes_max"]
        sizes = (row["range"] // pane, row["slide"] // pane) if fits else (None, None)
        names = "stream", "pane", "fits", "size", "step"
        return [dict(zip(names, (row["stream"], pane, fits, *sizes), strict=True))]

    schema = "stream long, pane long, fits boolean, size long, step long"
    panes = item.join(by_group(lengths, ["stream"], divide, schema), "stream").cache()
    pane, context = fn.col("pane"), fn.col("context")
    slack = context["slack"] + context["slide"] - pane
    named = {"range": pane, "slide": pane, "slack": slack, "start": context["start"]}
    at_end = fn.greatest(fn.lit(0), fn.col("punctuation") - pane)
    names = "stream", "pane", "fits", "size", "step"
    ports = panes.where("fits and last").select(
        "position",
        "size",
        "step",
        (context["start"] + context["range"]).alias("stamp"),
        context["slide"].alias("stride"),
    )
    return {
        "i": item.drop("stream"),
        "o": panes.where("fits")
        .withColumn("time", fn.when(fn.col("last"), at_end).otherwise(fn.col("time")))
        .withColumn("context", fn.struct(*(value.alias(name) for name, value in named.items())))
        .drop(*names),
        "lengths": ports,
        "bad": panes.where("last and not fits").select("position"),
        "overrun": panes.where("valid and not fits").select("position"),
    }
