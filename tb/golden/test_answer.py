"""Checks golden answers by hand, and against `tb.golden.reference` on random queries."""

import math
import random

import pyarrow as pa
import pytest

from golden.answer import answer, full_answer, nan_count
from golden.generate.disorder import disorder
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from tb.golden import reference
from tb.golden.random_queries import SCHEMA, as_tuples, check, random_query, random_tuples

pytestmark = pytest.mark.spark


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


@pytest.mark.in_turn
@KINDS
def test_random_queries(spark, kind):
    check_seeds(spark, kind, range(6))


@pytest.mark.regress
@KINDS
def test_many_random_queries(spark, kind):
    check_seeds(spark, kind, range(6, 110))


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


@pytest.mark.in_turn
@pytest.mark.parametrize("kind", ["range", "partition range"])
def test_late_tuples_are_counted(spark, kind):
    counts = []
    for seed in range(4):
        rng = random.Random(f"late {kind} {seed}")
        query = random_query(rng, kind)
        tuples = random_tuples(rng, SCHEMA.columns, 60)
        expected = reference.run(query, tuples)[1]
        assert full_answer(query, spark, as_tuples(query, tuples)).late == expected
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


@pytest.mark.in_turn
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
    expected, _ = reference.run(query, table.to_pylist(), start_argument)
    check(query, expected, result.rows, 0)
