"""Checks golden with evicted keys against the loops of `tb.golden.reference`."""

import random

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.cache import key as cache_key
from golden.eviction_files import read, write
from golden.plans.lives import Evictions
from golden.plans.row_windows import SHORT
from golden.tuples import Tuples
from query.errors import UserError
from query.parser import parse
from query.query import Query
from query.window import Range, Rows
from tb.golden import reference
from tb.golden.random_evictions import evictions_of, random_evictions
from tb.golden.random_queries import (
    SCHEMA,
    F,
    G,
    N,
    S,
    T,
    U,
    as_tuples,
    check,
    random_items,
    random_tuples,
    random_where,
)

KEYS = {"uint8": G, "int16": N, "uint64": U, "string": S, "float": F}


def random_window(rng, kind, partition):
    if kind == "range":
        size = rng.randrange(3, 40)
        slide = rng.randrange(1, size + 1)
        return Range(size=size, slide=slide, attribute=T, slack=0, partition=partition)
    if kind == "rows by panes":
        slide = rng.randrange(5, 8)
        return Rows(size=slide * (SHORT // slide + 1), slide=slide, partition=partition)
    size = rng.randrange(1, 6) if kind == "short rows" else rng.randrange(SHORT + 1, SHORT + 5)
    return Rows(size=size, slide=rng.randrange(1, min(size, 3) + 1), partition=partition)


def check_stream(spark, kind, name, seed):
    """Checks 400 tuples of few keys; returns the row count, and True if evictions matter."""
    rng = random.Random(f"{kind} {name} {seed}")
    column = KEYS[name]
    predicate = random_where(rng) if rng.random() < 0.4 else None
    query = Query(
        schema=SCHEMA,
        items=random_items(rng),
        window=random_window(rng, kind, column),
        where=predicate,
        group=None,
    )
    tuples = random_tuples(rng, SCHEMA.columns, 400)
    keys = [t[column.name] for t in tuples[:2]] + [t[column.name] for t in tuples[-2:]]
    if name == "float":
        keys = [0.0, -0.0, float("nan")]
    tuples = [t | {column.name: rng.choice(keys)} for t in tuples]
    if sum(reference.arrives(query, t) for t in tuples) < 30:
        query = Query(schema=SCHEMA, items=query.items, window=query.window, where=None, group=None)
    pairs = random_evictions(rng, query, tuples)
    start = rng.choice([None, 20]) if kind == "range" else None
    expected, late = reference.run(query, tuples, start, pairs)
    result = full_answer(query, spark, as_tuples(query, tuples), start, evictions_of(query, pairs))
    check(query, expected, result.rows, seed)
    assert result.late == late
    return len(expected), reference.run(query, tuples, start) != (expected, late)


TRIED = {
    "short rows": ("string", "float"),
    "rows": ("float",),
    "rows by panes": ("uint64", "string"),
    "range": ("int16", "string", "float"),
}


@pytest.mark.in_turn
@pytest.mark.spark
@pytest.mark.parametrize("kind", TRIED)
def test_random_evictions(spark, kind):
    results = [check_stream(spark, kind, name, 0) for name in TRIED[kind]]
    assert sum(rows for rows, _ in results) > 30
    assert all(changed for _, changed in results)


@pytest.mark.spark
@pytest.mark.regress
@pytest.mark.parametrize("kind", TRIED)
def test_many_random_evictions(spark, kind):
    for seed in range(1, 25):
        for name in KEYS:
            check_stream(spark, kind, name, seed)


STREAM = "CREATE INPUT STREAM S (t int, k uint(8), x int); "


def answered(spark, window, stream, evictions, start=None):
    """Returns rows and late tuples of a stream of (t, k, x)."""
    query = parse(STREAM + f"SELECT k, sum(x) FROM S [PARTITION BY k {window}] WHERE x > 0;")
    columns = zip(query.schema.names, zip(*stream, strict=True), strict=True)
    table = pa.table({name: pa.array(column, pa.int64()) for name, column in columns})
    tuples = Tuples(query.schema, table.select([c.name for c in query.columns]))
    result = full_answer(query, spark, tuples, start, Evictions.from_values(query, *evictions))
    return [tuple(row.values()) for row in result.rows.to_pylist()], result.late


@pytest.mark.spark
def test_rows_by_hand(spark):
    """The stream is the example of `golden.plans.lives`, after a tuple that WHERE drops."""
    keys = (5, 5, 5, 5, 9, 5, 9, 5)
    stream = [(0, k, x) for k, x in zip(keys, range(8), strict=True)]
    rows = [(0, 5, 3), (0, 9, 10), (0, 5, 12)]
    assert answered(spark, "ROWS 2 SLIDE 2", stream, ([5], [3])) == (rows, 0)
    rows = [(0, 5, 3), (1, 5, 8), (0, 9, 10)]  # an eviction after the last tuple of key 5
    assert answered(spark, "ROWS 2 SLIDE 2", stream, ([5], [5])) == (rows, 0)


@pytest.mark.in_turn
@pytest.mark.spark
def test_range_by_hand(spark):
    """The windows are [0, 4), [4, 8), ...: key 1 closes the first at 5, and key 2 evicts key 1.

    The next tuple of key 1, at 3, is not late, since the key is new. The open window [4, 8) is lost
    with its 20. The tuple at 9 then closes [0, 4) a second time, and [4, 8), which is empty.
    """
    stream = [(0, 1, 10), (5, 1, 20), (6, 2, 1), (3, 1, 30), (9, 1, 40), (3, 1, 50)]
    window = "RANGE 4 SLIDE 4 WATTR t"
    assert answered(spark, window, stream, ([1], [2])) == ([(0, 4, 1, 10), (0, 4, 1, 30)], 1)
    assert answered(spark, window, stream, ([], [])) == ([(0, 4, 1, 10), (1, 8, 1, 20)], 2)


BODY = "SELECT k, sum(x) FROM S [PARTITION BY k ROWS 2 SLIDE 2];"
QUERY = parse(STREAM + BODY)


@pytest.mark.spark
def test_bad_evictions_are_refused(spark):
    table = pa.table({"k": pa.array([1, 2, 1], pa.int64()), "x": pa.array([1, 2, 3], pa.int64())})
    tuples = Tuples(QUERY.schema, table)
    with pytest.raises(UserError, match="by arrival 3, and only 3 tuples arrive"):
        full_answer(QUERY, spark, tuples, None, Evictions.from_values(QUERY, [1], [3]))
    full_answer(QUERY, spark, tuples, None, Evictions.from_values(QUERY, [1], [2]))
    unpartitioned = parse(STREAM + "SELECT sum(x) FROM S [ROWS 2 SLIDE 2];")
    with pytest.raises(UserError, match="only keys of PARTITION BY are evicted"):
        full_answer(unpartitioned, spark, tuples, None, Evictions.from_values(QUERY, [], []))


@pytest.mark.parametrize(
    ("keys", "arrivals", "message"),
    [
        ([1, 2], [4, 4], "arrival must be greater than the one before, not 4 after 4"),
        ([1, 2, 3], [4, 6, 5], "arrival must be greater than the one before, not 5 after 6"),
        ([1], [-1], "arrival must be at least 0, not -1"),
        ([1, None], [0, 1], "key: there is no value"),
        ([1], [None], "arrival: there is no value"),
        ([1, 2, None], [4, 4, 5], "arrival must be greater than the one before, not 4 after 4"),
        ([1, None, 2], [4, 5, 5], "key: there is no value"),
    ],
)
def test_invalid_evictions(keys, arrivals, message):
    with pytest.raises(ValueError, match=message):
        Evictions.from_values(QUERY, keys, arrivals)


def test_columns_of_another_type():
    table = pa.table({"key": pa.array(["a"]), "arrival": pa.array([1], pa.int64())})
    with pytest.raises(TypeError, match="must be key int64, arrival int64, not key string, arr"):
        Evictions(QUERY.partition, table)


def test_nan_is_no_key():
    query = parse(STREAM.replace("uint(8)", "float") + BODY)
    with pytest.raises(ValueError, match="key: nan is no key"):
        Evictions.from_values(query, [1.0, float("nan")], [1, 2])


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("type_", "keys", "shown"),
    [
        ("int(9)", [-256, 255], ["-256", "255"]),
        ("uint(64)", [(1 << 64) - 1, 0], [str((1 << 64) - 1), "0"]),
        ("fixed(4,4)", [-128, 1], ["-8", "0.0625"]),
        ("string(3)", ["a,b", "é", ""], ['"a,b"', "é", '""']),
        ("float", [-0.0, 0.0, float("inf"), 0.5], ["-0.0", "0.0", "inf", "0.5"]),
    ],
)
def test_files(tmp_path, suffix, type_, keys, shown):
    query = parse(STREAM.replace("uint(8)", type_) + BODY)
    path, arrivals = tmp_path / f"gone{suffix}", [3 * n for n in range(len(keys))]
    evictions = Evictions.from_values(query, keys, arrivals)
    write(evictions, path)
    if suffix == ".csv":
        lines = [f"{key},{n}" for key, n in zip(shown, arrivals, strict=True)]
        assert path.read_text().splitlines() == ["key,arrival", *lines]
    again = read(path.rename(path.with_suffix(".PQ")) if suffix == ".parquet" else path, query)
    assert again.table.equals(evictions.table)
    assert [str(key) for key in again.table["key"]] == [str(key) for key in evictions.table["key"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key,arrival\n1,2\n256,3\n", r"gone.csv:3: key: 256 does not fit uint\(8\)"),
        ("key,arrival\n1,2\nx,3\n", r"gone.csv:3: key: .*x"),
        ("key,arrival\n1,-2\n", r"gone.csv:2: arrival: -2 does not fit uint\(63\)"),
        ("key,arrival\n1,5\n2,5\n", "gone.csv:3: arrival must be greater .* 5 after 5"),
        ("key,arrival\n1,5\n\n2,4\n", "gone.csv:4: arrival must be greater .* 4 after 5"),
        ("key\n1\n", "gone.csv: there is no column arrival"),
        ("", "gone.csv:1: there is no line of column names"),
    ],
)
def test_bad_files(tmp_path, text, message):
    path = tmp_path / "gone.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read(path, QUERY)


def test_files_of_a_query_without_keys(tmp_path):
    query = parse(STREAM + "SELECT k, sum(x) FROM S GROUP BY k;")
    with pytest.raises(UserError, match="the query has none"):
        read(tmp_path / "gone.csv", query)


def test_the_cache_distinguishes_evictions():
    table = pa.table({"k": pa.array([1, 2], pa.int64()), "x": pa.array([1, 2], pa.int64())})
    tuples = Tuples(QUERY.schema, table)
    pairs = [([], []), ([1], [0]), ([1], [1]), ([2], [0]), ([1, 1], [0, 1])]
    keys = [cache_key(QUERY, tuples, None, Evictions.from_values(QUERY, *each)) for each in pairs]
    assert len(set(keys)) == len(keys)
    assert keys[0] == cache_key(QUERY, tuples)
