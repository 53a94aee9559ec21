"""Rows for the linear sorter: chunks of tuples, and each chunk sorted by Spark."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import counted, draw, exploded


def rows(spark, point):
    """Returns the payloads of the input ``i``, and the tuples of the output ``o``.

    A fifth of the chunks is dropped by an empty beat with ``last``. Other empty beats, which have
    no effect, stand between tuples and behind chunks. Chunk n has n + 1 tuples up to the greatest
    chunk; of these, the even ones are dropped.
    """
    cells, half = point["cells"], point["width"] // 2
    columns = {
        "key": (half, False),
        "value": (point["width"] - half, True),
        "passenger": (point["passenger"], False),
    }
    any_length = fn.when(draw(3, 3, "chunk") == 0, cells).otherwise(1 + draw(cells, 4, "chunk"))
    first = fn.col("chunk") < cells
    length = fn.when(first, fn.col("chunk") + 1).otherwise(any_length)
    complete = fn.when(first, fn.col("chunk") % 2 == 1).otherwise(draw(5, 2, "chunk") > 0)
    chunks = spark.range(0, 6000 // cells, 1, 1).select(fn.col("id").alias("chunk"))
    chunks = chunks.withColumn("length", length.cast("int")).withColumn("complete", complete)
    place = 2 * (fn.col("chunk") * cells + fn.col("number"))
    drawn = (
        exploded(chunks, fn.col("length"), columns, seed=1)
        .withColumn("final", fn.col("number") == fn.col("length") - 1)
        .withColumn("position", place)
        .cache()
    )
    item = fn.struct(*columns)
    item = fn.struct(item.alias("tuple")) if point["cardinality"] else item
    last = (fn.col("final") & fn.col("complete")).cast("int")
    sent = drawn.select(
        "position", fn.array(item).alias("tuples"), fn.lit(1).alias("valid"), last.alias("last")
    )
    drops = fn.col("final") & (~fn.col("complete") | (draw(4, 5, "chunk") == 0))
    idles = ~fn.col("final") & (draw(10, 6, "position") == 0)
    empty = drawn.where(drops | idles).select(
        (fn.col("position") + 1).alias("position"),
        fn.lit(None).cast(sent.schema["tuples"].dataType).alias("tuples"),
        fn.lit(0).alias("valid"),
        fn.col("final").cast("int").alias("last"),
    )
    complete = counted(drawn.where("complete"), point["cardinality"], columns, "chunk")
    fields = "tuple." if point["cardinality"] else ""
    order = ["chunk", f"{fields}key", f"{fields}value", "number"]
    ranks = fn.row_number().over(Window.orderBy(*order))
    streams = fn.dense_rank().over(Window.orderBy("chunk")) - 1
    sorted_ = complete.withColumn("stream", streams).withColumn("position", ranks)
    return {
        "i": sent.union(empty),
        "o": sorted_.drop("chunk", "length", "complete", "number", "final"),
    }
