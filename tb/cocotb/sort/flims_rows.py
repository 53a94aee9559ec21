"""Rows for the FLiMS merger: pairs of sorted lists, and the tuples of each pair sorted by Spark."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import counted, in_streams, tuples


def rows(spark, point):
    """Returns the tuples of the inputs ``a`` and ``b``, and of the output ``o``.

    List k of ``o`` has the tuples of list k of ``a`` and list k of ``b``, ordered by key and value.
    With a cardinality, tuples carry the size of their group in their list.
    """
    half = point["width"] // 2
    columns = {"key": (half, False), "value": (point["width"] - half, True)}
    drawn = in_streams(tuples(spark, 2000 * point["lanes"], columns, seed=1), 6 * point["lanes"], 2)
    sided = drawn.withColumn("side", fn.when(fn.rand(3) < 0.5, "a").otherwise("b"))
    by_order = Window.orderBy("stream", "key", "value")
    sorted_ = sided.withColumn("position", fn.row_number().over(by_order)).cache()
    lists = {side: sorted_.where(fn.col("side") == side) for side in "ab"} | {"o": sorted_}
    return {
        name: counted(frame.drop("side"), point["cardinality"], columns, "stream")
        for name, frame in lists.items()
    }
