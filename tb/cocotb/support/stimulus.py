"""Spark expressions and DataFrames that the rows of several benches share."""

import pyarrow as pa
from pyspark.sql import Window
from pyspark.sql import functions as fn

#: Share of numbers that are an end of their type, 0, 1 or -1.
_SPECIAL = 0.15
_ARROW = {
    "long": pa.int64(),
    "boolean": pa.bool_(),
    "binary": pa.binary(),
    "array<long>": pa.list_(pa.int64()),
}


def integers(width, is_signed, seed):
    """Returns a column of random integers of up to 62 bits, with the ends of the type among them.

    Half of the other numbers are small, so that ties occur.
    """
    low = -(1 << (width - 1)) if is_signed else 0
    high = (1 << (width - is_signed)) - 1
    special = [low, high, 0, 1, -1 if is_signed else high - 1]
    choice = fn.floor(fn.rand(seed) * len(special)).cast("int")
    ends = fn.element_at(fn.array(*[fn.lit(number).cast("long") for number in special]), choice + 1)
    span = fn.least(fn.lit(float(high) - low), fn.lit(2.0**53))
    wide = (fn.lit(low) + fn.floor(fn.rand(seed + 1) * span)).cast("long")
    small = fn.floor(fn.rand(seed + 2) * min(8, high + 1)).cast("long")
    kind = fn.rand(seed + 3)
    return (
        fn.when(kind < _SPECIAL, ends)
        .when(kind < (1 + _SPECIAL) / 2, small)
        .otherwise(wide)
        .cast("long")
    )


def tuples(spark, count, columns, seed):
    """Returns ``count`` random tuples, numbered in the column ``position``.

    Parameters
    ----------
    columns : dict of str to (int, bool)
        Width in bits, and True if the column is signed, by name.
    """
    drawn = [
        integers(width, is_signed, seed + 10 * k).alias(name)
        for k, (name, (width, is_signed)) in enumerate(columns.items())
    ]
    # One partition: random columns depend on the partition and on the order of rows.
    return spark.range(0, count, 1, 1).select(fn.col("id").alias("position"), *drawn)


def in_streams(frame, length, seed):
    """Adds the column ``stream``: streams of consecutive tuples, on average ``length`` of them.

    ``length`` is a number or a column.
    """
    ends = (fn.rand(seed) < 1 / length).cast("int")
    by_position = Window.orderBy("position")
    marked = frame.withColumn("_end", ends)
    earlier = by_position.rowsBetween(Window.unboundedPreceding, -1)
    streams = fn.coalesce(fn.sum("_end").over(earlier), fn.lit(0))
    return marked.withColumn("stream", streams.cast("long")).drop("_end")


def by_group(frame, keys, function, schema):
    """Returns the rows of all groups: ``function(rows)`` returns the rows of one group.

    Rows are dicts by column, in the order of ``position`` if there is such a column; ``schema`` is
    the schema of the result, in text: columns of type long, boolean, binary or array<long>. The
    result is cached, so that it is computed once.
    """
    columns = [column.split() for column in schema.split(", ")]
    arrow_schema = pa.schema([(name, _ARROW[type_]) for name, type_ in columns])

    def table_of_group(table):
        ordered = table.sort_by("position") if "position" in table.column_names else table
        return pa.Table.from_pylist(function(ordered.to_pylist()), schema=arrow_schema)

    return frame.groupBy(*keys).applyInArrow(table_of_group, schema).cache()


def draw(choices, seed, *columns):
    """Returns a column of random integers from 0 to ``choices`` - 1.

    Rows that agree in all of ``columns`` have the same number.
    """
    return fn.pmod(fn.xxhash64(fn.lit(seed), *columns), fn.lit(choices)).cast("int")


def in_beats(frame, lanes, item, name="tuples"):
    """Returns the beats of a frame with the columns ``beat``, ``lane`` and ``last``.

    A beat is a row with the columns ``position``, the number of the beat; ``name``, an array with
    the column ``item`` of each lane; ``valid``, a bit for each lane whose item is not NULL; and
    ``last``.
    """
    entry = fn.when(item.isNotNull(), fn.struct(fn.col("lane").cast("int"), item.alias("item")))
    by_lane = fn.map_from_entries(fn.collect_list(entry))
    bit = fn.when(item.isNotNull(), fn.expr("shiftleft(1L, int(lane))")).otherwise(0)
    beats = frame.groupBy(fn.col("beat").alias("position")).agg(
        by_lane.alias("_items"),
        fn.sum(bit).alias("valid"),
        fn.max("last").cast("int").alias("last"),
    )
    places = [fn.try_element_at("_items", fn.lit(k)) for k in range(lanes)]
    return beats.select("position", fn.array(*places).alias(name), "valid", "last")


def counted(frame, cardinality, fields, *lists):
    """Returns a frame whose tuples are items of sorters, with or without the size of their group.

    With ``cardinality`` the columns ``fields`` become the struct ``tuple``, and ``cardinality`` is
    the number of rows with the same ``key`` that agree in the columns ``lists``.
    """
    if not cardinality:
        return frame
    size = fn.count("*").over(Window.partitionBy(*lists, "key"))
    return (
        frame.withColumn("cardinality", size).withColumn("tuple", fn.struct(*fields)).drop(*fields)
    )


def exploded(frame, count, columns, seed):
    """Repeats each row ``count`` times, numbered from 0 on in ``number``, with random ``columns``.

    ``columns`` is a mapping as for :func:`tuples`.
    """
    numbers = fn.explode(fn.sequence(fn.lit(1), count)).alias("number")
    drawn = [
        integers(width, is_signed, seed + 10 * k).alias(name)
        for k, (name, (width, is_signed)) in enumerate(columns.items())
    ]
    repeated = frame.where(count > 0).select("*", numbers)
    return repeated.select("*", *drawn).withColumn("number", fn.col("number") - 1)
