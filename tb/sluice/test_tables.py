"""Tables of every kind become Arrow tables with the same values, and rows the input's kind."""

import math
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from query.errors import UserError
from sluice.tables import like, to_arrow

COLUMNS = {"k": [1, 2, 3], "x": [0.5, float("nan"), -0.0], "s": ["a", "", "é"]}
ROWS = pa.table(
    {
        "n": pa.array([2**60 + 1, None], pa.int64()),
        "d": pa.array([Decimal("1.25"), None], pa.decimal128(20, 2)),
        "s": pa.array(["a", None]),
    }
)
TABLES = {
    "arrow": pa.table(COLUMNS),
    "batch": pa.table(COLUMNS).to_batches()[0],
    "pandas": pd.DataFrame(COLUMNS),
    "pandas with Arrow's types": pa.table(COLUMNS).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame(COLUMNS),
    "dict": COLUMNS,
    "dict of arrays": {name: np.array(values) for name, values in COLUMNS.items()},
    "duckdb": duckdb.sql("SELECT 1 AS k UNION ALL SELECT 2"),
}


@pytest.mark.parametrize("kind", [kind for kind in TABLES if kind != "duckdb"])
def test_the_same_values(kind):
    table = to_arrow(TABLES[kind])
    assert table.column_names == ["k", "x", "s"]
    assert (table["k"].to_pylist(), table["s"].to_pylist()) == (COLUMNS["k"], COLUMNS["s"])
    assert table["x"].null_count == 0
    half, nan, zero = table["x"].to_pylist()
    assert (half, math.isnan(nan), math.copysign(1, zero)) == (0.5, True, -1)


def test_any_stream_of_arrow():
    assert sorted(to_arrow(TABLES["duckdb"])["k"].to_pylist()) == [1, 2]


def test_missing_values_of_pandas_stay_missing():
    frame = pd.DataFrame({"s": ["a", None], "k": pd.array([1, None], "Int64")})
    table = to_arrow(frame)
    assert (table["s"].null_count, table["k"].null_count) == (1, 1)


def test_nan_of_pandas_is_a_number_in_columns_of_floats():
    series = pd.Series([1.0, float("nan")])
    for table in ({"x": series}, pd.DataFrame({"x": series}), {"x": series.to_numpy()}):
        assert to_arrow(table)["x"].null_count == 0


@pytest.mark.parametrize("kind", [">i4", ">u8", ">f4", ">f8"])
def test_numbers_in_another_order_of_bytes(kind):
    column = np.array([1, 300], kind)
    for table in ({"x": column}, pd.DataFrame({"x": column})):
        assert to_arrow(table)["x"].to_pylist() == [1, 300]


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ([2**64 - 1, np.int64(1)], [2**64 - 1, 1]),
        ([2**64, None, 0.5], [2.0**64, None, 0.5]),
        ([1 << 200], [2.0**200]),
        ([Decimal("0.5"), 0.5, np.float32(0.25)], [0.5, 0.5, 0.25]),
        ([Decimal("0.1"), 0.5, 3], [Decimal("0.1"), Decimal("0.5"), Decimal(3)]),
        ([Decimal("Infinity"), 2], [math.inf, 2.0]),
    ],
)
def test_numbers_of_several_types_stay_exact(column, values):
    """An Arrow array takes no Decimal beside a float, and no 2**64 beside 0.5."""
    for table in ({"x": column}, pd.DataFrame({"x": pd.Series(column, dtype=object)})):
        assert to_arrow(table)["x"].to_pylist() == values


def test_half_floats_beside_integers_are_not_cut():
    for column in ([np.float16(1.5), 2], pd.Series([2, np.float16(1.5)], dtype=object)):
        assert sorted(to_arrow({"x": column})["x"].to_pylist()) == [1.5, 2]
    with pytest.raises(UserError, match=r"x is no column of Arrow: .* has more than 64 bits"):
        to_arrow({"x": [np.longdouble(1.5), 2]})


@pytest.mark.parametrize("kind", [pl.Int128, pl.UInt128])
def test_whole_numbers_of_128_bits_of_polars(kind):
    """Polars infers an integer of 128 bits for 2**64, and Arrow has no type of 128 bits."""
    frame = pl.DataFrame({"x": pl.Series([2**64, None, 1], dtype=kind), "s": ["a", "b", "c"]})
    assert to_arrow(frame).to_pydict() == {"x": [2**64, None, 1], "s": ["a", "b", "c"]}


def test_columns_of_polars_that_are_not_needed():
    """Arrow can hold the column z in no way, so z is NULL unless all columns are needed."""
    lists = pl.Series("z", [[1], [2**100]], dtype=pl.List(pl.Int128))
    frame = pl.DataFrame({"k": [1, 2], "z": lists})
    assert to_arrow(frame, ["k"]).to_pydict() == {"k": [1, 2], "z": [None, None]}
    with pytest.raises(UserError, match=r"^z is no column of Arrow: "):
        to_arrow(frame)


@pytest.mark.spark
def test_rows_for_spark(spark):
    frame = spark.createDataFrame(pa.table({"k": [3, 1, 2]}))
    back = like(frame, ROWS)
    assert back.toArrow().to_pylist() == ROWS.to_pylist()


@pytest.mark.parametrize(
    ("kind", "back"),
    [
        ("arrow", lambda rows: rows),
        ("batch", lambda rows: rows),
        ("pandas", pa.Table.from_pandas),
        ("polars", lambda rows: rows.to_arrow()),
        ("dict", pa.table),
        ("duckdb", lambda rows: rows),
    ],
)
def test_rows_are_of_the_same_kind(kind, back):
    rows = like(TABLES[kind], ROWS)
    assert back(rows).to_pylist() == ROWS.to_pylist()
    if kind in ("arrow", "pandas", "polars", "dict"):
        assert type(rows) is type(TABLES[kind])


@pytest.mark.parametrize(
    "column",
    [
        pl.Series(["b", None, "a"], dtype=pl.Categorical),
        pl.Series(["b", None, "a"], dtype=pl.Enum(["a", "b"])),
        pl.Series(["b", None, "a"]),
    ],
)
def test_texts_of_polars(column):
    table = to_arrow(pl.DataFrame({"s": column}))
    assert table["s"].type in (pa.string(), pa.large_string())
    assert table["s"].to_pylist() == ["b", None, "a"]


@pytest.mark.parametrize("form", [dict, pd.DataFrame])
def test_whole_numbers_of_more_than_64_bits(form):
    """The values are exact, so a later error can name the value that does not fit its type."""
    values = [5, (1 << 63) + 1, 1 << 64]
    column = to_arrow(form({"u": pd.Series(values, dtype=object)}))["u"]
    assert [int(value) for value in column.to_pylist()] == values
    assert to_arrow({"u": [1 << 63]})["u"].to_pylist() == [1 << 63]


def test_views_of_text_in_arrow():
    views = pa.table({"s": pa.array(["a", None], pa.string_view())})
    assert to_arrow(views)["s"].type == to_arrow(views.to_batches()[0])["s"].type == pa.string()


def test_two_columns_of_one_name_stay_two():
    assert to_arrow(pd.DataFrame([[1, 2]], columns=["u", "u"])).column_names == ["u", "u"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (5, "a table must be an Arrow table, .*, or an object with an Arrow stream, not int"),
        ({"a": [1], "b": [1, 2]}, "the table has no Arrow columns: .*expected length"),
        (pd.DataFrame({"a": [1, "x"]}), "a is no column of Arrow: "),
        ({"a": 5}, "a is no column of Arrow: 'int' object is not iterable"),
        ({"a": {1, 2}}, "a must be a list or an array, a value for each row, not a set"),
        ({"a": {0: 1}}, "a must be a list or an array, a value for each row, not a dict"),
        ({"a": [1, 10**80 + 1]}, r"a is no column of Arrow: row 2: 1000.* \(81 characters\): "),
        ({"a": [1, 2.5, "x", 3]}, "a is no column of Arrow: row 3: 'x': Could not convert 'x' "),
        ({"a": [Decimal("sNaN")]}, r"a is no column of Arrow: row 1: Decimal\('sNaN'\): "),
    ],
)
def test_mistakes(table, message):
    with pytest.raises(UserError, match=message):
        to_arrow(table)


@pytest.mark.parametrize("form", [dict, pd.DataFrame])
def test_a_column_that_is_not_needed_may_hold_anything(form):
    table = form({"k": [1, 2], "note": [1, "a"]})
    assert to_arrow(table, {"k"}).to_pydict() == {"k": [1, 2], "note": [None, None]}
    for needed_columns in (None, {"k", "note"}):
        with pytest.raises(UserError, match="note is no column of Arrow"):
            to_arrow(table, needed_columns)


class OwnFrame(pd.DataFrame):
    """A frame of a package of somebody else, as that of geopandas."""


def test_sparse_columns_of_pandas():
    numbers = pd.arrays.SparseArray([0, 3, 0], dtype=pd.SparseDtype("int64", 0))
    floats = pd.arrays.SparseArray([1.5, float("nan"), 2.0])
    table = to_arrow(pd.DataFrame({"n": numbers, "f": floats}))
    assert table["n"].to_pylist() == [0, 3, 0]
    assert table["f"].null_count == 0  # as in any column of floats
    assert str(table["f"].to_pylist()) == "[1.5, nan, 2.0]"


def test_the_keys_of_a_dict_are_a_column():
    assert to_arrow({"a": {3: "x", 1: "y"}.keys()}).to_pydict() == {"a": [3, 1]}


def test_a_subclass_of_a_frame_is_read_and_written_as_the_frame():
    frame = OwnFrame({"k": [1, 1], "x": [1.0, float("nan")]})
    table = to_arrow(frame)
    assert table["x"].null_count == 0
    assert isinstance(like(frame, table), pd.DataFrame)


def test_views_of_text_in_a_mapping():
    codes = pa.DictionaryArray.from_arrays([0, 1, 0], pa.array(["a", "b"], pa.string_view()))
    table = to_arrow({"c": codes, "v": pa.array(["x", "y", None], pa.string_view())})
    assert table.schema.types == [pa.string(), pa.string()]
    assert table.to_pydict() == {"c": ["a", "b", "a"], "v": ["x", "y", None]}
