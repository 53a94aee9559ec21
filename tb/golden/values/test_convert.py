"""Checks the conversion of whole columns against the types' own reading of each text."""

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

from golden.tuples import arrow_type
from golden.values import convert
from golden.values.convert import BadValue, raw_column
from query.types import Double, Fixed, Float, Int, String, UInt


def parsed(type_, text):
    """Returns (raw, None), or (None, reason) for a text that does not fit."""
    try:
        return type_.parse(text), None
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize(
    "type_",
    [Int(), Int(1), UInt(8), UInt(64), Int(64), Fixed(8, 24), Fixed(1, 0), Fixed(4, 60),
     Fixed(40, 24), Fixed(20, 44), Fixed(16, 16), Float(), Double(), String(3)],
    ids=str,
)  # fmt: skip
def test_conversion_equals_the_types_own(type_):
    """Converts every text alone, to compare each result, and then all good texts at once."""
    rng = random.Random(f"convert {type_}")
    texts = ["0", "-0", "1", "-1", " 1 ", "1.0", "1e3", "1.5", ".5", "1.", "", "x", "1/2", "+1",
             "0.5", "-0.5", "nan", "inf", "-0.0", "1e400", "3.5e38", "0.000000029802322387695312",
             "0.0000000298023223876953125", "1e-9999", "1e-999", "1_0", "\u0661", "\u00a01",
             "1\x1c", "1.000000059604644775390625000001", "0" * 1300,
             "-0.00000008940696716308593750", "é", "éé", "abc", "abcd"]  # fmt: skip
    for width in (8, 31, 32, 63, 64):
        texts += [str(sign * (1 << width) + d) for sign in (1, -1) for d in (-1, 0, 1)]
    for _ in range(300):
        places = rng.randrange(10)
        number = rng.randrange(-(10 ** rng.randrange(1, 14)), 10 ** rng.randrange(1, 14))
        texts.append(f"{number / 10**places:.{places}f}")
    good, raws = [], []
    for text in texts:
        expected, reason = parsed(type_, text)
        if reason:
            assert raw_column(pa.array([text]), type_) == BadValue(0, reason)
        else:
            good.append(text)
            raws.append(expected)
    actual = raw_column(pa.chunked_array([good[:7], good[7:]]), type_).to_pylist()
    if type_.floating:
        actual = [type_.parse(repr(v)) for v in actual]
    elif isinstance(type_, String):
        actual = [type_.parse(v) for v in actual]
    assert actual == raws


def test_ties_go_to_even():
    texts = pa.array(["0.5", "1.5", "2.5", "-0.5", "-1.5", "-2.5", "0.25", "0.75"])
    assert raw_column(texts, Fixed(8, 0)).to_pylist() == [0, 2, 2, 0, -2, -2, 0, 1]
    assert raw_column(pa.array(["0.03125", "0.09375"]), Fixed(8, 4)).to_pylist() == [0, 2]


INTEGERS = [pa.int8(), pa.uint8(), pa.int32(), pa.int64(), pa.uint64(), pa.bool_()]


@pytest.mark.parametrize(
    "type_",
    [Int(8), UInt(8), Int(64), UInt(64), Fixed(8, 24), Fixed(4, 60), Fixed(1, 63), Double()],
    ids=str,
)
def test_integers_of_arrow_are_converted_by_arrays(type_, monkeypatch):
    limits = [sign << bits for bits in (0, 3, 7, 8, 31, 63, 64) for sign in (1, -1)]
    numbers = {limit + d for limit in limits for d in (-1, 0, 1)}
    cases = []
    for kind in INTEGERS:
        is_signed = pa.types.is_signed_integer(kind)
        low = -(1 << kind.bit_width - 1) if is_signed else 0
        high = (1 << kind.bit_width - is_signed) - 1
        for number in sorted(n for n in numbers if low <= n <= high):
            value = bool(number) if kind == pa.bool_() else number
            cases.append((pa.array([value], kind), *parsed(type_, str(number))))
    monkeypatch.setattr(convert, "_exact", None)  # parses values one by one
    for array, raw, reason in cases:
        column = raw_column(array, type_)
        if reason:
            assert column == BadValue(0, reason)
        else:
            (value,) = column.to_pylist()
            assert (type_.parse(str(value)) if type_.floating else value) == raw


def test_floats_and_decimals_of_arrow_are_exact():
    """A number is rounded once: neither its shortest text nor a double lies between."""
    tenth = raw_column(pa.array([0.1]), Fixed(4, 60)).to_pylist()
    assert tenth == [round(Fraction(0.1) * 2**60)] != [round(Fraction("0.1") * 2**60)]
    half = pa.array([np.float16(0.1), np.float16(-2.5)])
    assert raw_column(half, Fixed(8, 24)).to_pylist() == [1677312, -5 << 23]
    above = pa.array([Decimal("1.000000059604644775390625000001")])  # a tie as a double
    assert raw_column(above, Float()).to_pylist() == [1 + 2**-23]


def test_infinity_of_arrow_is_a_float_and_a_number_beyond_the_greatest_is_none():
    infinities = pa.array([float("inf"), float("-inf")])
    for type_ in (Float(), Double()):
        assert raw_column(infinities, type_).to_pylist() == infinities.to_pylist()
    too_large = BadValue(1, "-1e+39 does not fit float")
    assert raw_column(pa.array([float("inf"), -1e39]), Float()) == too_large
    for decimals in (pa.decimal128(38, 0), pa.decimal256(50, 0)):
        column = pa.array([Decimal(10**37), Decimal(10**38 - 1)], decimals)
        expected = np.array([1e37, 1e38], np.float32).tolist()
        assert raw_column(column, Float()).to_pylist() == expected


def test_the_first_bad_value_is_named():
    texts = pa.chunked_array([["1", "x", "1"], ["y", "x"]])
    assert raw_column(texts, Int()) == BadValue(1, "'x' is not a number for int")
    data = pa.array([b"a", b"b", b"\xff", b"\xfe"])
    for kind, text in ((pa.binary(), pa.string()), (pa.large_binary(), pa.large_string())):
        column = data.cast(kind).view(text)
        assert raw_column(column, String(3)) == BadValue(2, "the text is not UTF-8")
        assert raw_column(pa.array(["12", "3"], text), Int()).to_pylist() == [12, 3]


def test_forms_of_arrow():
    """A dictionary may hold NULL, a column without rows may have no type, texts may be views."""
    codes = pa.array([0, 1, 0])
    words = pa.DictionaryArray.from_arrays(codes, pa.array(["1", None]))
    assert raw_column(words, Int()) == BadValue(1, "there is no value")
    assert raw_column(words[:1], Int()).to_pylist() == [1]
    for type_ in (Int(), UInt(64), Double(), String(2)):
        assert raw_column(pa.nulls(0), type_) == pa.array([], arrow_type(type_))
        assert raw_column(pa.nulls(2), type_) == BadValue(0, "there is no value")
    for kind in (pa.decimal32(6, 3), pa.decimal64(6, 3)):
        decimals = pa.array([Decimal("1.500"), Decimal("-2.125")], kind)
        assert raw_column(decimals, Fixed(8, 4)).to_pylist() == [24, -34]
    views = pa.array(["12", "3"], pa.string_view())
    assert raw_column(views, Int()).to_pylist() == [12, 3]
    assert raw_column(views, String(2)).to_pylist() == ["12", "3"]
