"""Rows for a pass with a pivot: windows of lines, and the rank of each window by sorting."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw, in_beats, integers, tuples


def rows(spark, point):
    """Returns the lines of the input ``i``, and the result of each pass at the output ``o``.

    A window has 1 to ``tuples / lanes`` lines. A line has each share of valid lanes with the same
    probability. The pivot of a window is drawn as its values. A pass that does not find the rank
    has an expected bound, and any next pivot.
    """
    lanes, lines = point["lanes"], point["tuples"] // point["lanes"]
    half, near = 1 << point["width"] - 1, point["neighbours"]
    earlier = Window.orderBy("position").rowsBetween(Window.unboundedPreceding, -1)
    ends_window = (draw(6, 2, "beat") == 0) | (fn.col("beat") % lines == lines - 1)
    drawn = (
        tuples(spark, 1600 * lanes, {"value": (point["width"], True)}, seed=1)
        .withColumn("other", integers(point["width"], True, 50))
        .withColumn("beat", fn.floor(fn.col("position") / lanes))
        .withColumn("lane", fn.col("position") % lanes)
        .withColumn("last", ends_window.cast("int"))
        .withColumn("ends", fn.when(fn.col("lane") == lanes - 1, fn.col("last")).otherwise(0))
        .withColumn("window", fn.coalesce(fn.sum("ends").over(earlier), fn.lit(0)))
        .withColumn("valid", draw(100, 3, "position") < draw(101, 4, "beat"))
    )
    by_window = Window.partitionBy("window").orderBy("position")
    drawn = drawn.withColumn("pivot", fn.first("other").over(by_window) + half).cache()
    search = fn.struct("pivot", *_columns(low=0, high=2 * half - 1, tries=0))
    passengers = drawn.select(fn.col("beat").alias("position"), search.alias("passenger"))
    key = fn.when(fn.col("valid"), fn.col("value") + half)
    windows = drawn.groupBy("window", "pivot").agg(fn.array_sort(fn.collect_list(key)).alias("k"))
    ranked = (
        windows.withColumn("n", fn.size("k"))
        .withColumn("rank", fn.ceil(fn.col("n") * point["percent"] / 100).cast("int"))
        .withColumn("less", fn.expr("size(filter(k, x -> x < pivot))"))
        .withColumn("upto", fn.expr("size(filter(k, x -> x <= pivot))"))
        .withColumn("index", fn.expr("greatest(less - rank, rank - upto - 1)"))
        .withColumn("found", (fn.col("index") < near) | (fn.col("n") == 0))
    )
    answer = fn.expr("if(n = 0, pivot, element_at(k, greatest(rank, 1)))")
    is_less = fn.col("rank") <= fn.col("less")
    high = fn.when(~is_less, 2 * half - 1).otherwise(
        fn.expr(f"try_element_at(k, less - {near - 1})")
    )
    low = fn.when(is_less, 0).otherwise(fn.expr(f"try_element_at(k, upto + {near})"))
    result = fn.struct(
        fn.when(fn.col("found"), answer).alias("pivot"),
        fn.when(~fn.col("found"), low).alias("low"),
        fn.when(~fn.col("found"), high).alias("high"),
        fn.lit(1).alias("tries"),
    )
    return {
        "i": in_beats(drawn, lanes, fn.when(fn.col("valid"), fn.col("value"))).join(
            passengers.distinct(), "position"
        ),
        "o": ranked.select(
            fn.col("window").alias("position"),
            fn.col("found").cast("int").alias("found"),
            result.alias("search"),
        ),
    }


def _columns(**numbers):
    return [fn.lit(number).alias(name) for name, number in numbers.items()]
