"""Checks the conversion of whole columns against the types' own reading of each text."""

import random

import pyarrow as pa
import pytest

from golden.convert import BadValue, raw_column
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
     Fixed(40, 24), Fixed(16, 16), Float(), Double(), String(3)],
    ids=str,
)  # fmt: skip
def test_conversion_equals_the_types_own(type_):
    """Converts every text alone, to compare each result, and then all good texts at once."""
    rng = random.Random(f"convert {type_}")
    texts = ["0", "-0", "1", "-1", " 1 ", "1.0", "1e3", "1.5", ".5", "1.", "", "x", "1/2", "+1",
             "0.5", "-0.5", "nan", "inf", "-0.0", "1e400", "3.5e38", "0.000000029802322387695312",
             "0.0000000298023223876953125", "1e-9999", "1e-999", "1_0", "\u0661", "\u00a01",
             "1\x1c", "1.000000059604644775390625000001", "0" * 1300,
             "-0.00000008940696716308593750", "é", "abc", "abcd"]  # fmt: skip
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
