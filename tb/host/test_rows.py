"""Rows out of bytes, for descriptions made by hand: windows, NULLs, and chosen functions."""

from types import SimpleNamespace

import numpy as np
import pytest

from host import DeviceError
from host.description import Field, Stream
from host.rows import rows_of, window_packets


def described(fields, **changes):
    """A description whose rows have these fields, of a byte each, one behind the other."""
    placed = [Field(offset=8 * k, width=8, signed=False, **field) for k, field in enumerate(fields)]
    rows = Stream("m_axis", 1, len(placed), tuple(placed), 0)
    names = [f.name for f in placed if f.role in ("window end", "key", "value")]
    host = {"rows": ["window", *names], "row_is_window": False}
    told = {"rows": rows, "functions": (), "marked": False, "host": host}
    return SimpleNamespace(**told | changes)


def packet(*rows, size=2):
    """A packet of rows, each of so many bytes."""
    return np.array(rows, np.uint8).reshape(len(rows), len(rows[0]) if rows else size)


KEY, A, B = ({"name": n, "role": r} for n, r in (("k", "key"), ("a", "value"), ("b", "value")))


def valid(name, of=None):
    return {"name": name, "role": "valid", "of": of}


def test_a_row_counts_the_packet_that_it_is_in():
    found = rows_of(described([KEY, A]), [[packet((3, 30), (4, 40)), packet(), packet((3, 31))]])
    assert {name: column.tolist() for name, column in found.items()} == {
        "window": [0, 0, 2],
        "k": [3, 4, 3],
        "a": [30, 40, 31],
    }
    assert not isinstance(found["a"], np.ma.MaskedArray)


def test_a_valid_of_the_row_is_of_all_values_and_one_of_a_field_of_it_alone():
    """``a`` is NULL where the row has none; ``b`` there, and where its own bit says so."""
    told = described([KEY, A, B, valid("valid"), valid("b_valid", of="b")])
    rows = packet((1, 10, 20, 1, 1), (2, 11, 21, 0, 1), (3, 12, 22, 1, 0), (4, 13, 23, 0, 0))
    found = rows_of(told, [[rows]])
    assert found["k"].tolist() == [1, 2, 3, 4]
    assert found["a"].tolist() == [10, None, 12, None]
    assert found["b"].tolist() == [20, None, None, None]


def test_values_without_a_valid_are_never_null():
    found = rows_of(described([A, B, valid("b_valid", of="b")]), [[packet((1, 2, 0), (3, 4, 1))]])
    assert not isinstance(found["a"], np.ma.MaskedArray)
    assert found["b"].tolist() == [None, 4]


def test_numbers_of_window_packets_a_field_are_taken_from_it():
    told = described([{"name": "w", "role": "window"}, KEY, A])
    told.host["rows"] = ["window", "k", "a"]
    found = rows_of(told, [[packet((7, 1, 2), (9, 1, 3))]])
    assert found["window"].tolist() == [7, 9]


def test_each_run_gives_the_column_of_its_function():
    """Of 200 one function is signed; the runs must have the same windows and keys."""
    told = described([KEY, A], functions=("first", "second"))
    chosen = {"width": 8, "type": None, "fraction": 0}
    told.host["chosen"] = [chosen | {"signed": signed} for signed in (False, True)]
    told.host["rows"] = ["window", "k", "first", "second"]
    runs = [[packet((3, 200), (4, 1))], [packet((3, 200), (4, 2))]]
    found = rows_of(told, runs)
    assert found["first"].tolist() == [200, 1]
    assert found["second"].tolist() == [-56, 2]
    runs[1] = [packet((3, 200), (5, 2))]
    with pytest.raises(DeviceError, match="windows and groups must be the same"):
        rows_of(told, runs)


def test_packets_of_many_windows_are_cut_into_rows():
    told = described([A], marked=True)
    told.host["row_is_window"] = True
    packets = [packet((5,), (6,)), packet((7,)), packet(size=1)]
    assert [window.tolist() for window in window_packets(told, packets)] == [[[5]], [[6]], [[7]]]
    assert window_packets(told, [packet(size=1)]) == []


@pytest.mark.parametrize("packets", [[], [packet((5,))]])
def test_a_stream_without_its_end_marker_is_cut(packets):
    with pytest.raises(DeviceError, match="must be without a row"):
        window_packets(described([A], marked=True), packets)
