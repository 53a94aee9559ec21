"""Converts the rows of a frame to the values that a user reads.

Inside a plan a row holds raw values. A float is held as its place, an integer that ascends with the
float (`golden.values.carry`). A frame of rows for users has a whole number of 64 bits or a decimal
where the raw value is a whole number, an exact decimal for fixed point, a float or a double for
floating point. Spark's decimals have 38 digits. Where a column's type may need more, as sums of
``fixed(32,32)`` do, the exact decimal is a text.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.pandas.types import from_arrow_schema

from golden.plans.panes import Numbers
from golden.plans.plan import ordered, row_types, window_rows
from golden.plans.stream import Stream
from golden.plans.time_windows import Span
from golden.rows import csv_header, csv_lines, fraction_bits, in_schema
from golden.spark.arrow_maps import map_batches
from golden.values.carry import plain_rows
from query.query import Query
from query.window import Range

_DIGITS = 38
_NO_SPAN = Span(start=0, smallest=0, greatest=-1)  # has no window


def complete(query: Query, stream: Stream) -> DataFrame:
    """Returns the rows of a stream in their order, with the names of the answer.

    A row of a window of time has the window's end. Without groups, empty windows have rows too.
    """
    if isinstance(query.window, Range) and stream.span is None:
        stream = replace(stream, span=_NO_SPAN)
    span = stream.span
    rows = window_rows(query, stream)
    if span is not None and query.key is None:
        rows = _with_empty(query, rows, span.window_count(query.window.slide))
    rows = ordered(query, stream, rows)
    names = [name for name in query.row_names if name != "window_end"]
    selected = [fn.col(c).alias(name) for c, name in zip(rows.columns, names, strict=True)]
    if span is not None:
        selected.insert(1, _end(query, span.start).alias("window_end"))
    return rows.select(*selected)


def _with_empty(query, rows, count):
    """Returns the rows with a row added for each empty window from 0 to ``count`` - 1."""
    windows = rows.sparkSession.range(count).withColumnRenamed("id", "window")
    every = windows.join(rows, "window", "left")
    for i, item in enumerate(query.items):
        if item.aggregate.function.declaration.zero_if_empty:
            name = f"row_a{i}"
            zero = fn.lit(0).cast(rows.schema[name].dataType)
            every = every.withColumn(name, fn.coalesce(name, zero))
    return every


def _end(query, start):
    """Returns the end of a window: start + window*slide + size.

    Parts of this sum may need more than 64 bits although the end does not. Then it is computed in
    decimals, which are slower.
    """
    window, wide, half = query.window, Numbers(wide=True), 1 << 62
    first_end = start + window.size
    exact = fn.col("window").cast(wide.kind) * wide.lit(window.slide) + wide.lit(first_end)
    if dict(row_types(query))["window_end"] != pa.int64():
        return exact.cast(wide.kind)
    if abs(first_end) > half:
        return exact.cast("long")
    quick = fn.col("window").cast("long") * fn.lit(window.slide) + fn.lit(first_end)
    is_small = fn.col("window") <= fn.lit(half // window.slide)
    return fn.when(is_small, quick).otherwise(exact.cast("long"))


def user_rows(query: Query, rows: DataFrame) -> DataFrame:
    """Returns the rows of `complete` with the values that a user reads."""
    schema = user_schema(query)
    if schema == pa.schema(row_types(query)) and not any(
        pa.types.is_floating(kind) for kind in schema.types
    ):
        return rows
    bits = fraction_bits(query)

    def convert(part: pa.Table) -> pa.Table:
        return in_schema(part, schema, bits)

    return map_batches(rows, _converter(query, convert), from_arrow_schema(schema))


def csv_rows(query: Query, rows: DataFrame, header: bool) -> DataFrame:
    """Returns the lines of a CSV file, in the column ``value``, without their line feeds.

    With ``header`` each partition begins with the names of the columns.
    """
    bits = fraction_bits(query)
    names = csv_header(query.row_names)

    def lines(part: pa.Table) -> pa.Table:
        return pa.table({"value": csv_lines(part, bits)})

    convert = _converter(query, lines)

    def with_header(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield pa.record_batch([pa.array([names])], names=["value"])
        yield from convert(batches)

    return map_batches(rows, with_header if header else convert, "value string")


def user_schema(query: Query) -> pa.Schema:
    """Returns the Arrow types of the rows for users."""
    bits = fraction_bits(query)
    raw_bits = _raw_bits(query)
    fields = []
    for name, kind in row_types(query):
        if bits[name]:
            digits = len(str((1 << raw_bits[name]) >> bits[name])) + bits[name]
            kind = pa.decimal128(digits, bits[name]) if digits <= _DIGITS else pa.string()
        fields.append(pa.field(name, kind))
    return pa.schema(fields)


def _raw_bits(query):
    """Returns the most bits that a raw value may have, by the name of the row's column."""
    widths = {item.name: item.aggregate.result.bits for item in query.items}
    if query.key:
        widths[query.key.name] = query.key.type.width
    if isinstance(query.window, Range):
        window = query.window
        numbers = (window.size.bit_length(), window.slack.bit_length())
        widths["window_end"] = 2 + max(window.attribute.type.width, *numbers)
    return widths


def _converter(query: Query, convert: Callable[[pa.Table], pa.Table]):
    """Returns a function for ``mapInArrow`` that converts raw rows by ``convert``."""
    schema = pa.schema(row_types(query))

    def convert_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = plain_rows(query, pa.Table.from_batches([batch]))
            yield from convert(rows.cast(schema)).combine_chunks().to_batches()

    return convert_batches
