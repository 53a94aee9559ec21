"""Checks the comparison of rows when windows did not fit into the rings of their keys."""

import pyarrow as pa

from gen.simulate.overflows import OVERFLOWED, overflow_problems, without_marked_values
from golden.compare.tables import mismatches
from query.parser import parse

QUERY = parse(
    "CREATE INPUT STREAM S (t uint(32), k uint(32), x int(32));\n"
    "SELECT k, min(x), count(*) FROM S [PARTITION BY k ROWS 4 SLIDE 1];"
)


def table(*values):
    """Returns rows of key 7: a pair of values for each window, None for a marked row."""
    columns = {"window": range(len(values)), "k": [7] * len(values)}
    columns["min(x)"] = [None if v is None else v for v in values]
    columns["count(*)"] = [None if v is None else 4 for v in values]
    return pa.table({name: pa.array(list(column), pa.int64()) for name, column in columns.items()})


def test_marked_rows_are_compared_by_window_and_key():
    expected, rows = table(5, 6, 7), table(5, None, 8)
    assert mismatches(expected, rows) == 2
    assert mismatches(without_marked_values(QUERY, expected, rows), rows) == 1
    other_key = rows.set_column(1, "k", pa.array([7, 8, 7], pa.int64()))
    assert mismatches(without_marked_values(QUERY, expected, other_key), other_key) == 2


def test_a_missing_row_is_no_marked_row():
    expected, rows = table(5, 6, 7), table(5, None)
    assert mismatches(without_marked_values(QUERY, expected, rows), rows) == 1
    assert (
        mismatches(
            without_marked_values(QUERY, expected, table(5, 6, 7, None)), table(5, 6, 7, None)
        )
        == 1
    )


def test_marked_rows_fail_the_check():
    rows = table(5, None, None)
    assert overflow_problems(QUERY, rows, {}, 1) == []
    assert overflow_problems(QUERY, rows, {OVERFLOWED: 0}, 1) == []
    assert overflow_problems(QUERY, rows, {}, 2) == []
    (problem,) = overflow_problems(QUERY, rows, {OVERFLOWED: 2}, 1)
    assert problem == (
        "2 windows did not fit into the rings of their keys, and their rows are marked: give a "
        "smaller expected_ratio"
    )
    assert len(overflow_problems(QUERY, None, {OVERFLOWED: 2}, 1)) == 1


def test_the_counter_is_the_number_of_marked_rows():
    rows = table(5, None, None)
    assert overflow_problems(QUERY, rows, {OVERFLOWED: 3}, 1)[1:] == [
        "counter overflowed_windows must be 2, the number of marked rows, not 3"
    ]
    # A row may also be marked because of an error of the memory.
    assert len(overflow_problems(QUERY, rows, {OVERFLOWED: 1, "wrong_windows": 1}, 1)) == 1
    assert overflow_problems(QUERY, rows, {OVERFLOWED: 2, "wrong_windows": 1}, 1)[1:] == [
        "counter overflowed_windows must be 1, the number of marked rows less 1 wrong windows, "
        "not 2"
    ]


def test_the_rows_of_one_stream_stand_for_all_streams():
    rows = table(5, None, None)
    assert len(overflow_problems(QUERY, rows, {OVERFLOWED: 6}, 3)) == 1
    assert overflow_problems(QUERY, rows, {OVERFLOWED: 2}, 3)[1:] == [
        "counter overflowed_windows must be 6, the number of marked rows, not 2"
    ]


def test_a_row_with_a_value_is_not_marked():
    rows = table(5, 6, None)
    rows = rows.set_column(2, "min(x)", pa.array([5, None, None], pa.int64()))
    assert mismatches(without_marked_values(QUERY, table(5, 6, 7), rows), rows) == 1
    assert len(overflow_problems(QUERY, rows, {OVERFLOWED: 1}, 1)) == 1


def test_windows_that_overflow_without_a_row_are_counted_wrong():
    assert overflow_problems(QUERY, table(), {OVERFLOWED: 2}, 1)[1:] == [
        "counter overflowed_windows must be 0, the number of marked rows, not 2"
    ]
