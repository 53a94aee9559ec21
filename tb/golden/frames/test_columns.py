"""Checks the conversion of users' columns against the types' own ``parse``, value by value."""

import re
import struct
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from golden.frames.columns import carried_frame, order_column
from golden.values.carry import place
from query.errors import UserError
from query.parser import parse

pytestmark = pytest.mark.spark

HALF = 2.0**-5  # half of the last place of fixed(4,4)
VALUES = {
    ("fixed(4,4)", "double"): [0.0, HALF, 3 * HALF, -HALF, -3 * HALF, 7.96, -8.0, 1e-300],
    ("fixed(4,4)", "float"): [0.1, -0.1, 2.5],
    ("fixed(4,4)", "decimal(20,6)"): [Decimal("0.031250"), Decimal("0.093750"), Decimal("-0.1")],
    ("fixed(4,4)", "string"): ["0.03125", " 0.09375", "-8"],
    ("fixed(4,4)", "int"): [7, -8, 0],
    ("fixed(32,32)", "double"): [2.0**31 - 2.0**-21, -(2.0**31), 0.1],
    ("int(8)", "long"): [127, -128],
    ("int(8)", "double"): [-7.0, 127.0],
    ("int(8)", "decimal(30,0)"): [Decimal(127), Decimal(-128)],
    ("uint(64)", "decimal(20,0)"): [Decimal((1 << 64) - 1), Decimal(0)],
    ("uint(64)", "long"): [(1 << 63) - 1],
    ("uint(1)", "boolean"): [True, False],
    ("double", "double"): [-0.0, 0.0, float("inf"), 5e-324],
    ("float", "double"): [0.1, 2.0**-149, -1.5],
}
BAD = {
    ("fixed(4,4)", "double"): [7.97, -8.1, float("nan"), float("inf"), None],
    ("fixed(4,4)", "int"): [8, -9],
    ("int(8)", "long"): [128, -129],
    ("int(8)", "double"): [0.5, 128.0],
    ("int(8)", "string"): ["x", "1.5"],
    ("uint(64)", "long"): [-1],
    ("uint(8)", "decimal(38,0)"): [Decimal(10**37), Decimal(-1)],
    ("string(2)", "string"): ["abc", "\u20ac"],
    ("int(8)", "int"): [None],
    ("int(64)", "long"): [None],
    ("fixed(64,0)", "long"): [None],
    ("uint(64)", "decimal(20,0)"): [None],
    ("string(4)", "string"): [None],
}


def carried(spark, type_, kind, values):
    """Returns the carried values of the column x."""
    query = parse(f"CREATE INPUT STREAM S (x {type_}); SELECT x, count(*) FROM S GROUP BY x;")
    frame = spark.createDataFrame([(value,) for value in values], f"x {kind}").coalesce(1)
    rows = carried_frame(query, frame).collect()
    return query.columns[0].type, [row[0] for row in rows]


def exact_text(value, kind):
    """Returns a text of exactly the value; a float is rounded to its own type first."""
    if isinstance(value, str):
        return value
    if kind == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    if isinstance(value, float) and value not in (float("inf"), -float("inf")):
        sign = "-" if str(value).startswith("-") else ""
        return sign + format(Decimal(abs(value)), "f") if value else f"{sign}0"
    return str(int(value)) if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("case", VALUES, ids=" from ".join)
def test_values(spark, case):
    type_, actual_values = carried(spark, *case, VALUES[case])
    raws = [type_.parse(exact_text(value, case[1])) for value in VALUES[case]]
    assert actual_values == ([place(raw, type_) for raw in raws] if type_.floating else raws)


def refusal(type_, kind, value):
    """Returns the error message for a value; Spark writes NaN and Infinity."""
    if value is None:
        return "x: there is no value"
    if kind == "string" and not type_.startswith("string"):
        adjective = "whole " if value == "1.5" else ""
        return f"x: '{value}' is not a {adjective}number for {type_}"
    value_text = {"nan": "NaN", "inf": "Infinity"}.get(str(value), value)
    return f"x: {value_text} does not fit {type_}"


@pytest.mark.in_turn
@pytest.mark.parametrize("case", BAD, ids=" from ".join)
def test_a_value_that_does_not_fit(spark, case):
    for value in BAD[case]:
        with pytest.raises(Exception, match=re.escape(refusal(*case, value))):
            carried(spark, *case, [value])


def test_strings_lose_their_padding(spark):
    assert carried(spark, "string(4)", "string", ["a\0\0", "", "b"])[1] == ["a", "", "b"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("k int", "there is no column x, only: k"),
        ("X int", "there is no column x, only: X; did you mean X"),
        ("x date", "x: a date is no value for int"),
        ("x array<int>", "x: a array<int> is no value for int"),
    ],
)
def test_columns_that_do_not_serve(spark, columns, message):
    query = parse("CREATE INPUT STREAM S (x int); SELECT x, count(*) FROM S GROUP BY x;")
    with pytest.raises(UserError, match=message.replace("<", ".")):
        carried_frame(query, spark.createDataFrame([], columns))


def test_a_missing_column_is_not_sought_among_those_of_the_order(spark):
    query = parse("CREATE INPUT STREAM S (x int); SELECT x, count(*) FROM S GROUP BY x;")
    frame = spark.createDataFrame([], "k int, `#order` long")
    with pytest.raises(UserError, match=r"there is no column x, only: k$"):
        carried_frame(query, frame, "#order")


@pytest.mark.parametrize("zone", ["UTC", "America/New_York"])
def test_an_order_of_times_without_a_zone(spark, zone):
    """In New York the hour from 2 to 3 o'clock is missing on 10 March, and doubled in November."""
    times = [
        datetime(1960, 1, 1, 0, 0, 59, 999999), datetime(2024, 3, 10, 2, 30),
        datetime(2024, 3, 10, 2, 45), datetime(2024, 3, 10, 3, 15), datetime(2024, 3, 10, 3, 30),
        datetime(2024, 11, 3, 1, 30, 0, 1), datetime(9999, 12, 31, 23, 59, 59, 999999),
    ]  # fmt: skip
    old_zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        frame = spark.createDataFrame([(time,) for time in times], "t timestamp_ntz").coalesce(1)
        order = [row[0] for row in frame.select(order_column(frame, "t")).collect()]
    finally:
        spark.conf.set("spark.sql.session.timeZone", old_zone)
    assert order == [(t - datetime(1970, 1, 1)) // timedelta(microseconds=1) for t in times]


def test_an_order_with_a_name_of_its_own(spark):
    frame = spark.createDataFrame([(3, "4")], "`a``b` int, `c``d` string")
    orders = [frame.select(order_column(frame, name)).first()[0] for name in frame.columns]
    assert orders == [3, 4]
    frame = spark.createDataFrame([(1, 2)], "t int, x int").toDF("t", "t")
    with pytest.raises(UserError, match="order: there is more than one column t; rename one"):
        order_column(frame, "t")


def test_columns_that_differ_in_case(spark):
    """A session that ignores case, as Spark's own default, cannot tell the columns apart."""
    query = parse("CREATE INPUT STREAM S (k int, x int); SELECT k, sum(x) FROM S GROUP BY k;")
    plain = spark.newSession()
    for ignores in (False, True):
        plain.conf.set("spark.sql.caseSensitive", str(not ignores).lower())
        frame = plain.createDataFrame([(1, 2, 3)], "k int, x int, X int")
        if not ignores:
            assert carried_frame(query, frame, "X").collect()
            continue
        with pytest.raises(UserError, match="columns x and X differ in the case of letters"):
            carried_frame(query, frame)
        with pytest.raises(UserError, match="columns x and X differ in the case of letters"):
            order_column(frame, "X")
