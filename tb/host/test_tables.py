"""Checks that columns of any kind of table keep their values, and rows their types."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from host.errors import TableError
from host.tables import columns_in, table_of

LARGE = (1 << 63) + 1


@pytest.mark.parametrize(
    "values",
    [
        [5, LARGE],
        (5, LARGE),
        [5, np.uint64(LARGE)],
        [np.int64(5), np.uint64(LARGE)],
        np.array([5, LARGE], np.uint64),
    ],
)
def test_large_integers_are_exact(values):
    """NumPy makes floats of a list with both signed and unsigned integers of 64 bits."""
    assert columns_in({"u": values}, ["u"])["u"].tolist() == [5, LARGE]


@pytest.mark.parametrize("integer", [(1 << 53) + 1, -(1 << 53) - 1, np.int64((1 << 53) + 1)])
def test_integers_beside_floats_are_exact(integer):
    """As a float of 64 bits the integer would be rounded to 2^53."""
    assert columns_in({"u": [0.5, integer]}, ["u"])["u"].tolist() == [0.5, integer]


def test_lists_of_texts_are_not_changed():
    """NumPy would drop the zero byte, and make texts of the numbers."""
    columns = columns_in({"a": ["a\0", "b"], "b": ["ab", 5]}, ["a", "b"])
    assert [column.tolist() for column in columns.values()] == [["a\0", "b"], ["ab", 5]]


def test_a_list_of_lists_is_refused():
    with pytest.raises(TableError, match="column u must be a list of numbers or texts: "):
        columns_in({"u": [1, [2]]}, ["u"])


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (pa.array(["ab", "c"]), ["ab", "c"]),
        (pa.array([True, False]), [True, False]),
        (pa.array([Decimal("1.5")]), [Decimal("1.5")]),
        (pa.array([LARGE, 1], pa.uint64()).dictionary_encode(), [LARGE, 1]),
        (pa.chunked_array([pa.array(["a", "b", "a"]).dictionary_encode()]), ["a", "b", "a"]),
        (
            pa.chunked_array([pa.array([t]).dictionary_encode() for t in ("a", "b")]),
            ["a", "b"],
        ),
        (pa.chunked_array([], pa.dictionary(pa.int8(), pa.string())), []),
        (
            pl.DataFrame({"k": pl.Series(["a", "b"], dtype=pl.Categorical)}).to_arrow()["k"],
            ["a", "b"],
        ),
        (pl.Series([1, 2]), [1, 2]),
    ],
)
def test_columns_of_arrow_and_polars_in_a_mapping(column, values):
    assert columns_in({"x": column}, ["x"])["x"].tolist() == values


def test_nulls_of_arrow_and_polars_in_a_mapping():
    entries = pa.array([1.0, None])
    with_null = pa.DictionaryArray.from_arrays(pa.array([0, 1]), entries)
    lists = [1.0, np.ma.masked], [1, None], np.array([1, None], object)
    lists += (np.ma.masked_array([1, 2], [False, True]),)
    for column in (pa.array([1, None]), with_null, pl.Series([1, None]), *lists):
        with pytest.raises(TableError, match="column x must have no nulls; it has 1"):
            columns_in({"x": column}, ["x"])
    without = pa.DictionaryArray.from_arrays(pa.array([0]), pa.array([(1 << 53) + 1, None]))
    assert columns_in({"x": without}, ["x"])["x"].tolist() == [(1 << 53) + 1]


def test_other_lists_are_as_numpy_makes_them():
    columns = columns_in({"a": [1, 2.5], "b": [1, 2]}, ["a", "b"])
    assert [column.dtype for column in columns.values()] == [np.float64, np.int64]


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1.0, None], "Float64"),
        pd.array([1.0, None], "double[pyarrow]"),
        pd.array([1, None], "Int64"),
        pd.Series([1.0, None], dtype=object),
    ],
)
def test_a_missing_value_of_pandas_is_refused(column):
    with pytest.raises(TableError, match="column d must have no nulls; it has 1"):
        columns_in(pd.DataFrame({"d": column}), ["d"])


def test_nan_in_floats_of_numpy_is_a_number():
    frame = pd.DataFrame({"d": [1.0, float("nan")]})
    assert np.isnan(columns_in(frame, ["d"])["d"]).tolist() == [False, True]


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame([[1, 2, 3]], columns=["u", "u", "v"]),
        pa.table([pa.array([1])] * 3, names=["u", "u", "v"]),
    ],
)
def test_two_columns_of_one_name(table):
    with pytest.raises(TableError, match="table must have one column u, not several"):
        columns_in(table, ["u"])
    assert columns_in(table, ["v"])["v"].tolist() in ([1], [3])


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([pd.NA, 1], "column x must have no nulls; it has 1"),
        (np.array([pd.NA, None, 1], object), "column x must have no nulls; it has 2"),
        (np.array(None, object), "column x must have one dimension, not 0"),
        (np.array(3), "column x must have one dimension, not 0"),
    ],
)
def test_nulls_of_pandas_and_scalars(column, message):
    with pytest.raises(TableError, match=message):
        columns_in({"x": column}, ["x"])


@pytest.mark.parametrize("count", [0, 2])
@pytest.mark.parametrize("is_null", [True, False])
def test_types_of_arrow_do_not_depend_on_the_values(count, is_null):
    """Integers of more than 64 bits are decimals, also without a row or with NULL only."""
    wide = np.array([1 << 70] * count, object)
    rows = {
        "wide": np.ma.masked_array(wide, [is_null] * count),
        "text": np.array(["ab"] * count, str),
        "number": np.ma.masked_array(np.zeros(count), [is_null] * count),
    }
    table = table_of(rows, pa.table({}))
    assert table.schema.types == [pa.decimal128(38, 0), pa.string(), pa.float64()]
    assert table["wide"].to_pylist() == [None if is_null else Decimal(1 << 70)] * count


def test_types_of_pandas_do_not_depend_on_the_values():
    """A column that may have NULL has a type with missing values, and NaN stays a number."""
    for mask in ([False, False], [True, False]):
        rows = {
            "float": np.ma.masked_array([1.0, float("nan")], mask),
            "whole": np.ma.masked_array(np.array([1, LARGE], np.uint64), mask),
            "plain": np.array([1, 2]),
            "text": np.ma.masked_array(np.array(["a", "b"]), mask),
            "wide": np.ma.masked_array(np.array([1, 1 << 70], object), mask),
        }
        frame = table_of(rows, pd.DataFrame())
        kinds = ["Float64", "UInt64", "int64", "string", "object"]
        assert [str(kind) for kind in frame.dtypes] == kinds
        for name in ("text", "wide"):
            assert frame[name].isna().tolist() == mask
            assert frame[name][1] == rows[name][1]
        assert frame["float"].isna().tolist() == mask
        assert np.isnan(frame["float"][1])
        assert frame["whole"][1] == LARGE


def test_codes_of_text_views():
    """Polars writes its categories as codes of text views, which Arrow cannot select."""
    codes = pa.DictionaryArray.from_arrays([1, 0, 1], pa.array(["a", "b"], pa.string_view()))
    for column in (codes, pa.chunked_array([codes, codes.slice(2)])):
        texts = columns_in({"k": column}, ["k"])["k"].tolist()
        assert texts == ["b", "a", "b", "b"][: len(column)]
