"""Checks lengths in units of time over columns of other units, by hand and at random."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from query.errors import QueryError
from query.parser import load, parse
from query.schema import Column
from query.types import Fixed, UInt
from query.window import Range

#: Nanoseconds of each unit, independent of ``query/units.py``. A day has 86,400 seconds.
LENGTHS = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "seconds": 1_000_000_000,
    "minutes": 60_000_000_000,
    "hours": 3_600_000_000_000,
    "days": 86_400_000_000_000,
}
#: Accepted spellings of each unit.
SPELLINGS = {
    "ns": ("ns", "NS", "nanosecond", "nanoseconds"),
    "us": ("us", "microsecond", "Microseconds"),
    "ms": ("ms", "Ms", "millisecond", "milliseconds"),
    "seconds": ("second", "seconds", "SECONDS"),
    "minutes": ("minute", "minutes"),
    "hours": ("hour", "Hours"),
    "days": ("day", "days"),
}
FORMS = [(unit, form) for unit, forms in SPELLINGS.items() for form in forms]


def text_of(declaration, window):
    return f"CREATE INPUT STREAM S ({declaration}, v int);\nSELECT count(*) FROM S [{window}]"


def window_of(declaration, window):
    return parse(text_of(declaration, window)).window


def refused(declaration, window):
    with pytest.raises(QueryError) as caught:
        parse(text_of(declaration, window), "q.cql")
    return str(caught.value)


@pytest.mark.parametrize(
    ("declaration", "window", "size", "slide", "slack"),
    [
        ("t uint(64) ms", "RANGE 10 seconds SLIDE 500 ms WATTR t", 10_000, 500, 0),
        ("t uint(64) us", "RANGE 1.5 ms SLIDE 1 us WATTR t SLACK 2 seconds", 1500, 1, 2_000_000),
        ("t int(64) ns", "RANGE 1 day SLIDE 1 hour WATTR t", 86400 * 10**9, 3600 * 10**9, 0),
        ("t int hours", "RANGE 2 days SLIDE 180 minutes WATTR t SLACK 0 ns", 48, 3, 0),
        ("t int days", "RANGE 168 hours SLIDE 1440 minutes WATTR t", 7, 1, 0),
        # The 1 of a fixed(16,8) is 256 steps, so a quarter of a ms is 64 steps.
        ("t fixed(16,8) ms", "RANGE 2 ms SLIDE 250 us WATTR t", 512, 64, 0),
        ("t fixed(16,8) seconds", "RANGE 1 minute SLIDE 1.5 WATTR t", 15_360, 384, 0),
        # A number without a unit counts the column's 1.
        ("t uint(64) ms", "RANGE 10 SLIDE 5 WATTR t SLACK 3", 10, 5, 3),
        ("t uint(64) days", "RANGE 10 SLIDE 1 day WATTR t", 10, 1, 0),
        ("t uint(64) ms", "RANGE 1e0004 SLIDE 5000e-003 seconds WATTR t", 10_000, 5000, 0),
    ],
)
def test_lengths_over_a_declared_unit(declaration, window, size, slide, slack):
    range_ = window_of(declaration, window)
    assert (range_.size, range_.slide, range_.slack) == (size, slide, slack)
    assert parse(text_of(declaration, window)).warnings == ()


@pytest.mark.parametrize(("unit", "form"), FORMS)
def test_spellings_in_a_declaration_and_in_a_length(unit, form):
    query = parse(text_of(f"t uint(64) {form}", f"RANGE 2 {form} SLIDE 1 {form} WATTR t"))
    time = Column("t", UInt(64), unit)
    assert query.window == Range(size=2, slide=1, attribute=time)
    assert str(query.schema) == f"CREATE INPUT STREAM S (t uint(64) {unit}, v int);"


def test_step_of_a_column():
    assert Column("t", UInt(64), "ms").step == "1 ms"
    assert Column("t", Fixed(24, 8), "seconds").step == "1/256 seconds"
    assert Column("t", UInt(64)).step is None


def test_a_column_may_be_called_like_a_unit():
    query = parse(text_of("ms int ms, seconds int", "RANGE 1 seconds SLIDE 1 ms WATTR ms"))
    assert [str(column) for column in query.schema.columns] == ["ms int ms", "seconds int", "v int"]
    assert (query.window.size, query.window.slide) == (1000, 1)


@pytest.mark.parametrize(
    ("declaration", "window", "message"),
    [
        (
            "t uint(64)",
            "RANGE 500 ms SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be positive and whole steps of t uint(64), not 500 ms: it is "
            "0.5 steps, as t declares no unit and its numbers count seconds; declare the unit, "
            'as in "t uint(64) ms"',
        ),
        (
            "t uint(64) ms",
            "RANGE 1 SLIDE 1500 us WATTR t",
            "q.cql:2:39: SLIDE must be positive and whole steps of t uint(64) ms, not 1500 us: it "
            'is 1.5 steps; it would be whole steps of "t uint(64) us"',
        ),
        (
            "t uint(8) days",
            "RANGE 1 SLIDE 1 WATTR t SLACK 1 hour",
            "q.cql:2:55: SLACK must be not negative and whole steps of t uint(8) days, not 1 hour: "
            'it is 1/24 steps; it would be whole steps of "t uint(8) hours"',
        ),
        (
            "t uint(8) ns",
            "RANGE 1.25 ns SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be positive and whole steps of t uint(8) ns, not 1.25 ns: it "
            "is 1.25 steps",
        ),
        (
            "t uint(64)",
            "RANGE 1.5 ns SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be positive and whole steps of t uint(64), not 1.5 ns: it is "
            "0.0000000015 steps, as t declares no unit and its numbers count seconds",
        ),
        (
            "t uint(8) ms",
            "RANGE 0 seconds SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be positive and whole steps of t uint(8) ms, not 0 seconds",
        ),
        (
            "t uint(64) ns",
            "RANGE 1e6 days SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be at most 18446744073709551615 steps of t uint(64) ns, not "
            "1e6 days",
        ),
        (
            "t uint(64) ns",
            "RANGE 1e999 SLIDE 1 WATTR t",
            "q.cql:2:31: RANGE must be at most 18446744073709551615 steps of t uint(64) ns, not "
            "1e999",
        ),
        (
            "t uint(64) ns",
            "RANGE 1 SLIDE 1e-1000 ns WATTR t",
            "q.cql:2:39: 1e-1000 is out of every range",
        ),
        (
            "t uint(64) ms",
            "RANGE 1 second SLIDE 2 seconds WATTR t",
            "q.cql:2:46: SLIDE must be at most RANGE, not 2 seconds with RANGE 1 second",
        ),
        (
            "t uint(64) ms",
            "RANGE 1 s SLIDE 1 WATTR t",
            "q.cql:2:33: unknown unit s; known are ns, us, ms, seconds, minutes, hours, days",
        ),
        (
            "t uint(64) ms",
            "RANGE 1 secnds SLIDE 1 WATTR t",
            "q.cql:2:33: unknown unit secnds; did you mean seconds?",
        ),
        (
            "t uint(64) mss",
            "RANGE 1 SLIDE 1 WATTR t",
            'q.cql:1:35: expected a unit of time, ")" or ",", not mss; did you mean ms?',
        ),
        (
            "t uint(64) v int",
            "RANGE 1 SLIDE 1 WATTR t",
            'q.cql:1:35: expected a unit of time, ")" or ",", not v',
        ),
        (
            "t double ms",
            "RANGE 1 SLIDE 1 WATTR v",
            "q.cql:1:33: a unit of time is for int, uint and fixed, but t is double",
        ),
        (
            "t string(3) days",
            "RANGE 1 SLIDE 1 WATTR v",
            "q.cql:1:36: a unit of time is for int, uint and fixed, but t is string(3)",
        ),
        (
            "t timestamp",
            "RANGE 1 SLIDE 1 WATTR t",
            "q.cql:1:26: unknown type timestamp; a count of microseconds is int(64) us",
        ),
    ],
)
def test_refusals(declaration, window, message):
    assert refused(declaration, window) == message


def test_the_warning_over_a_column_without_a_unit(tmp_path):
    path = tmp_path / "q.cql"
    path.write_text(
        text_of("t uint(64)", "RANGE 10 seconds SLIDE 4 WATTR t SLACK 1.5 minutes") + "\n"
    )
    query = load(path)
    assert (query.window.size, query.window.slide, query.window.slack) == (10, 4, 90)
    assert [str(warning) for warning in query.warnings] == [
        f"{path}:2:31: t declares no unit, so its numbers count seconds: RANGE 10 seconds is 10, "
        'SLACK 1.5 minutes is 90; declare the unit, as in "t uint(64) seconds" or "t uint(64) ms"'
    ]


def test_sub_second_lengths_over_fixed_point_without_a_unit():
    """Checks that 500 ms are 128 of the 256 steps of a second, and 0.5 in the warning."""
    query = parse(text_of("t fixed(16,8)", "RANGE 1 second SLIDE 500 ms WATTR t"))
    assert (query.window.size, query.window.slide) == (256, 128)
    assert "RANGE 1 second is 1, SLIDE 500 ms is 0.5;" in str(query.warnings[0])


def test_no_warning_without_a_unit_word():
    assert parse(text_of("t uint(64)", "RANGE 10 SLIDE 5 WATTR t SLACK 1")).warnings == ()


@given(
    st.sampled_from(sorted(LENGTHS)),
    st.none() | st.sampled_from(sorted(LENGTHS)),
    st.integers(0, 8),
    st.integers(1, 10**7),
    st.integers(0, 6),
)
@settings(deadline=None, max_examples=300, derandomize=True)
def test_lengths_convert_exactly_or_are_refused(unit, column_unit, fraction, digits, places):
    """Compares RANGE in steps with an exact fraction; RANGE is refused if the steps are not whole.

    The first query has a SLIDE of 10^-20, which is always refused. So an error of SLIDE shows that
    RANGE is accepted.
    """
    number = f"{digits}e-{places}"
    declaration = (
        f"t fixed({64 - fraction},{fraction}){'' if column_unit is None else ' ' + column_unit}"
    )
    length = Fraction(digits, 10**places) * LENGTHS[unit]
    steps = length * 2**fraction / LENGTHS[column_unit or "seconds"]
    window = f"RANGE {number} {unit} SLIDE {'0.' + '0' * 19 + '1'} WATTR t"
    if steps.denominator == 1 and steps < 2**64:
        assert "SLIDE must be" in refused(declaration, window)
        window = window_of(declaration, f"RANGE {number} {unit} SLIDE {number} {unit} WATTR t")
        assert window.size == window.slide == steps
    else:
        assert "RANGE must be" in refused(declaration, window)
