"""Checks rows of hand-written descriptions: windows, NULLs, and chosen functions."""

from types import SimpleNamespace

import numpy as np
import pytest

from host import DeviceError
from host.description import Field, Stream
from host.rows import rows_of, window_packets


def described(fields, **changes):
    """Returns a description whose rows consist of these fields, each of one byte."""
    placed = [Field(offset=8 * k, width=8, signed=False, **field) for k, field in enumerate(fields)]
    rows = Stream("m_axis", 1, len(placed), tuple(placed), 0)
    names = [f.name for f in placed if f.role in ("window end", "key", "value")]
    host = {"rows": ["window", *names], "row_is_window": False}
    attributes = {"rows": rows, "functions": (), "marked": False, "host": host}
    return SimpleNamespace(**attributes | changes)


def packet(*rows, size=2):
    """Returns a packet of rows; ``size`` is the number of bytes of a row if there are none."""
    return np.array(rows, np.uint8).reshape(len(rows), len(rows[0]) if rows else size)


KEY, A, B = ({"name": n, "role": r} for n, r in (("k", "key"), ("a", "value"), ("b", "value")))


def valid(name, of=None):
    return {"name": name, "role": "valid", "of": of}


def test_a_row_counts_the_packet_that_it_is_in():
    columns = rows_of(described([KEY, A]), [[packet((3, 30), (4, 40)), packet(), packet((3, 31))]])
    assert {name: column.tolist() for name, column in columns.items()} == {
        "window": [0, 0, 2],
        "k": [3, 4, 3],
        "a": [30, 40, 31],
    }
    assert not isinstance(columns["a"], np.ma.MaskedArray)


def test_a_valid_of_the_row_is_of_all_values_and_one_of_a_field_of_it_alone():
    """``valid`` applies to ``a`` and ``b``, and ``b_valid`` to ``b`` only.

    A value is NULL if one of its bits is 0.
    """
    description = described([KEY, A, B, valid("valid"), valid("b_valid", of="b")])
    rows = packet((1, 10, 20, 1, 1), (2, 11, 21, 0, 1), (3, 12, 22, 1, 0), (4, 13, 23, 0, 0))
    columns = rows_of(description, [[rows]])
    assert columns["k"].tolist() == [1, 2, 3, 4]
    assert columns["a"].tolist() == [10, None, 12, None]
    assert columns["b"].tolist() == [20, None, None, None]


@pytest.mark.parametrize(
    "fields",
    [
        [KEY, valid("valid"), A | {"name": "valid"}],
        [KEY | {"name": "valid"}, valid("valid"), A],
    ],
)
def test_a_query_may_name_a_column_as_the_flag_of_a_row(fields):
    """The roles tell the fields apart: the first row has the value 0, and the second none."""
    columns = rows_of(described(fields), [[packet((1, 1, 0), (2, 0, 5))]])
    _, key, value = columns.values()
    assert key.tolist() == [1, 2]
    assert value.tolist() == [0, None]


def test_values_without_a_valid_are_never_null():
    columns = rows_of(described([A, B, valid("b_valid", of="b")]), [[packet((1, 2, 0), (3, 4, 1))]])
    assert not isinstance(columns["a"], np.ma.MaskedArray)
    assert columns["b"].tolist() == [None, 4]


def test_keys_in_fixed_point():
    """The raw key 24 of ``k fixed(4,4)`` is 1.5; a caller may ask for the raw key."""
    description = described([KEY | {"type": "fixed(4,4)", "fraction": 4}, A])
    packets = [[packet((24, 1), (8, 2))]]
    assert rows_of(description, packets)["k"].tolist() == [1.5, 0.5]
    assert rows_of(description, packets, raw=True)["k"].tolist() == [24, 8]


def test_window_numbers_in_a_field_are_used():
    description = described([{"name": "w", "role": "window"}, KEY, A])
    description.host["rows"] = ["window", "k", "a"]
    columns = rows_of(description, [[packet((7, 1, 2), (9, 1, 3))]])
    assert columns["window"].tolist() == [7, 9]


def test_each_run_gives_the_column_of_its_function():
    """The byte 200 is -56 in a signed function; runs must have the same windows and keys."""
    description = described([KEY, A], functions=("first", "second"))
    chosen = {"width": 8, "type": None, "fraction": 0}
    description.host["chosen"] = [chosen | {"signed": signed} for signed in (False, True)]
    description.host["rows"] = ["window", "k", "first", "second"]
    runs = [[packet((3, 200), (4, 1))], [packet((3, 200), (4, 2))]]
    columns = rows_of(description, runs)
    assert columns["first"].tolist() == [200, 1]
    assert columns["second"].tolist() == [-56, 2]
    assert not isinstance(columns["second"], np.ma.MaskedArray)
    runs[1] = [packet((3, 200), (5, 2))]
    with pytest.raises(DeviceError, match="windows and groups must be equal"):
        rows_of(description, runs)


def test_each_run_has_null_values_of_its_own():
    """The second row of the first run and the first row of the second run have no value."""
    description = described([KEY, A, valid("valid")], functions=("first", "second"))
    chosen = {"width": 8, "type": None, "fraction": 0, "signed": False}
    description.host["chosen"] = [chosen, chosen]
    description.host["rows"] = ["window", "k", "first", "second"]
    runs = [[packet((3, 20, 1), (4, 1, 0))], [packet((3, 21, 0), (4, 2, 1))]]
    columns = rows_of(description, runs)
    assert columns["first"].tolist() == [20, None]
    assert columns["second"].tolist() == [None, 2]


def test_the_end_of_a_window_comes_before_the_key():
    """A window's end may follow the key in a row; the columns have the order of the query."""
    description = described([KEY, {"name": "end", "role": "window end"}, A])
    description.host["rows"] = ["window", "end", "k", "a"]
    columns = rows_of(description, [[packet((1, 60, 5), (2, 60, 6))]])
    assert {name: column.tolist() for name, column in columns.items()} == {
        "window": [0, 0],
        "end": [60, 60],
        "k": [1, 2],
        "a": [5, 6],
    }


def test_packets_of_many_windows_are_cut_into_rows():
    description = described([A], marked=True)
    description.host["row_is_window"] = True
    packets = [packet((5,), (6,)), packet((7,)), packet(size=1)]
    assert [window.tolist() for window in window_packets(description, packets)] == [
        [[5]],
        [[6]],
        [[7]],
    ]
    assert window_packets(description, [packet(size=1)]) == []


@pytest.mark.parametrize("packets", [[], [packet((5,))]])
def test_a_stream_without_its_end_marker_is_cut(packets):
    with pytest.raises(DeviceError, match="must be without a row"):
        window_packets(described([A], marked=True), packets)
