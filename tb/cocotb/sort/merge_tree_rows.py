"""Rows for the merge tree: a sorted list for each leaf, and all tuples sorted by Spark."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import counted, draw, in_streams, tuples

#: Tuples for each leaf, and at most for all leaves; Icarus takes 3 ms for a tuple with 8 leaves.
LEAF_TUPLES, TUPLES = 2000, 8000


def rows(spark, point):
    """Returns the tuples of each leaf and of the output ``o``.

    In a fifth of the lists one leaf has almost all of the tuples, and in another fifth the leaves
    have tuples in turn, so that their numbers differ by at most one. With a cardinality, tuples
    carry the size of their group in their list.
    """
    half, lanes = point["width"] // 2, point["lanes"]
    columns = {"key": (half, False), "value": (point["width"] - half, True)}
    count = min(LEAF_TUPLES * lanes, TUPLES)
    drawn = in_streams(tuples(spark, count, columns, seed=1), 6 * lanes, 2)
    one_leaf = (draw(5, 3, "stream") == 0) & (draw(10, 4, "position") > 0)
    in_turn = fn.pmod(fn.col("position"), fn.lit(lanes)).cast("int")
    leaf = (
        fn.when(one_leaf, draw(lanes, 5, "stream"))
        .when(draw(5, 3, "stream") == 1, in_turn)
        .otherwise(draw(lanes, 6, "position"))
    )
    by_order = Window.orderBy("stream", "key", "value")
    sorted_ = (
        drawn.withColumn("leaf", leaf)
        .withColumn("position", fn.row_number().over(by_order))
        .cache()
    )
    lists = {f"leaf{k}": sorted_.where(fn.col("leaf") == k) for k in range(lanes)}
    return {
        name: counted(frame.drop("leaf"), point["cardinality"], columns, "stream")
        for name, frame in (lists | {"o": sorted_}).items()
    }
