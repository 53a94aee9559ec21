"""Tests how the start of windows of time is read and printed."""

import pytest

from gen.design.first_window import shown_start, start_of, start_text
from query.errors import UserError
from query.parser import parse

FIXED = parse(
    "CREATE INPUT STREAM S (t fixed(8,4), v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t] WHERE v > 0;"
)
DECLARED = parse(
    "CREATE INPUT STREAM S (t fixed(24,4) ms, v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t];"
)
ROWS = parse("CREATE INPUT STREAM S (v int); SELECT sum(v) FROM S [ROWS 4 SLIDE 2];")


def test_start_is_a_literal_of_the_time_column():
    assert start_of(FIXED, None) == (None, None)
    assert start_of(FIXED, "12.5") == (200, None)
    assert start_of(FIXED, "1e1") == (160, None)
    assert start_of(FIXED, "-0.0625") == (-1, None)
    assert [start_text(FIXED, raw) for raw in (200, -1, -32, None)] == [
        "12.5",
        "-0.0625",
        "-2",
        None,
    ]


@pytest.mark.parametrize(
    ("query", "text", "message"),
    [
        (ROWS, "0", "the query has no RANGE"),
        (
            FIXED,
            "noon",
            "--start, a time as in t fixed(8,4): 'noon' is not a number for fixed(8,4)",
        ),
        (FIXED, "128", "--start, a time as in t fixed(8,4): 128 does not fit fixed(8,4)"),
        (FIXED, "", "is not a number"),
        (FIXED, "1 sec", "--start, a time as in t fixed(8,4): unknown unit sec"),
        (FIXED, "x1 ms", "'x1' is not a number for fixed(8,4)"),
        (
            FIXED,
            "50 ms",
            "--start, a time as in t fixed(8,4): 50 ms is no whole number of the column's steps: "
            "it is 0.8 steps, as t declares no unit and its numbers count seconds; declare the "
            'unit, as in "t fixed(8,4) ms"',
        ),
        (
            FIXED,
            "-50 ms",
            "-50 ms is no whole number of the column's steps: it is -0.8 steps, as t",
        ),
        (
            DECLARED,
            "10 us",
            "--start, a time as in t fixed(24,4) ms: 10 us is no whole number of the column's "
            'steps: it is 0.16 steps; it would be whole steps of "t fixed(24,4) us"',
        ),
        (FIXED, "9 minutes", "9 minutes does not fit fixed(8,4)"),
        (DECLARED, "8388608 ms", "8388608 ms does not fit fixed(24,4)"),
        (DECLARED, "-8388609 ms", "-8388609 ms does not fit fixed(24,4)"),
    ],
)
def test_start_that_is_none(query, text, message):
    with pytest.raises(UserError) as raised:
        start_of(query, text)
    assert message in str(raised.value)


def test_start_with_a_unit_of_time():
    """Steps of 1/16 ms, counted by hand: 1.5 seconds are 1500 * 16 steps, a quarter of a ms is 4
    steps. The type ends at -(2**23) ms, and a step below 2**23 ms.
    """
    assert start_of(DECLARED, "1.5 seconds") == (24_000, None)
    assert start_of(DECLARED, "-250us") == (-4, None)
    assert start_of(DECLARED, "1e2 MS ") == (1_600, None)
    assert start_of(DECLARED, "-8388608 ms") == (-(1 << 27), None)
    assert start_of(DECLARED, "8388607.9375 ms") == ((1 << 27) - 1, None)
    assert shown_start(DECLARED, "1500") == "1500 ms"
    assert shown_start(FIXED, "1500") == "1500"


def test_start_with_a_unit_over_a_column_without_one_is_a_warning():
    raw, warning = start_of(FIXED, "1 minute")
    assert raw == 60 * 16
    assert warning == (
        "t declares no unit, so its numbers count seconds: --start 1 minute is 60; "
        'declare the unit, as in "t fixed(8,4) seconds" or "t fixed(8,4) ms"'
    )
