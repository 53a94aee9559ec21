"""Rows over tables of every kind: equal to the plain reference, and of the same kind."""

import random
from decimal import Decimal

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as fn

import sluice
from golden.tuples import Tuples
from tb.golden import reference

SCHEMA = "CREATE INPUT STREAM S (k string(4), x fixed(4,4), t uint(16));"
GROUPS = SCHEMA + "SELECT k, sum(x) AS s, count(*) AS n FROM S GROUP BY k;"
TIMES = SCHEMA + "SELECT max(x) AS m, count(*) AS n FROM S [RANGE 40 SLIDE 20 WATTR t];"
MASTER = "local[2]"


def columns(count, seed=5):
    """Returns random columns; fixed point rounds some of the numbers x."""
    rng = random.Random(seed)
    return {
        "t": [n * 3 + rng.randrange(30) for n in range(count)],
        "k": [rng.choice(("a", "bb", "")) for _ in range(count)],
        "x": [rng.randrange(-256, 256) / 64 for _ in range(count)],
    }


def expected(query, table, start=None):
    """Returns the rows of the reference: fixed point is rounded to even, 16 raw units are 1."""
    tuples = [
        {"k": k, "x": round(x * 16), "t": t}
        for t, k, x in zip(table["t"], table["k"], table["x"], strict=True)
    ]
    rows = reference.rows(query, tuples, start)
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
        dict: lambda actual: pa.table(actual).to_pylist(),
        pa.Table: lambda actual: actual.to_pylist(),
        pd.DataFrame: lambda actual: pa.Table.from_pandas(actual).to_pylist(),
        pl.DataFrame: lambda actual: actual.to_dicts(),
    }
    tables = [table, pa.table(table), pd.DataFrame(table), pl.DataFrame(table)]
    for input_table, (kind, plain) in zip(tables, kinds.items(), strict=True):
        actual = sluice.answer(query, input_table, master=MASTER, cache=cache)
        assert isinstance(actual, kind)
        assert plain(actual) == rows


@pytest.mark.in_turn
@pytest.mark.spark
def test_a_frame_of_spark(spark, cache):
    query, table = sluice.parse(TIMES), columns(60)
    number = list(range(60))
    random.Random(1).shuffle(number)
    shuffled = {name: [values[n] for n in number] for name, values in table.items()}
    frame = spark.createDataFrame(pa.table(shuffled | {"number": number}))
    frame, arguments = frame.repartition(3), {"order": "number", "master": MASTER, "cache": cache}
    actual = sluice.answer(query, frame, **arguments)
    assert actual.sparkSession is spark
    rows = expected(query, table)
    assert actual.toArrow().to_pylist() == rows
    later = sluice.answer(query, frame, start=7, **arguments)
    assert later.toArrow().to_pylist() == expected(query, table, 7) != rows


NUMBERS = "CREATE INPUT STREAM S (n int, x int); SELECT max(x) AS x FROM S [ROWS 1 SLIDE 1];"


def arrivals_of(frame, order=None):
    """Returns x in the order of `sluice.answer`, whose rows are single tuples, and of `tuples`."""
    query = sluice.parse(NUMBERS)
    rows = sluice.answer(query, frame, order=order).toArrow()["x"].to_pylist()
    return rows, sluice.tuples(query, frame, order=order).table["x"].to_pylist()


def refusals(frame, order=None):
    """Returns the messages of `sluice.answer` and `sluice.tuples`, which refuse the frame."""
    messages = []
    for function in (sluice.answer, sluice.tuples):
        with pytest.raises(sluice.UserError) as caught:
            function(sluice.parse(NUMBERS), frame, order=order)
        messages.append(str(caught.value))
    return messages


@pytest.fixture
def two_files(spark, tmp_path):
    """Writes x = 0..9 and x = 10..4999 to two files; Spark reads the second, larger file first."""
    for name, values in (("a", range(10)), ("b", range(10, 5000))):
        table = pa.table({"n": [-x for x in values], "x": list(values)})
        pq.write_table(table, tmp_path / f"{name}.parquet")
    frame = spark.read.parquet(str(tmp_path / "b.parquet"), str(tmp_path / "a.parquet"))
    assert frame.toArrow()["x"][0].as_py() == 10
    return frame


@pytest.mark.in_turn
@pytest.mark.spark
def test_both_functions_take_the_files_by_their_paths(two_files):
    expected = list(range(5000))
    assert arrivals_of(two_files) == (expected, expected)
    backwards = [*reversed(expected)]
    assert arrivals_of(two_files.repartition(3), order="n") == (backwards, backwards)


@pytest.mark.spark
def test_special_characters_in_the_paths(spark, tmp_path):
    """Spark gives a path as in a URL, where a blank is %20 and follows an exclamation mark."""
    for name, number in [("a b", 0), ("a!b", 1), ("a#b", 2), ("aéb", 3)]:
        pq.write_table(pa.table({"n": [0], "x": [number]}), tmp_path / f"{name}.parquet")
    assert arrivals_of(spark.read.parquet(str(tmp_path))) == ([0, 1, 2, 3],) * 2


@pytest.mark.spark
def test_both_functions_refuse_an_unknown_order(spark, two_files, capfd):
    """A union, which Spark collects in any case, has no order, and rows in memory neither."""
    in_memory = spark.createDataFrame([(1, 5), (2, 7)], "n int, x int")
    for frame in (two_files.unionAll(two_files), in_memory, two_files.repartition(2)):
        [message, other] = refusals(frame)
        assert message == other
        assert message.startswith("the order of arrival is unknown, because the tuples are not ")
    [message, other] = refusals(in_memory, "time")
    assert message == other == "order: there is no column time, only: n, x"
    groups = sluice.parse(GROUPS.replace("k string(4), x fixed(4,4), t uint(16)", "k int, x int"))
    keyed = in_memory.withColumnRenamed("n", "k")
    assert sluice.tuples(groups, keyed).table.to_pylist() == [{"k": 1, "x": 5}, {"k": 2, "x": 7}]
    assert capfd.readouterr() == ("", "")


@pytest.mark.spark
def test_two_rows_of_a_frame_with_the_same_number(spark):
    frame = spark.createDataFrame([(1, 5), (1, 7)], "n int, x int")
    with pytest.raises(sluice.UserError) as caught:
        sluice.tuples(sluice.parse(NUMBERS), frame, order="n")
    message = "the DataFrame: two tuples have the value 1 in the column of the order"
    assert str(caught.value).startswith(message)


@pytest.mark.spark
def test_a_file_and_the_start(tmp_path, cache):
    query, table = sluice.parse(TIMES), columns(40)
    path = tmp_path / "data.parquet"
    pl.DataFrame(table).write_parquet(path)
    rows = sluice.answer(query, path, master=MASTER, cache=cache)
    assert rows.to_pylist() == expected(query, table)
    early = sluice.answer(query, str(path), start=2, master=MASTER, cache=cache)
    assert early["window_end"][0].as_py() == 42
    assert early.to_pylist() == expected(query, table, 2) != rows.to_pylist()


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
    ("order", "expected"),
    [
        (["10", "9", " 8 "], [3, 2, 1]),
        (pa.array(["10", "9", "8"]).dictionary_encode(), [3, 2, 1]),
        ([2.5, float("-inf"), -0.5], [2, 3, 1]),
        (pa.array([30, 10, 20], pa.timestamp("us")), [2, 3, 1]),
        ([Decimal("2.5"), Decimal("-1"), Decimal("2")], [2, 3, 1]),
    ],
)
def test_the_order_of_each_type(order, expected):
    """A text is a whole number, as in a column of Spark: 10 follows 9."""
    table = {"n": order, "x": [1, 2, 3]}
    tuples = sluice.tuples(sluice.parse(NUMBERS), table, order="n")
    assert tuples.table["x"].to_pylist() == expected


def test_an_order_beside_columns_that_arrow_cannot_sort():
    frame = pl.DataFrame({"n": [3, 1], "x": [1, 2], "tags": [["a"], ["b", "c"]]})
    tuples = sluice.tuples(sluice.parse(NUMBERS), frame, order="n")
    assert tuples.table["x"].to_pylist() == [2, 1]


@pytest.mark.spark
def test_a_text_is_the_same_order_in_spark(spark):
    """A text may have blanks and tabs around the number, as in a column of the schema."""
    table = pa.table({"n": ["\t10", " 9 ", "8\t"], "x": [1, 2, 3]})
    frame = spark.createDataFrame(table)
    assert arrivals_of(frame, order="n")[0] == [3, 2, 1]
    tuples = sluice.tuples(sluice.parse(NUMBERS), table, order="n")
    assert tuples.table["x"].to_pylist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["1", "01", "2"], "order: n has equal values"),
        (["1", "2.5", "3"], "order: n: '2.5' is no whole number"),
        (["1", "\u00a02", "3"], "order: n: '\u00a02' is no whole number"),
        (["1", "2\n", "3"], "order: n: '2\\n' is no whole number"),
        ([1.0, float("nan"), None], "order: n has 2 rows without a value"),
        ([[1], [2], [3]], "order: n must be a number, a date or a time, and is a list<"),
        ([True, False, None], "order: n has 1 rows without a value"),
        ([True, False, True], "order: n must be a number, a date or a time, and is a bool"),
        ([0.0, -0.0, 1.0], "order: n has equal values"),
    ],
)
def test_orders_that_are_refused(order, message):
    with pytest.raises(sluice.UserError) as caught:
        sluice.tuples(sluice.parse(NUMBERS), {"n": order, "x": [1, 2, 3]}, order="n")
    assert str(caught.value).startswith(message)


def test_two_columns_of_the_order():
    table = pa.table([pa.array([1, 2])] * 3, names=["x", "n", "n"])
    with pytest.raises(sluice.UserError, match="the Table: there is more than one column n"):
        sluice.tuples(sluice.parse(NUMBERS), table, order="n")


@pytest.mark.parametrize(
    ("table", "order", "message"),
    [
        ({"k": ["a"], "x": [1]}, None, "the dict: there is no column t, only: k, x"),
        ({"k": ["a"] * 2, "x": [1, 9], "t": [1, 2]}, None, "the dict:2: x: "),
        ({"k": ["a"] * 2, "x": [1, 1], "t": [1, None]}, None, "the dict:2: t: there is no value"),
        ({"k": ["a"], "x": [1], "t": [1]}, "n", "order: there is no column n, only: k, x, t"),
        ({"k": ["a"], "x": [1], "t": [1]}, ["t"], "order must be a str, not list"),
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


def test_a_path_of_another_format(tmp_path):
    """The message names CSV and Parquet, because `sluice.tuples` has no argument for a format."""
    (tmp_path / "a.json").write_text('{"n": 1, "x": 1}\n')
    with pytest.raises(sluice.UserError, match=r"a\.json: must be CSV or Parquet; give other data"):
        sluice.tuples(sluice.parse(NUMBERS), tmp_path / "a.json")


@pytest.mark.spark
def test_types_that_arrow_does_not_have(spark):
    frame = spark.createDataFrame(pa.table({"n": [1], "x": [1]}))
    frame = frame.withColumn("x", fn.expr("make_ym_interval(1, 1)"))
    for function in (sluice.tuples, sluice.answer):
        with pytest.raises(sluice.UserError, match="x: a interval year to month is no value for"):
            function(sluice.parse(NUMBERS), frame, order="n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"order": 5}, "order must be a str, not int"),
        ({"master": 5}, "master must be a str, not int"),
        ({"master": "local[0]"}, "master must be local, local[N] up to 999"),
        ({"cache": 5}, "cache must be a str or a path, not int"),
    ],
)
def test_arguments_of_another_type(arguments, message):
    with pytest.raises(sluice.UserError) as caught:
        sluice.answer(sluice.parse(NUMBERS), {"n": [1], "x": [1]}, **arguments)
    assert str(caught.value).startswith(message)


def test_dense_ids_of_another_query():
    """max(k) needs numbers, so it refuses tuples in which GROUP BY k has replaced k by ids."""
    schema = "CREATE INPUT STREAM S (k uint(4), x int);"
    counts, greatest = (
        sluice.parse(f"{schema} SELECT {a} FROM S GROUP BY k;") for a in ("k, count(*)", "max(k)")
    )
    table = pa.table({"k": pa.array([0, 1], pa.int64())})
    tuples = Tuples(counts.schema, table, {"k": pa.array([5, 900], pa.int64())})
    assert sluice.tuples(counts, tuples) is tuples
    with pytest.raises(sluice.UserError, match="reads k, whose originals do not fit"):
        sluice.tuples(greatest, tuples)


def test_tuples_of_another_query():
    """Tuples have raw values, so another type of a column would give them another meaning."""
    query = sluice.parse(TIMES)
    tuples = sluice.tuples(query, columns(5))
    with pytest.raises(sluice.UserError, match="the tuples are of S with other columns"):
        sluice.tuples(sluice.parse(TIMES.replace("fixed(4,4)", "fixed(4,3)")), tuples)
    with pytest.raises(sluice.UserError, match="the tuples of another query have no column k"):
        sluice.tuples(sluice.parse(GROUPS), tuples)
    with pytest.raises(sluice.UserError, match="order is for tables, and tuples have their order"):
        sluice.tuples(query, tuples, order="t")
