"""Checks when two values are equal: exact numbers, bits of floats, texts, NULL."""

import re
from datetime import date, datetime

import pyarrow as pa
import pytest

from golden.compare.values import NotOfKindError, different, kind_of, kinds_of_query
from query.parser import parse

DECIMAL = pa.decimal128(20, 4)


def are_equal(a, b, kind):
    a, b = (pa.table({"x": column}) for column in (a, b))
    return [not value for value in different(a, b, [kind]).to_pylist()]


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [
        ("1.5", "1.50", True),
        ("1.5", "15e-1", True),
        ("0", "-0", True),
        ("0", "0.000", True),
        ("-0.0", ".0", True),
        ("007", "+7", True),
        ("100", "1", False),
        ("100", "1e2", True),
        ("1.05", "1.5", False),
        ("-1", "1", False),
        (".5", "0.5", True),
        ("5.", "5", True),
        ("0.1", "0.10000000000000000000000000000000000001", False),
        ("123456789012345678901234567890123456789012345", "1", False),
        (None, None, True),
        (None, "0", False),
        ("0", None, False),
    ],
)
def test_numbers_are_exact(a, b, equal):
    assert are_equal(pa.array([a], pa.string()), pa.array([b], pa.string()), "number") == [equal]


def test_numbers_of_different_types():
    integers = pa.array([1, -20, 0, None, 5])
    decimals = pa.array(["1", "-20", "0", None, "5.5"]).cast(DECIMAL)
    texts = pa.array(["1.0", "-2e1", "-0", None, "5.5000"])
    assert are_equal(integers, decimals, "number") == [True] * 4 + [False]
    assert are_equal(decimals, texts, "number") == [True] * 5


def test_floats_by_their_bits():
    floats = pa.array([0.0, -0.0, 0.1, float("nan"), float("inf")], pa.float32())
    others = pa.array([-0.0, -0.0, 0.1, float("nan"), float("-inf")], pa.float32())
    assert are_equal(floats, others, "float") == [False, True, True, True, False]
    texts = pa.array(["0.0", "-0.0", "0.1000000015", "nan", "inf"])
    assert are_equal(floats, texts, "float") == [True] * 5
    assert are_equal(floats.cast(pa.float64()), texts, "double")[2] is False
    others = pa.array(["INF", "+Infinity", "-iNf", "NAN", "1E1"])
    inf = float("inf")
    for kind, type_ in (("float", pa.float32()), ("double", pa.float64())):
        floats = pa.array([inf, inf, -inf, float("nan"), 10], type_)
        assert are_equal(floats, others, kind) == [True] * 5


def test_texts_only_as_they_are():
    a, b = pa.array(["1.5", "", "a", "nan"]), pa.array(["1.50", None, "a", "NaN"])
    assert are_equal(a, b, "text") == [False, False, True, False]


def test_text_that_is_no_value():
    for kind in ("number", "double"):
        with pytest.raises(NotOfKindError, match=f"'x1' is no {kind}") as caught:
            are_equal(pa.array(["1", "2"]), pa.array(["1", "x1"]), kind)
        assert caught.value.index == 1
    for text, kind in (("1e400", "double"), ("-1e39", "float"), ("nan(3)", "float")):
        with pytest.raises(NotOfKindError, match=f"'{re.escape(text)}' is no {kind}"):
            are_equal(pa.array([text, None]), pa.array(["inf", None]), kind)
    for text in ("nan", "1_000", "1e9999999", "\u0661", " 1"):
        with pytest.raises(NotOfKindError, match=f"'{text}' is no number"):
            are_equal(pa.array([text]), pa.array(["1"]), "number")


@pytest.mark.parametrize("side", [0, 1])
def test_the_error_names_the_table_and_the_column(side):
    valid_table = pa.table({"x": ["1", "2"], "y": ["1", "2"]})
    faulty_table = pa.table({"x": ["1", "2"], "y": ["1", "two"]})
    tables = (faulty_table, valid_table) if side == 0 else (valid_table, faulty_table)
    with pytest.raises(NotOfKindError) as caught:
        different(*tables, ["number", "number"])
    assert (caught.value.side, caught.value.column, caught.value.index) == (side, "y", 1)


def test_rows_differ_in_any_column():
    a = pa.table({"x": ["1", "2", "3", None], "y": ["a", "b", "c", "d"]})
    b = pa.table({"x": ["1", "2.0", "4", None], "y": ["a", "x", "c", "d"]})
    assert different(a, b, ["number", "text"]).to_pylist() == [False, True, True, False]


def test_columns_with_a_dictionary():
    """Parquet may keep each text of a column once: the kind is that of the texts."""
    texts = pa.array(["1.5", "2", "1.5", None])
    coded = texts.dictionary_encode()
    assert kind_of(coded.type) == "text"
    assert are_equal(coded, texts, "text") == [True] * 4
    assert are_equal(coded, pa.array(["1.50", "2.0", "1", None]), "number") == [
        *(True, True, False, True)
    ]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.date32(), date(2020, 1, 1)),
        (pa.bool_(), True),
        (pa.timestamp("us"), datetime(2020, 1, 1)),
        (pa.binary(), b"a"),
    ],
)
def test_a_column_of_nulls_beside_any_type(kind, value):
    values, nulls = pa.array([None, value], kind), pa.nulls(2)
    for a, b in ((values, nulls), (nulls, values)):
        assert are_equal(a, b, kind_of(kind)) == [True, False]


def test_kinds():
    types = (pa.uint8(), DECIMAL, pa.float32(), pa.float64(), pa.large_string(), pa.date32())
    kinds = ["number", "number", "float", "double", "text", "date32[day]"]
    assert [kind_of(type_) for type_ in types] == kinds
    query = parse(
        "CREATE INPUT STREAM S (k string(2), x fixed(4,4), y float, t int);"
        "SELECT k, min(x), max(y), count(*) FROM S [PARTITION BY k RANGE 8 SLIDE 4 WATTR t];"
    )
    assert list(kinds_of_query(query).values()) == [
        "number", "number", "text", "number", "float", "number",
    ]  # fmt: skip


def test_no_rows():
    assert are_equal(pa.array([], pa.string()), pa.array([], pa.int64()), "number") == []


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()])
def test_numbers_in_texts_of_any_type(kind):
    """Polars writes texts as large_string, and Arrow does not join the two types."""
    numbers = pa.array(["1.5", "-.5", None]).cast(kind)
    assert are_equal(numbers, pa.array(["1.50", "-0.5", None]), "number") == [True] * 3
    assert are_equal(numbers, numbers, "number") == [True] * 3
