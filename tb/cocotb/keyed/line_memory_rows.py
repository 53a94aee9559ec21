"""Rows for the line memory: writes and reads of lines, and the lines that each read must return."""

from pyspark.sql import Window
from pyspark.sql import functions as fn

from tb.cocotb.support.stimulus import draw

#: Number of commands.
COMMANDS = 2000
#: Lines of 4 KiB.
PAGE = 64


def rows(spark, point):
    """Returns the ``commands``, the ``lines`` of the reads, and the ``memory`` before and after.

    Half of the commands begin near the end of a ring or of 4 KiB, and four commands in a row are
    for one ring, so that reads meet writes of their lines. ``memory`` has each line with its
    ``port`` and ``address`` behind the port's base; ``fault`` is 1 for a line whose reads fail,
    and 2 for a line whose writes fail. The results with faults are ``faulty_lines`` and the column
    ``faulty``: the data of a line are NULL if they are not defined.
    """
    ring_lines = point["ring_lines"]
    ring = draw(point["rings"], 1, fn.floor(fn.col("position") / 4))
    ends = fn.when(draw(2, 2, "position") == 0, PAGE).otherwise(ring_lines)
    near_an_end = ends + draw(9, 3, "position") - 4
    place = fn.when(draw(4, 4, "position") == 0, draw(ring_lines, 5, "position"))
    short, longer = draw(9, 6, "position"), draw(ring_lines + 1, 7, "position")
    chance = draw(100, 8, "position")
    whole_ring = (fn.col("place") == 0) & (draw(4, 11, "position") == 0)
    count = fn.when(whole_ring | (chance < 2), ring_lines).when(chance < 5, longer)
    count = count.when(chance < 50, 1).otherwise(short)
    drawn = (
        spark.range(0, COMMANDS, 1, 1)
        .select(fn.col("id").alias("position"))
        .withColumn("write", draw(10, 9, "position") < 6)
        .withColumn("ring", ring)
        .withColumn("place", fn.coalesce(place, fn.pmod(near_an_end, fn.lit(ring_lines))))
        .withColumn("line", fn.col("ring") * ring_lines + fn.col("place"))
        .withColumn("count", fn.when(~fn.col("write"), count))
        .withColumn("data", fn.when(fn.col("write"), _data("write", "position")))
        .cache()
    )
    memory = _memory(spark, point)
    return {
        "commands": drawn.drop("ring", "place"),
        "lines": _lines(drawn, memory, ring_lines),
        "faulty_lines": _lines(drawn, memory, ring_lines, faults=True),
        "memory": _after(drawn, memory),
    }


def _data(*parts):
    """Returns a column of 64 random bytes for each value of the parts."""
    return fn.unhex(fn.sha2(fn.concat_ws(" ", *parts), 512))


def _memory(spark, point):
    """Returns all lines with their ``port``, ``address``, ``fault``, and ``data`` at first."""
    ring_lines, ports, length = point["ring_lines"], point["ports"], point["stripe_lines"]
    line = fn.col("line")
    stripe, ring = fn.floor(line / length), fn.floor(line / ring_lines)
    local = fn.floor(stripe / ports) * length + line % length
    chance = draw(12, 10, "line")
    return (
        spark.range(0, point["rings"] * ring_lines, 1, 1)
        .select(fn.col("id").alias("line"))
        .withColumn("port", (stripe + ring) % ports)
        .withColumn("address", local * 64)
        .withColumn("fault", fn.when(chance < 2, chance + 1).otherwise(0))
        .withColumn("data", _data("line"))
    )


def _lines(drawn, memory, ring_lines, *, faults=False):
    """Returns the lines of all reads, each as the last write before it has left it."""
    number = fn.explode(fn.sequence(fn.lit(0), fn.col("count") - 1)).alias("number")
    reads = drawn.where("count > 0").select("position", "ring", "place", "count", number)
    in_ring = fn.pmod(fn.col("place") + fn.col("number"), fn.lit(ring_lines))
    read_lines = reads.select(
        "position",
        (fn.col("ring") * ring_lines + in_ring).alias("line"),
        "number",
        "count",
        fn.lit(None).cast("binary").alias("data"),
    )
    none = fn.lit(None).cast("int")
    stored = [
        frame.select(position, "line", none.alias("number"), none.alias("count"), "data")
        for frame, position in (
            (memory, fn.lit(-1).cast("long").alias("position")),
            (drawn.where("write"), fn.col("position")),
        )
    ]
    earlier = Window.partitionBy("line").orderBy("position")
    latest = fn.last("data", ignorenulls=True).over(earlier)
    accesses = read_lines.union(stored[0]).union(stored[1]).withColumn("data", latest)
    error, undefined = fn.lit(False), fn.lit(False)
    if faults:
        accesses = accesses.join(memory.select("line", "fault"), "line")
        error, undefined = fn.col("fault") == 1, fn.col("fault") > 0
    return accesses.where("number IS NOT NULL").select(
        (fn.col("position") * 1000 + fn.col("number")).alias("position"),
        fn.when(~undefined, fn.col("data")).alias("data"),
        error.alias("error"),
        (fn.col("number") == 0).alias("first"),
        (fn.col("number") == fn.col("count") - 1).alias("last"),
    )


def _after(drawn, memory):
    """Returns the memory with the data ``after`` all writes, and their number."""
    latest = (
        drawn.where("write")
        .groupBy("line")
        .agg(fn.max_by("data", "position").alias("after"), fn.count("*").alias("writes"))
    )
    joined = memory.join(latest, "line", "left")
    return joined.select(
        fn.col("line").alias("position"),
        "line",
        "port",
        "address",
        "fault",
        "data",
        fn.coalesce("after", "data").alias("after"),
        fn.coalesce("writes", fn.lit(0)).alias("writes"),
    )
