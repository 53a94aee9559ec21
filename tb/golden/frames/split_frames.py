"""Frames of random tuples as a user may have them: any partitions, with a column of the order."""

from decimal import Decimal
from itertools import pairwise

import pyarrow as pa

from golden.plans.plan import row_types
from golden.spark.arrow_maps import quiet
from query.types import Fixed
from tb.golden.random_queries import as_tuples
from tb.golden.read_rows import raw_number

ORDER = "at"
#: Setting of Spark that puts frames of one partition into one; it must be false for `split_frame`.
UNION = "spark.sql.unionOutputPartitioning"


def user_table(query, tuples):
    """Returns the tuples as a user has them: exact decimals for fixed point, all columns."""
    table = as_tuples(query, tuples).table
    columns = {}
    for column in query.schema.columns:
        if column.name not in table.column_names:
            columns[column.name] = pa.nulls(len(tuples), pa.int64())
        elif isinstance(column.type, Fixed):
            bits = column.type.fraction
            exact = [_exact(raw, bits) for raw in table[column.name].to_pylist()]
            columns[column.name] = pa.array(exact, pa.decimal128(38, bits))
        else:
            columns[column.name] = table[column.name]
    columns[ORDER] = pa.array([7 * n - 50 for n in range(len(tuples))], pa.int64())
    return pa.table(columns)


def split_frame(spark, table, rng, parts, in_order):
    """Returns a frame of ``parts`` partitions: consecutive parts of the table, or any tuples."""
    count = table.num_rows
    if not in_order:
        order = list(range(count))
        rng.shuffle(order)
        table = table.take(pa.array(order, pa.int64()))
    bounds = [0, *sorted(rng.randrange(count + 1) for _ in range(parts - 1)), count]
    pieces = [table.slice(a, b - a) for a, b in pairwise(bounds)]
    rng.shuffle(pieces)
    with quiet():
        frames = [spark.createDataFrame(piece).coalesce(1) for piece in pieces]
    union = frames[0]
    for frame in frames[1:]:
        union = union.unionAll(frame)
    return union


def raw_rows(query, rows):
    """Returns rows with the values of a user as raw values, like those of `golden.answer`."""
    with quiet():
        table, columns = rows.toArrow(), {}
    bits = dict(zip(query.row_names, _fraction_bits(query), strict=True))
    for name, kind in row_types(query):
        values = table[name].to_pylist()
        if bits[name]:
            values = [None if v is None else raw_number(v, bits[name]) for v in values]
        if pa.types.is_decimal(kind):
            values = [None if value is None else Decimal(value) for value in values]
        columns[name] = pa.array(values, kind)
    return pa.table(columns)


def _fraction_bits(query):
    """Returns the fraction bits of each column of the rows; times of random queries have none."""
    ends = [0] if "window_end" in query.row_names else []
    keys = [query.key.type.fraction] if query.key else []
    return [0, *ends, *keys, *(item.aggregate.fraction_bits for item in query.items)]


def _exact(raw, bits):
    text = f"{abs(raw) * 5**bits:0{bits + 1}d}"
    return Decimal(f"{'-' if raw < 0 else ''}{text[: len(text) - bits]}.{text[len(text) - bits :]}")
