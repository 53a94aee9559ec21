"""Checks golden answers by hand, and against `tb.golden.reference` on random queries."""

import math
import random
from fractions import Fraction

import pyarrow as pa
import pytest

from golden.answer import (
    answer,
    full_answer,
    nan_count,
    row_types,
    start_and_late,
)
from golden.comparison import first_difference
from golden.generate.disorder import disorder
from golden.tuples import Tuples, arrow_type
from golden.windows import SHORT
from query.aggregate import Aggregate, Function, Item
from query.parser import parse
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, UInt
from query.window import Range, Rows, WholeStream
from tb.golden import reference

pytestmark = pytest.mark.spark

T, T64, N = Column("t", Int(32)), Column("t64", UInt(64)), Column("n", Int(16))
U, V, X = Column("u", UInt(64)), Column("v", Int(64)), Column("x", Fixed(8, 24))
F, D, S, G = (
    Column("f", Float()),
    Column("d", Double()),
    Column("s", String(3)),
    Column("g", UInt(8)),
)
SCHEMA = Schema("S", (T, T64, N, U, V, X, F, D, S, G))
NUMBERS = (N, U, V, X, F, D)
KEYS = (G, S, N, F)
FLOATS = (0.0, -0.0, 1.5, -1.5, 0.1, 1e-30, 3e38, -3e38, math.inf, math.nan)


def item(function, column, fraction=None):
    name = f"{function} {column.name if column else '*'} {fraction or ''}".strip()
    return Item(Aggregate(function, column, name, fraction), name)


def random_value(rng, column, time):
    type_ = column.type
    if column.name in ("t", "t64"):
        return time
    if isinstance(type_, String):
        return rng.choice(["", "a", "ab", "b", "é", "z"])
    if isinstance(type_, Double):
        return rng.choice(FLOATS)
    if isinstance(type_, Float):
        return pa.scalar(rng.choice(FLOATS), pa.float32()).as_py()
    if rng.random() < 0.5:
        return rng.randrange(max(-2, type_.raw_min), 4)
    return rng.choice([type_.raw_min, type_.raw_max, rng.randint(type_.raw_min, type_.raw_max)])


def random_tuples(rng, columns, count):
    out, time = [], rng.randrange(100)
    for _ in range(count):
        time += rng.choice([0, 0, 1, 1, 2, 3, rng.randrange(30)])
        seen = max(0, time - rng.choice([0, 0, 0, 1, 4, 9, 20]))
        out.append({column.name: random_value(rng, column, seen) for column in columns})
    return out


def random_items(rng):
    chosen = [item(Function.COUNT, None)]
    for _ in range(rng.randrange(1, 5)):
        function = rng.choice([f for f in Function if f != Function.COUNT])
        p = Fraction(rng.randrange(1, 101), 100) if function == Function.PERCENTILE else None
        chosen.append(item(function, rng.choice(NUMBERS), p))
    return tuple({i.name: i for i in chosen}.values())


def random_where(rng, depth=0):
    if depth < 2 and rng.random() < 0.4:
        terms = tuple(random_where(rng, depth + 1) for _ in range(2))
        return rng.choice([And, Or])(terms)
    column = rng.choice([*NUMBERS, S, G])
    value = random_value(rng, column, 0)
    while value != value:
        value = random_value(rng, column, 0)
    text = value if isinstance(value, str) else repr(value)
    raw = column.type.parse(text) if column.type.floating or not column.type.numeric else value
    return Comparison(column, rng.choice(list(Op)), raw)


def random_window(rng, kind):
    size = rng.randrange(1, 13)
    if kind == "partition rows" and rng.random() < 0.5:
        size += SHORT  # beyond SHORT golden uses another plan
    slide = rng.randrange(1, size + 1)
    partition = rng.choice([G, S, N, F]) if kind.startswith("partition") else None
    if kind == "whole":
        return WholeStream()
    if kind.endswith("rows"):
        return Rows(size=size, slide=slide, partition=partition)
    time, slack = rng.choice([T, T64]), rng.choice([0, 0, 1, 3, 10])
    return Range(size=size, slide=slide, attribute=time, slack=slack, partition=partition)


def random_query(rng, kind):
    window = random_window(rng, kind)
    group = rng.choice(KEYS) if kind == "whole" else None
    if kind in ("rows", "range") and rng.random() < 0.5:
        group = rng.choice(KEYS)
    where = random_where(rng) if rng.random() < 0.3 else None
    return Query(schema=SCHEMA, items=random_items(rng), window=window, where=where, group=group)


def as_tuples(query, tuples):
    names = [(column.name, arrow_type(column.type)) for column in query.columns]
    columns = {name: pa.array([t[name] for t in tuples], kind) for name, kind in names}
    return Tuples(query.schema, pa.table(columns))


def as_rows(query, rows):
    return pa.table(
        {name: pa.array([row[name] for row in rows], kind) for name, kind in row_types(query)}
    )


def check(query, expected, actual, seed):
    difference = first_difference(as_rows(query, expected), actual)
    assert difference is None, f"seed {seed}: {query} {query.window}: {difference}"


def check_seeds(spark, kind, seeds):
    for seed in seeds:
        rng = random.Random(f"{kind} {seed}")
        query = random_query(rng, kind)
        count = rng.choice([0, 1, 5, 40, 80]) * (3 if kind == "partition rows" else 1)
        tuples = random_tuples(rng, SCHEMA.columns, count)
        start = rng.choice([None, None, -5, 20]) if kind.endswith("range") else None
        expected, _ = reference.run(query, tuples, start)
        check(query, expected, answer(query, spark, as_tuples(query, tuples), start), seed)


KINDS = pytest.mark.parametrize(
    "kind", ["whole", "rows", "partition rows", "range", "partition range"]
)


@KINDS
def test_random_queries(spark, kind):
    check_seeds(spark, kind, range(10))


@pytest.mark.regress
@KINDS
def test_many_random_queries(spark, kind):
    check_seeds(spark, kind, range(10, 110))


STREAM = "CREATE INPUT STREAM S (t int, k uint(8), x int, f float, d double); "


def rows_of(spark, text, tuples, start=None):
    """Returns the answer of a query over tuples (t, k, x, f, d), as tuples of values."""
    query = parse(STREAM + text)
    columns = dict(zip(query.schema.names, zip(*tuples, strict=True), strict=True))
    table = pa.table({c.name: pa.array(columns[c.name], arrow_type(c.type)) for c in query.columns})
    actual = answer(query, spark, Tuples(query.schema, table), start)
    return [tuple(row.values()) for row in actual.to_pylist()]


def at(*times, k=0, x=1):
    return [(t, k, x, 0.0, 0.0) for t in times]


def test_punctuation_makes_late_tuples_and_the_end_closes_all(spark):
    """The start is 0; after t=21 with slack 5 the punctuation is 10*floor(16/10) = 10."""
    text = "SELECT count(*), sum(x), min(x) FROM S [RANGE 20 SLIDE 10 WATTR t SLACK 5];"
    stream = at(7, 21) + at(9, x=100) + at(10, x=3) + at(47)
    assert rows_of(spark, text, stream) == [
        (0, 20, 2, 4, 1),  # 7 and 10: 9 was late
        (1, 30, 2, 4, 1),  # 21 and 10
        (2, 40, 1, 1, 1),  # 21
        (3, 50, 1, 1, 1),  # 47
        (4, 60, 1, 1, 1),  # starts at 40, closed by the end of the data at 47 + 20
    ]


def test_empty_time_windows_have_rows(spark):
    text = "SELECT count(*), sum(x), avg(x), count(distinct x) FROM S [RANGE 2 SLIDE 2 WATTR t];"
    assert rows_of(spark, text, at(4, 9)) == [
        (0, 6, 1, 1, 1, 1),
        (1, 8, 0, 0, None, 0),
        (2, 10, 1, 1, 1, 1),
    ]
    grouped = "SELECT k, count(*) FROM S [RANGE 2 SLIDE 2 WATTR t] GROUP BY k;"
    assert rows_of(spark, grouped, at(4, 9)) == [(0, 6, 0, 1), (2, 10, 0, 1)]


def test_start_is_rounded_down_below_zero(spark):
    text = "SELECT count(*) FROM S [RANGE 10 SLIDE 10 WATTR t SLACK 3];"
    assert rows_of(spark, text, at(1)) == [(0, 0, 0), (1, 10, 1)]  # 1 - 3 down to -10
    assert rows_of(spark, text, at(1), start=-5) == [(0, 5, 1)]
    assert rows_of(spark, text, at(1), start=5) == []


def test_partitioned_range_by_hand(spark):
    """Only tuples of key 1 close windows of key 1; the second tuple of key 1 at 3 is late."""
    text = "SELECT k, count(*) FROM S [PARTITION BY k RANGE 4 SLIDE 2 WATTR t];"
    stream = at(0, k=1) + at(3, k=1) + at(50, k=2) + at(6, k=1) + at(3, k=1) + at(4, k=1)
    assert rows_of(spark, text, stream) == [(0, 4, 1, 2), (1, 6, 1, 1)]
    # 4 is late, too: the tuple at 6 has closed the window [2, 6). Windows from [4, 8) on stay open.


def test_rows_by_hand(spark):
    stream = [(0, k, x, 0.0, 0.0) for k, x in [(1, 5), (2, -7), (1, 6), (1, -8), (2, 9), (1, 1)]]
    text = "SELECT max(x), avg(x) FROM S [ROWS 3 SLIDE 2];"
    assert rows_of(spark, text, stream) == [(0, 6, 1), (1, 9, 2)]
    text = "SELECT k, sum(x) FROM S [PARTITION BY k ROWS 2 SLIDE 1];"
    assert rows_of(spark, text, stream) == [(0, 1, 11), (1, 1, -2), (0, 2, 2), (2, 1, -7)]
    text = "SELECT k, sum(x) FROM S [ROWS 4 SLIDE 1] WHERE x > -8 GROUP BY k;"
    assert rows_of(spark, text, stream) == [(0, 1, 11), (0, 2, 2), (1, 1, 7), (1, 2, 2)]


def test_avg_is_cut_towards_zero_and_ranks_are_of_the_disc_kind(spark):
    stream = [(0, 0, x, 0.0, 0.0) for x in (-7, -4, 10, -10)]
    text = (
        "SELECT avg(x), median(x), percentile(x, 0.51), percentile(x, 1) FROM S [ROWS 4 SLIDE 1];"
    )
    assert rows_of(spark, text, stream) == [(0, -2, -7, -4, 10)]  # -11/4 = -2.75


def test_zeros_differ_and_nans_are_dropped(spark):
    stream = [(0, 0, 0, f, 0.0) for f in (0.0, math.nan, -0.0, math.nan)]
    text = "SELECT k, count(*), count(distinct f), min(f), max(f), sum(f) FROM S GROUP BY k;"
    row = rows_of(spark, text, stream)[0]
    assert row[:4] == (0, 0, 2, 2)
    assert [math.copysign(1, value) for value in row[4:]] == [-1, 1, 1]
    query = parse(STREAM + text)
    table = pa.table({"k": [0] * 4, "f": pa.array([f for *_, f, _ in stream], pa.float32())})
    assert nan_count(query, Tuples(query.schema, table)) == 2


def test_floats_are_added_in_order_of_arrival(spark):
    values = [1e16, 1.0, -1e16, 1.0]
    text = "SELECT k, sum(d), avg(d) FROM S GROUP BY k;"
    stream = [(0, 0, 0, 0.0, d) for d in values]
    assert rows_of(spark, text, stream) == [(0, 0, 1.0, 0.25)]
    assert rows_of(spark, text, stream[::-1]) == [(0, 0, 0.0, 0.0)]


@pytest.mark.parametrize("kind", ["range", "partition range"])
def test_late_tuples_are_counted(spark, kind):
    counts = []
    for seed in range(4):
        rng = random.Random(f"late {kind} {seed}")
        query = random_query(rng, kind)
        tuples = random_tuples(rng, SCHEMA.columns, 60)
        expected = reference.run(query, tuples)[1]
        assert start_and_late(query, spark, as_tuples(query, tuples))[1] == expected
        counts.append(expected)
    assert any(counts)


def test_bounded_disorder_has_no_late_tuple(spark):
    query = parse(
        "CREATE INPUT STREAM Trades (Symbol string(4), Price int, Volume int, Time int);"
        "SELECT count(*) FROM Trades [RANGE 600 SLIDE 60 WATTR Time SLACK 60 seconds];"
    )
    stream = disorder(2000, seed=9)
    tuples = Tuples(query.schema, stream.select(["Time"]))
    result = full_answer(query, spark, tuples)
    first = stream["Time"][0].as_py()
    assert (result.start, result.late) == ((first - 60) // 60 * 60, 0)
    check(query, reference.rows(query, stream.to_pylist()), result.rows, 9)


@pytest.mark.parametrize(
    ("window", "stream", "start_argument", "start", "late"),
    [
        # After 21 the punctuation is at 10, so 9 is late. The start is 7 - 5, rounded down to 0.
        ("RANGE 20 SLIDE 10 WATTR t SLACK 5", (7, 21, 9, 10, 47), None, 0, 1),
        ("RANGE 20 SLIDE 10 WATTR t SLACK 5", (7, 21, 9, 10, 47), 20, 20, 3),  # 7, 9 and 10
        ("RANGE 10 SLIDE 10 WATTR t SLACK 3", (1,), None, -10, 0),
        ("RANGE 10 SLIDE 10 WATTR t SLACK 3", (-9, -8), None, -20, 0),  # both of them pass
        ("RANGE 10 SLIDE 10 WATTR t", (), None, None, 0),
        ("RANGE 10 SLIDE 10 WATTR t", (), -7, -7, 0),
        ("PARTITION BY k RANGE 4 SLIDE 2 WATTR t", (0, 3, 6, 3, 4), None, 0, 2),
        ("PARTITION BY k RANGE 4 SLIDE 2 WATTR t", (), 5, 5, 0),
        ("ROWS 2 SLIDE 1", (7, 21, 9), None, None, 0),
    ],
)
def test_start_and_late_come_with_the_rows(spark, window, stream, start_argument, start, late):
    query = parse(STREAM + f"SELECT max(t) FROM S [{window}];")
    columns = {"t": stream, "k": [0] * len(stream)}
    table = pa.table({c.name: pa.array(columns[c.name], pa.int64()) for c in query.columns})
    tuples = Tuples(query.schema, table)
    result = full_answer(query, spark, tuples, start_argument)
    assert (result.start, result.late) == (start, late)
    assert result.rows.equals(answer(query, spark, tuples, start_argument))
