"""Tests which tuples pass NaN and WHERE, by hand and by PySpark."""

import random
from dataclasses import replace

import pyarrow as pa
import pytest
from pyspark.sql import functions as fn

from gen.prediction.selected_tuples import filtered_count, passing, raw_columns
from golden.plans.predicate import condition
from golden.spark.session import session
from golden.tuples import Tuples, arrow_type
from golden.values.carry import carried
from query.parser import parse
from query.predicate import And, Comparison, Op, Or

SCHEMA = (
    "CREATE INPUT STREAM S (f float, d double, i int(64), u uint(64), x fixed(4,4), s string(3), "
    "long string(20)); "
)
SELECT = "SELECT " + ", ".join(f"max({c})" for c in "fdiux") + " FROM S [ROWS 1 SLIDE 1]"
NAN = float("nan")
COLUMNS = {
    "f": [0.0, -0.0, 1.5, float("inf"), -float("inf"), 1e-45, -2.5],
    "d": [-0.0, 0.0, -1e300, 5e-324, float("inf"), 7.25, -7.25],
    "i": [0, -1, -(1 << 63), (1 << 63) - 1, 5, -5, 1],
    "u": [0, 1, 1 << 63, (1 << 64) - 1, (1 << 63) - 1, 7, 8],
    "x": [-128, 127, 0, 1, -1, 16, -16],
    "s": ["", "a", "ab", "abc", "b", "é", "Z"],
    "long": ["", "abcdefghi", "abcdefgh", "b", "abcdefghij", "z" * 20, "é" * 10],
}


def tuples_of(query, columns):
    arrays = {
        c.name: pa.array(columns[c.name]).cast(arrow_type(c.type))
        if c.name != "u"
        else pa.array([int(v) for v in columns["u"]], pa.uint64()).cast(pa.decimal128(20, 0))
        for c in query.columns
    }
    return Tuples(query.schema, pa.table(arrays))


def passes(where, columns):
    query = parse(f"{SCHEMA}{SELECT} WHERE {where};" if where else f"{SCHEMA}{SELECT};")
    tuples = tuples_of(query, columns)
    result = passing(query, raw_columns(query, tuples))
    return result.tolist(), filtered_count(query, tuples)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (None, [1, 1, 1, 1, 1, 1, 1]),
        ("f >= 0", [1, 0, 1, 1, 0, 1, 0]),  # -0 is below +0
        ("d = -0.0", [1, 0, 0, 0, 0, 0, 0]),
        ("d < 0", [1, 0, 1, 0, 0, 0, 1]),
        ("i <= -1", [0, 1, 1, 0, 0, 1, 0]),
        ("u > 9223372036854775807", [0, 0, 1, 1, 0, 0, 0]),
        ("x != 1 AND x > -8", [0, 1, 1, 1, 1, 0, 1]),  # 1 is 16 / 16, -8 is -128 / 16
        ('s < "ab"', [1, 1, 0, 0, 0, 0, 1]),
        ('long > "abcdefgh" AND long <= "b"', [0, 1, 0, 1, 1, 0, 0]),
        ('i = 5 OR u = 1 AND s = "a"', [0, 1, 0, 0, 1, 0, 0]),
        ('(i = 5 OR u = 1) AND s = "a"', [0, 1, 0, 0, 0, 0, 0]),
    ],
)
def test_where_by_hand(where, expected):
    assert passes(where, COLUMNS) == (list(map(bool, expected)), 7 - sum(expected))


def test_a_nan_is_out_before_where_and_is_not_filtered():
    columns = COLUMNS | {"f": [0.0, NAN, 1.0, NAN, 1.0, 1.0, 1.0], "d": [1.0] * 6 + [-NAN]}
    result, filtered = passes("i <= 0", columns)
    assert result == [True, False, True, False, False, True, False]
    assert filtered == 1  # the 5; the other three have a NaN
    assert passes(None, columns) == ([True, False, True, False, True, True, False], 0)


def test_no_tuples():
    assert passes("i <= 0", {name: [] for name in COLUMNS}) == ([], 0)


def random_where(rng, schema, depth=0):
    if depth < 2 and rng.random() < 0.5:
        terms = tuple(random_where(rng, schema, depth + 1) for _ in range(rng.randrange(2, 4)))
        return rng.choice([And, Or])(terms)
    column = rng.choice(schema.columns)
    value = rng.choice(COLUMNS[column.name])
    raw = value if isinstance(value, int) else column.type.parse(str(value))
    return Comparison(column, rng.choice(list(Op)), raw)


@pytest.mark.spark
def test_where_as_pyspark_has_it():
    rng = random.Random(20240611)
    columns = {name: [rng.choice(values) for _ in range(200)] for name, values in COLUMNS.items()}
    query = parse(f'{SCHEMA}{SELECT} WHERE s = "a" AND long = "b";')
    tuples = tuples_of(query, columns)
    wheres = [random_where(rng, query.schema) for _ in range(40)]
    df = session("local[*]").createDataFrame(carried(query, tuples))
    named = {name: fn.col(name) for name in query.schema.names}
    printed = [condition(where, named).alias(str(k)) for k, where in enumerate(wheres)]
    expected = df.select(*printed).toArrow()
    raws = raw_columns(query, tuples)
    for k, where in enumerate(wheres):
        result = passing(replace(query, where=where), raws)
        assert result.tolist() == expected[str(k)].to_pylist(), str(where)
    counts = [sum(expected[str(k)].to_pylist()) for k in range(len(wheres))]
    assert len(set(counts)) > 10
