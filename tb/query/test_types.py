"""Checks raw encodings against values computed by hand."""

import re
from fractions import Fraction

import pytest

from query.types import Double, Fixed, Float, Int, String, UInt


@pytest.mark.parametrize(
    ("type_", "text", "raw"),
    [
        (Int(), "-2147483648", -(2**31)),
        (Int(8), " 127 ", 127),
        (Int(8), "1.2e1", 12),
        (UInt(64), "18446744073709551615", 2**64 - 1),
        (Fixed(8, 24), "0.0125", 209715),  # 0.0125 * 2**24 = 209715.2
        (Fixed(8, 8), "-0.5", -128),
        (Fixed(8, 1), "0.25", 0),  # halfway between 0 and 1: to the even one
        (Fixed(8, 1), "0.75", 2),  # halfway between 1 and 2: to the even one
        (Float(), "1", 0x3F800000),
        (Float(), "-0.0", 0x80000000),
        (Float(), "0.1", 0x3DCCCCCD),
        (Double(), "-2", 0xC000000000000000),
        (Double(), "1e308", 0x7FE1CCF385EBC8A0),
        (String(4), "UBSN", 0x5542534E),
        (String(4), "A", 0x41000000),
        (String(2), "é", 0xC3A9),
    ],
)
def test_parse(type_, text, raw):
    assert type_.parse(text) == raw


@pytest.mark.parametrize(
    ("type_", "raw", "value", "text"),
    [
        (Int(8), -128, -128, "-128"),
        (Fixed(8, 8), -384, Fraction(-3, 2), "-1.5"),
        (Fixed(8, 24), 1, Fraction(1, 2**24), "0.000000059604644775390625"),
        (Fixed(8, 0), 7, 7, "7"),
        (Float(), 0x3DCCCCCD, 0.10000000149011612, "0.1"),
        (Float(), 0x7F7FFFFF, 3.4028234663852886e38, "3.4028235e+38"),
        (Double(), 0x3FB999999999999A, 0.1, "0.1"),
        (String(4), 0x41000000, "A", "A"),
    ],
)
def test_value_and_text(type_, raw, value, text):
    assert type_.value(raw) == value
    assert type_.text(raw) == text


@pytest.mark.parametrize(
    ("type_", "text", "message"),
    [
        (Int(8), "128", "128 does not fit int(8)"),
        (UInt(8), "-1", "-1 does not fit uint(8)"),
        (Int(8), "1.5", "'1.5' is not a whole number for int(8)"),
        (Int(8), "", "'' is not a number for int(8)"),
        (Fixed(8, 8), "1/2", "'1/2' is not a number for fixed(8,8)"),
        (Fixed(8, 8), "127.999", "127.999 does not fit fixed(8,8)"),
        (Int(8), "1e999999999", "'1e999999999' is not a number for int(8)"),
        (Float(), "x", "'x' is not a number for float"),
        (Float(), "3.5e38", "3.5e38 does not fit float"),
        (Double(), "1e309", "1e309 does not fit double"),
        (String(2), "abc", "'abc' does not fit string(2)"),
    ],
)
def test_parse_refuses(type_, text, message):
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        type_.parse(text)


def test_raw_strings_have_the_order_of_the_strings():
    words = ["", "A", "AA", "AB", "B", "a", "é"]
    raws = [String(3).parse(word) for word in words]
    assert raws == sorted(raws)


@pytest.mark.parametrize(
    ("type_", "arguments", "message"),
    [
        (Int, (0,), "width of int must be 1 to 64 bits, not 0"),
        (UInt, (65,), "width of uint must be 1 to 64 bits, not 65"),
        (Fixed, (0, 8), "fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not fixed(0,8)"),
        (Fixed, (8, -1), "fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not fixed(8,-1)"),
        (Fixed, (32, 33), "fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not fixed(32,33)"),
        (String, (0,), "string(N) must have N from 1 to 256, not 0"),
        (String, (257,), "string(N) must have N from 1 to 256, not 257"),
    ],
)
def test_widths_out_of_range(type_, arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        type_(*arguments)


def test_the_widest_and_the_narrowest_types():
    widths = [type_.width for type_ in (Int(1), UInt(64), Fixed(1, 63), Fixed(64, 0), String(256))]
    assert widths == [1, 64, 64, 64, 2048]


def test_ranges():
    assert (Int(8).raw_min, Int(8).raw_max) == (-128, 127)
    assert (UInt(8).raw_min, UInt(8).raw_max) == (0, 255)
    assert (Fixed(2, 3).raw_min, Fixed(2, 3).raw_max) == (-16, 15)
    assert String(2).raw_max == 0xFFFF


# 2**-150, exactly.
HALF_THE_LEAST = (
    "7.006492321624085354618647916449580656401309709382578858785341419448955413429303"
    "00743319094181060791015625e-46"
)


@pytest.mark.parametrize(
    ("text", "raw"),
    [
        # 1 + 2**-24 is midway between 1 and 1 + 2**-23, and is rounded to the even one, 1.
        ("1.000000059604644775390625", 0x3F800000),
        ("1.000000059604644775390625000001", 0x3F800001),
        ("1.000000059604644775390624999999", 0x3F800000),
        # 1 + 3 * 2**-24 is midway, too; the even one is above.
        ("1.000000178813934326171875", 0x3F800002),
        ("1.000000178813934326171874999999", 0x3F800001),
        ("-1.000000059604644775390625000001", 0xBF800001),
        ("1e-999", 0),
        ("-1e-999", 0x80000000),
        # 2**-150, half of the least float, is rounded to 0, and anything more to the least float.
        (HALF_THE_LEAST, 0),
        (HALF_THE_LEAST.replace("e", "1e"), 1),
        ("340282356779733661637539395458142568447.9", 0x7F7FFFFF),
    ],
)  # fmt: skip
def test_a_float_is_rounded_once(text, raw):
    assert Float().parse(text) == raw


@pytest.mark.parametrize("type_", [Float(), Double(), Int(), Fixed(8, 8)], ids=str)
@pytest.mark.parametrize(
    "text", ["1_0", "\u0661", "\u00a01", "1\u2003", "0x10", "1\n", "1d", "+-1"]
)
def test_spellings_of_one_language_only_are_no_numbers(type_, text):
    with pytest.raises(ValueError, match="is not a number for"):
        type_.parse(text)


def test_floats_that_are_not_finite():
    for text in ("inf", "Infinity", " +INF "):
        assert Float().parse(text) == 0x7F800000
        assert Double().parse("-" + text.strip(" +")) == 0xFFF0000000000000
    for type_ in (Float(), Double()):
        assert type_.is_nan(type_.parse("NaN"))
        assert not type_.is_nan(type_.parse("inf"))
    with pytest.raises(ValueError, match="'infinite' is not a number for float"):
        Float().parse("infinite")


def test_a_number_of_many_digits():
    least_double = f"{5e-324:.1074f}"  # exactly, in 1,076 characters
    assert Double().parse(least_double) == 1
    with pytest.raises(ValueError, match=r"'1{59}\.\.\. \(5002 characters\) is not a number"):
        Int().parse("1" * 5000)
