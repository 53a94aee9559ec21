"""Rows over tables of every kind: equal to the plain reference, and of the same kind."""

import random
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sluice
from golden.tuples import Tuples
from tb.golden import reference

SCHEMA = "CREATE INPUT STREAM S (k string(4), x fixed(4,4), t uint(16));"
GROUPS = SCHEMA + "SELECT k, sum(x) AS s, count(*) AS n FROM S GROUP BY k;"
TIMES = SCHEMA + "SELECT max(x) AS m, count(*) AS n FROM S [RANGE 40 SLIDE 20 WATTR t];"
MASTER = "local[2]"


def columns(count, seed=5):
    """Returns columns as a user has them, with numbers that fixed point rounds."""
    rng = random.Random(seed)
    return {
        "t": [n * 3 + rng.randrange(30) for n in range(count)],
        "k": [rng.choice(("a", "bb", "")) for _ in range(count)],
        "x": [rng.randrange(-256, 256) / 64 for _ in range(count)],
    }


def expected(query, table):
    """Returns the rows of the reference: fixed point is rounded to even, 16 raw units are 1."""
    tuples = [
        {"k": k, "x": round(x * 16), "t": t}
        for t, k, x in zip(table["t"], table["k"], table["x"], strict=True)
    ]
    rows = reference.rows(query, tuples)
    for row in rows:
        for name in {"s", "m"} & row.keys():
            row[name] = None if row[name] is None else Decimal(row[name]) / 16
    return rows


@pytest.mark.spark
@pytest.mark.parametrize("text", [GROUPS, TIMES])
def test_every_kind_of_table(text, cache):
    query, table = sluice.parse(text), columns(60)
    rows = expected(query, table)
    kinds = {
        dict: lambda found: pa.table(found).to_pylist(),
        pa.Table: lambda found: found.to_pylist(),
        pd.DataFrame: lambda found: pa.Table.from_pandas(found).to_pylist(),
        pl.DataFrame: lambda found: found.to_dicts(),
    }
    tables = [table, pa.table(table), pd.DataFrame(table), pl.DataFrame(table)]
    for given, (kind, plain) in zip(tables, kinds.items(), strict=True):
        found = sluice.answer(query, given, master=MASTER, cache=cache)
        assert isinstance(found, kind)
        assert plain(found) == rows


@pytest.mark.spark
def test_a_frame_of_spark(spark, cache):
    query, table = sluice.parse(TIMES), columns(60)
    number = list(range(60))
    random.Random(1).shuffle(number)
    shuffled = {name: [values[n] for n in number] for name, values in table.items()}
    frame = spark.createDataFrame(pa.table(shuffled | {"number": number}))
    found = sluice.answer(query, frame.repartition(3), order="number", master=MASTER, cache=cache)
    assert found.sparkSession is spark
    assert found.toArrow().to_pylist() == expected(query, table)


@pytest.mark.spark
def test_a_file_and_the_start(tmp_path, cache):
    query, table = sluice.parse(TIMES), columns(40)
    path = tmp_path / "data.parquet"
    pl.DataFrame(table).write_parquet(path)
    rows = sluice.answer(query, path, master=MASTER, cache=cache)
    assert rows.to_pylist() == expected(query, table)
    early = sluice.answer(query, str(path), start=2, master=MASTER, cache=cache)
    assert early["window_end"][0].as_py() == 42


def test_tuples_are_raw_values():
    query = sluice.parse(TIMES)
    tuples = sluice.tuples(query, {"k": ["a"], "x": [0.53125], "t": [7], "more": [None]})
    assert tuples.table.to_pylist() == [{"x": 8, "t": 7}]  # 8.5 is rounded to even
    assert sluice.tuples(query, tuples) is tuples
    assert isinstance(tuples, Tuples)


def test_order():
    table = columns(9) | {"n": [3, 1, 2, 9, 8, 7, 4, 6, 5]}
    ordered = sluice.tuples(sluice.parse(TIMES), table, order="n").table["t"].to_pylist()
    assert ordered == [t for _, t in sorted(zip(table["n"], table["t"], strict=True))]


@pytest.mark.parametrize(
    ("table", "order", "message"),
    [
        ({"k": ["a"], "x": [1]}, None, "the dict: there is no column t, only: k, x"),
        ({"k": ["a"] * 2, "x": [1, 9], "t": [1, 2]}, None, "the dict:2: x: "),
        ({"k": ["a"] * 2, "x": [1, 1], "t": [1, None]}, None, "the dict:2: t: there is no value"),
        ({"k": ["a"], "x": [1], "t": [1]}, "n", "order: there is no column n, only: k, x, t"),
        ({"k": ["a"] * 2, "x": [1, 1], "t": [4, 4]}, "t", "order: t has equal values"),
        ({"k": ["a"] * 2, "x": [1, 1], "t": [4, None]}, "t", "order: t has 1 rows without a value"),
        ("data.csv", "t", "order is for tables"),
        ("data.csv", None, "data.csv: there is no such file"),
    ],
)
def test_mistakes(table, order, message):
    with pytest.raises(sluice.UserError) as caught:
        sluice.tuples(sluice.parse(TIMES), table, order=order)
    assert str(caught.value).startswith(message)
