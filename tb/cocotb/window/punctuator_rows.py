"""Rows for the punctuator: streams over time, and the items that Spark makes of them."""

from pyspark.sql import functions as fn

from tb.cocotb.window.time_streams import (
    LENGTHS,
    arrivals,
    items,
    ring_settings,
    with_punctuations,
)

MODULES = 4


def rows(spark, point):
    """Returns the arrivals ``i``, the items ``o``, and a row for each ``late`` tuple."""
    in_stream = point["punctuations"] == "stream"
    arriving = arrivals(spark, point["width"], ring_settings(MODULES), 1, in_stream=in_stream)
    late = with_punctuations(arriving).where("valid and not timely")
    tuple_ = fn.when(fn.col("valid"), fn.struct("value")).alias("row")
    context = fn.struct(*LENGTHS, "start").alias("context")
    sent = arriving.select("position", tuple_, "time", "valid", "punctuation", "last", context)
    return {
        "i": sent,
        "o": items(arriving).drop("stream"),
        "late": late.select("position"),
    }
