"""Rows for the windows of each key: tuples of streams, the lines of each window, and the memory."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.keyed.table_lookups import with_lookups
from tb.cocotb.support.stimulus import draw, in_streams, tuples

#: Number of beats of the input, and the mean of a stream.
BEATS, STREAM = 1600, 120


def rows(spark, point):
    """Returns the tuples ``i``, the lines of the windows ``o``, ``evicted``, and ``memory``.

    A life of a key is from the insertion of the key into the table to its eviction, or to the end
    of its stream; ``n`` numbers the tuples of a life. A window is the last ``size`` tuples of a
    life, after every ``slide`` of them, and it is sent by lines: tuple n is item ``n % items`` of
    line ``n // items`` of the life. ``memory`` has the lines that are full, with the latest data of
    each.
    """
    sent = _tuples(spark, point).cache()
    lookups = with_lookups(sent, point["key_width"], point["entries"], point["ways"])
    by_key = Window.partitionBy("stream", "key", "valid").orderBy("position")
    lives = lookups.withColumn("life", fn.sum(fn.col("fresh").cast("int")).over(by_key))
    by_life = Window.partitionBy("stream", "key", "life").orderBy("position")
    values = lives.where("valid").withColumn("n", fn.row_number().over(by_life) - 1)
    values = values.withColumn("line", fn.floor(fn.col("n") / point["items"])).cache()
    ends = sent.where("last").select("position", fn.lit(True).alias("end"))
    settings = fn.struct("size", "slide").alias("settings")
    return {
        "i": sent.select("position", "key", "item", "valid", "last", settings),
        "o": _windows(values, point).unionByName(_ends(ends), allowMissingColumns=True),
        "evicted": _evictions(lives),
        "memory": _memory(values, point),
    }


def _tuples(spark, point):
    """Returns the tuples of streams, each stream with a size and a slide of its windows."""
    largest = point["ring_lines"] * point["items"]
    columns = {"item": (min(62, point["width"]), True)}
    drawn = in_streams(tuples(spark, BEATS, columns, seed=1), STREAM, 2)
    any_key = fn.when(draw(12, 3, "position") == 0, draw(1 << point["key_width"], 4, "position"))
    few_keys = fn.when(draw(2, 11, "position") == 0, 0).otherwise(draw(4, 10, "position"))
    sizes = [1, largest, point["items"], point["items"] + 1]
    fixed = fn.element_at(fn.array(*map(fn.lit, sizes)), 1 + draw(4, 5, "stream"))
    size = fn.when(draw(2, 6, "stream") == 0, fixed).otherwise(1 + draw(largest, 7, "stream"))
    slide = fn.when(draw(3, 8, "stream") == 0, 1).otherwise(
        1 + draw(1 << 20, 9, "stream") % fn.col("size")
    )
    next_stream = fn.lead("stream").over(Window.orderBy("position"))
    return (
        drawn.withColumn("key", fn.coalesce(any_key, few_keys).cast("long"))
        .withColumn("valid", draw(6, 12, "position") > 0)
        .withColumn("size", size)
        .withColumn("slide", slide)
        .withColumn("last", fn.coalesce(next_stream != fn.col("stream"), fn.lit(True)))
    )


def _windows(values, point):
    """Returns a row for each line of each window."""
    items, begin = point["items"], fn.col("n") + 1 - fn.col("size")
    closing = (
        values.withColumn("begin", begin)
        .where("begin >= 0 AND begin % slide = 0")
        .withColumnsRenamed({"position": "closed", "n": "end", "line": "tail", "item": "_"})
        .select("*", fn.explode(fn.expr(f"sequence(begin div {items}, tail)")).alias("line"))
    )
    life = ["stream", "key", "life", "line"]
    in_window = fn.col("n").between(fn.col("begin"), fn.col("end"))
    lane = (fn.col("n") % items).cast("int")
    of_window = values.select(*life, "n", "item").join(closing, life).where(in_window)
    grouping = ["closed", "key", "entry", "begin", "size", "slide", "line", "tail"]
    lines = of_window.groupBy(*grouping).agg(
        fn.map_from_entries(fn.collect_list(fn.struct(lane, "item"))).alias("_items"),
        fn.sum(fn.expr(f"shiftleft(1L, int(n % {items}))")).alias("valid"),
    )
    after_memory = point["m2_lines"] - 1  # lines on the chip before the growing line
    places = [fn.try_element_at("_items", fn.lit(k)) for k in range(items)]
    info = fn.struct(
        "key",
        "entry",
        ((fn.col("begin") / fn.col("slide")) % 256).cast("long").alias("window"),
        fn.col("size").alias("bound"),
        fn.lit(False).alias("end"),
    )
    return lines.select(
        (fn.col("closed") * 1000 + fn.col("line") - fn.floor(fn.col("begin") / items)).alias(
            "position"
        ),
        fn.array(*places).alias("tuples"),
        "valid",
        (fn.col("line") == fn.col("tail")).alias("last"),
        fn.struct(
            fn.lit(False).alias("error"),
            (fn.col("line") < fn.col("tail") - after_memory).alias("m3"),
            info.alias("passenger"),
        ).alias("passenger"),
    )


def _ends(ends):
    """Returns the line without values that ends each stream, behind its windows."""
    info = fn.struct(
        *(fn.lit(None).cast("long").alias(name) for name in ("key", "entry", "window", "bound")),
        fn.lit(True).alias("end"),
    )
    passenger = fn.struct(
        fn.lit(False).alias("error"), fn.lit(False).alias("m3"), info.alias("passenger")
    )
    return ends.select(
        (fn.col("position") * 1000 + 999).alias("position"),
        fn.lit(0).cast("long").alias("valid"),
        fn.lit(True).alias("last"),
        passenger.alias("passenger"),
    )


def _evictions(lives):
    """Returns the evicted keys, each with the number of its tuple, and the end of each stream."""
    in_stream = Window.partitionBy("stream").orderBy("position")
    arrival = fn.sum(fn.col("valid").cast("int")).over(in_stream) - fn.col("valid").cast("int")
    key = fn.struct(fn.col("evicted_key").alias("key"), "arrival")
    reports = lives.withColumn("arrival", arrival).where("evicted OR last")
    return reports.select(
        "position",
        fn.array(fn.when(fn.col("evicted"), key)).alias("tuples"),
        fn.col("evicted").alias("valid"),
        "last",
    )


def _memory(values, point):
    """Returns the full lines by their number, with their latest ``tuples`` and ``writes``."""
    items = point["items"]
    lines = (
        values.groupBy("stream", "key", "life", "line", "entry")
        .agg(
            fn.max("position").alias("written"),
            fn.count("*").alias("count"),
            fn.array_sort(fn.collect_list(fn.struct("n", "item")))["item"].alias("tuples"),
        )
        .where(fn.col("count") == items)
    )
    number = fn.col("entry") * point["ring_lines"] + fn.col("line") % point["ring_lines"]
    return (
        lines.withColumn("position", number)
        .groupBy("position")
        .agg(fn.max_by("tuples", "written").alias("tuples"), fn.count("*").alias("writes"))
        .withColumn("number", fn.col("position"))
    )
