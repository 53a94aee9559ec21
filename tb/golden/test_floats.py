"""Checks that -0 and +0 are two values, in every comparison, key and set of Spark."""

import math
import random
import struct
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from golden.aggregates.avg import Avg
from golden.answer import answer
from golden.tuples import Tuples, arrow_type
from golden.values.carry import extremes, place
from query.parser import parse
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.types import Double, Float
from tb.golden import reference

SCHEMA = "CREATE INPUT STREAM S (n int, f float, d double, x int); "
TINY = {"f": 2.0**-149, "d": 5e-324}


def values(name):
    """Returns floats of each kind and sign for one column."""
    return [-math.inf, -1.0, -TINY[name], -0.0, 0.0, TINY[name], 1.0, math.inf]


def stream(query, rows):
    """Returns the tuples of rows that are dicts."""
    columns = {
        c.name: pa.array([r[c.name] for r in rows], arrow_type(c.type)) for c in query.columns
    }
    return Tuples(query.schema, pa.table(columns))


def passed(spark, where, rows):
    """Returns the numbers n of the rows that pass a WHERE, which is a text or a predicate."""
    query = parse(f"{SCHEMA}SELECT n, count(*) FROM S GROUP BY n;")
    if isinstance(where, str):
        where = parse(f"{SCHEMA}SELECT n, count(*) FROM S WHERE {where} GROUP BY n;").where
    query = Query(
        schema=query.schema, items=query.items, window=query.window, where=where, group=query.group
    )
    return answer(query, spark, stream(query, rows))["n"].to_pylist()


def all_pairs():
    """Returns rows with every pair of values of f and d; n counts the rows."""
    pairs = [(f, d) for f in values("f") for d in values("d")]
    return [{"n": n, "f": f, "d": d, "x": n} for n, (f, d) in enumerate(pairs)]


@pytest.mark.spark
@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("f = 0 OR f = -0.0", [3, 4]),
        ("f != 0 AND f != -0.0", [0, 1, 2, 5, 6, 7]),
        ("f >= 0 AND f > -0.0", [4, 5, 6, 7]),
        ("f <= -0.0 OR f < 0", [0, 1, 2, 3]),
        ("f >= -0.0 AND f <= -0.0", [3]),
        ("f > -0.0 AND f < TINY", [4]),
        ("f = 0 OR f = -0.0 OR f = 1 OR f = -1", [1, 3, 4, 6]),
    ],
)
@pytest.mark.parametrize("name", ["f", "d"])
def test_zeros_in_where_by_hand(spark, name, where, expected):
    rows = [{"n": n, "f": value, "d": value, "x": 0} for n, value in enumerate(values(name))]
    where = where.replace("f ", f"{name} ").replace("TINY", str(TINY[name]))
    assert passed(spark, where, rows) == expected


def random_tree(rng, schema, depth=0):
    if depth < 3 and rng.random() < 0.7:
        terms = tuple(random_tree(rng, schema, depth + 1) for _ in range(rng.randrange(2, 4)))
        return rng.choice([And, Or])(terms)
    column = schema[rng.choice("fd")]
    value = rng.choice([0.0, -0.0, rng.choice(values(column.name))])
    return Comparison(column, rng.choice(list(Op)), column.type.parse(repr(value)))


@pytest.mark.spark
@pytest.mark.parametrize("seed", range(12))
def test_random_trees(spark, seed):
    rng = random.Random(f"trees {seed}")
    schema = parse(f"{SCHEMA}SELECT n, count(*) FROM S GROUP BY n;").schema
    where = random_tree(rng, schema)
    rows = [*all_pairs(), {"n": 64, "f": math.nan, "d": 0.0, "x": 0}]
    rng.shuffle(rows)
    used = {leaf for leaf in "fd" if f"{leaf} " in str(where)}
    expected = sorted(
        row["n"]
        for row in rows
        if not any(math.isnan(row[name]) for name in used) and reference.passes(where, row)
    )
    assert passed(spark, where, rows) == expected, str(where)


def bits(rows):
    """Returns rows with the bits of each float, because -0 equals +0 as a number."""
    return [
        tuple(struct.pack(">d", v).hex() if isinstance(v, float) else v for v in row.values())
        for row in rows
    ]


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    "text",
    [
        "SELECT f, count(*), min(d), max(d), count(distinct d), median(d) FROM S GROUP BY f",
        "SELECT f, count(*), sum(f), avg(f), max(f) FROM S [ROWS 24 SLIDE 8] GROUP BY f",
        "SELECT d, count(*), min(f), sum(d) FROM S [PARTITION BY d ROWS 3 SLIDE 2]",
        "SELECT f, percentile(d, 0.4), count(distinct f) FROM S [PARTITION BY f ROWS 20 SLIDE 1]",
        "SELECT d, count(*), min(f) FROM S [PARTITION BY d RANGE 20 SLIDE 10 WATTR x]",
        "SELECT count(distinct f), min(f), max(d), sum(d) FROM S [RANGE 9 SLIDE 9 WATTR x]",
        "SELECT f, count(distinct d), avg(d) FROM S [RANGE 20 SLIDE 10 WATTR x] GROUP BY f",
    ],
)
def test_zeros_in_keys_and_aggregates(spark, text):
    query = parse(f"{SCHEMA}{text};")
    rng = random.Random(text)
    rows = [
        {"n": n, "f": rng.choice([0.0, -0.0, 1.0]), "d": rng.choice([0.0, -0.0, -5e-324]), "x": n}
        for n in range(150)
    ]
    assert bits(answer(query, spark, stream(query, rows)).to_pylist()) == bits(
        reference.rows(query, rows)
    )


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize(
    "text",
    [
        "SELECT k, sum(f), sum(d), avg(f) FROM S [PARTITION BY k ROWS 13 SLIDE 1]",
        "SELECT k, sum(f), avg(d), count(*) FROM S [PARTITION BY k ROWS 42 SLIDE 21]",
        "SELECT k, sum(f), avg(d) FROM S [PARTITION BY k RANGE 40 SLIDE 10 WATTR x]",
    ],
)
def test_windows_of_keys_add_in_a_tree(spark, text):
    """The queries have frames, panes and time windows; late tuples have no number."""
    query, rng = parse(f"{SCHEMA.replace('n int', 'k int, n int')}{text};"), random.Random(text)
    rows = [
        {"n": n, "x": n - rng.choice((0, 0, 0, 9, 70)), "k": rng.choice((1, 2, 2))}
        | {name: float(np.float32(rng.uniform(-2, 1e4))) for name in "fd"}
        for n in range(300)
    ]
    for row in rows[90:100]:
        row["f"] = rng.choice((math.inf, -math.inf, 1.0))
    expected = [
        {name: math.nan if value != value else value for name, value in row.items()}
        for row in reference.rows(query, rows)
    ]
    assert len(expected) > 9
    assert bits(answer(query, spark, stream(query, rows)).to_pylist()) == bits(expected)


@pytest.mark.parametrize("type_", [Float(), Double()], ids=str)
def test_places_ascend_with_total_order(type_):
    """Checks IEEE-754's -inf < -1 < -tiny < -0 < +0 < tiny < 1 < inf, with NaNs outside."""
    places = [place(type_.parse(repr(v)), type_) for v in values("fd"[type_ == Double()])]
    assert places == sorted(set(places))
    assert (places[3], places[4]) == (-1, 0)
    assert extremes(type_) == (places[0], places[-1])
    quiet = type_.parse("nan")
    sign = 1 << (type_.width - 1)
    assert place(quiet, type_) > places[-1]
    assert place(quiet | sign, type_) < places[0]


@pytest.mark.parametrize("count", [3, (1 << 24) - 1, (1 << 24) + 1, (1 << 25) + 3, 123_456_789])
def test_an_average_is_the_quotient_by_the_exact_count(spark, count):
    """A count above 2^24 need not be a number of binary32. Numpy rounds the quotients of fractions.

    The group has one value, of which the state is a list; its count is set by hand.
    """
    (item,) = parse(f"{SCHEMA}SELECT n, avg(f) FROM S GROUP BY n;").items
    average = Avg(item.aggregate, "a")
    total = float(1 << 24)
    state = spark.createDataFrame(
        [([(1, total)], count)], "a_sum array<struct<n: long, x: float>>, a_count long"
    )
    (row,) = state.select(average.lower().alias("average")).collect()
    exact = Fraction(1 << 24, count)
    nearest = np.float32(total / count)
    neighbours = [np.nextafter(nearest, np.float32(bound)) for bound in (0, np.inf)]
    assert row.average == min([nearest, *neighbours], key=lambda x: abs(Fraction(float(x)) - exact))
