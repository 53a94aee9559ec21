"""Where windows of time begin, as a user says it and as it is shown."""

import pytest

from gen.start import start_of, start_text
from query.errors import UserError
from query.parser import parse

FIXED = parse(
    "CREATE INPUT STREAM S (t fixed(8,4), v int); "
    "SELECT count(*) FROM S [RANGE 2 SLIDE 1 WATTR t] WHERE v > 0;"
)
ROWS = parse("CREATE INPUT STREAM S (v int); SELECT sum(v) FROM S [ROWS 4 SLIDE 2];")


def test_start_is_a_literal_of_the_time_column():
    assert start_of(FIXED, None) is None
    assert start_of(FIXED, "12.5") == 200
    assert start_of(FIXED, "-0.0625") == -1
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
    ],
)
def test_start_that_is_none(query, text, message):
    with pytest.raises(UserError) as raised:
        start_of(query, text)
    assert message in str(raised.value)
