"""Tests the shape of the data between the first window and the last, by hand."""

import pyarrow as pa
import pytest

from gen.simulate.steady_part import stretch_of
from golden.tuples import Tuples, arrow_type
from query.parser import parse

SCHEMA = "CREATE INPUT STREAM S (g uint(4), t {time}, v int(8)); "


def of(text, start=None, *, t=(), v=None, time="int(16)"):
    query = parse(f"{SCHEMA.format(time=time)}{text};")
    values = [1] * len(t) if v is None else v
    columns = {"g": [0] * len(t), "t": list(t), "v": values}
    table = pa.table({c.name: pa.array(columns[c.name], arrow_type(c.type)) for c in query.columns})
    return stretch_of(query, Tuples(query.schema, table), start)


def test_windows_by_rows_count_what_where_leaves_out():
    """The tuples that WHERE drops count, too, between two ends of windows.

    Tuples 0, 2, 5, 6 and 9 pass, so windows of 2 end at 2, 5, 6 and 9.
    """
    v = [1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]
    result = of("SELECT max(v) FROM S [ROWS 2 SLIDE 1] WHERE v > 0", t=range(11), v=v)
    assert (result.first, result.last, result.tuples) == (0, 3, 7)
    assert result.shape.window_ends == ((3, 1), (1, 1), (3, 1))


def test_windows_of_time_end_with_the_tuple_that_moves_time_on():
    """Windows end at 4, 6, 8, ...: tuple 5 closes one, 9 two, 10 one, 25 seven; 24 is late."""
    times = [0, 3, 5, 4, 9, 10, 10, 11, 25, 24, 25]
    result = of("SELECT max(v) FROM S [RANGE 4 SLIDE 2 WATTR t]", 0, t=times)
    assert result.shape.window_ends == ((2, 2), (1, 1), (3, 7))
    assert (result.first, result.last, result.tuples) == (0, 10, 6)


@pytest.mark.parametrize(
    ("text", "start", "times"),
    [
        ("SELECT max(v) FROM S [RANGE 4 SLIDE 2 WATTR t]", 0, [0, 3, 5]),
        ("SELECT max(v) FROM S [RANGE 4 SLIDE 2 WATTR t]", None, []),
        ("SELECT max(v) FROM S [RANGE 4 SLIDE 2 WATTR t]", None, [0, 4, 8, 12]),
        ("SELECT max(v) FROM S [ROWS 4 SLIDE 2]", None, range(5)),
        ("SELECT g, max(v) FROM S GROUP BY g", None, range(50)),
    ],
)
def test_no_stretch(text, start, times):
    assert of(text, start, t=times) is None


def test_a_punctuation_below_the_least_time_does_not_count():
    """Windows begin at -30, -20, ...; unsigned times are at least 0, and SLACK is 25.

    The tuple at 5 makes the punctuation -20, but 0 is sent, which would close three windows in the
    place of one. The tuples at 35, 46 and 58 make 10, 20 and 30, and close windows up to 3, 4, 5.
    """
    text = "SELECT max(v) FROM S [RANGE 10 SLIDE 10 WATTR t SLACK 25]"
    result = of(text, -30, t=[5, 35, 46, 58], time="uint(16)")
    assert (result.first, result.last, result.tuples) == (3, 5, 2)
    assert result.shape.window_ends == ((1, 1), (1, 1))


#: Greatest distance of a time from the start: distances are signed numbers of 64 bits.
FAR = (1 << 63) - 1


@pytest.mark.parametrize("time", ["uint(64)", "int(64)"])
def test_times_are_up_to_63_bits_behind_the_start(time):
    """Windows of 2**61 begin at ``start``: the four tuples close 1, 1 and 1 of them.

    A tuple one unit later would be too far away: then there is no stretch.
    """
    start = 0 if time == "uint(64)" else -(1 << 63)
    text = f"SELECT max(v) FROM S [RANGE {1 << 61} SLIDE {1 << 61} WATTR t]"
    times = [start + n for n in (0, 1 << 61, 2 << 61, FAR)]
    result = of(text, start, t=times, time=time)
    assert result.shape.window_ends == ((1, 1), (1, 1))
    assert of(text, start, t=[*times, start + FAR + 1], time=time) is None
