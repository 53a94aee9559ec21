"""Rows for the windows of each key: tuples of streams, the lines of each window, and the memory."""

from pyspark.sql import functions as fn

from tb.cocotb.keyed.key_lives import evictions, tuples_of_streams, with_lives


def rows(spark, point):
    """Returns the tuples ``i``, the lines of the windows ``o``, ``evicted``, and ``memory``.

    A window is sent by lines: tuple n of a life is item ``n % items`` of line ``n // items`` of the
    life. ``memory`` has the lines that are full, with the latest data of each.
    """
    items = point["items"]
    largest = point["ring_lines"] * items
    sent = tuples_of_streams(spark, point, [1, largest, items, items + 1]).cache()
    lives = with_lives(sent, point).withColumn("line", fn.floor(fn.col("n") / items)).cache()
    values = lives.where("valid")
    ends = sent.where("last").select("position", fn.lit(True).alias("end"))
    settings = fn.struct("size", "slide").alias("settings")
    return {
        "i": sent.select("position", "key", "item", "valid", "last", settings),
        "o": _windows(values, point).unionByName(_ends(ends), allowMissingColumns=True),
        "evicted": evictions(lives),
        "memory": _memory(values, point),
    }


def _windows(values, point):
    """Returns a row for each line of each window."""
    items = point["items"]
    closing = (
        values.where("closes")
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
    full_lines_on_chip = point["m2_lines"] - 1  # the latest full lines; m2 has the growing one, too
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
            (fn.col("line") < fn.col("tail") - full_lines_on_chip).alias("m3"),
            info.alias("passenger"),
        ).alias("passenger"),
    )


def _ends(ends):
    """Returns the line without values that ends each stream, after the lines of its windows."""
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


def _memory(values, point):
    """Returns each written line of the memory with its latest ``tuples``.

    ``writes`` is the number of full lines that were written there, one after the other.
    """
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
