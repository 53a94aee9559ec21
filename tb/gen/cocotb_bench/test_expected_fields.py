"""Checks the bits of expected rows, by hand, and against the reader of the hardware's rows."""

from dataclasses import replace
from types import SimpleNamespace

import pyarrow as pa
import pytest

from gen.cocotb_bench.expected_fields import NOT_COMPARED, expected_fields
from golden.answer import Answer, row_types
from query.parser import parse
from rtl.contract.face import PLAIN, Face
from rtl.contract.settings import HostSettings
from tb.gen.valid_rows import QUERY, ROWS, SCHEMA
from tb.rtl.engine import group_bench, swag_bench, time_bench


def answer_of(query, *rows):
    kinds = row_types(query)
    columns = zip(*rows, strict=True)
    arrays = [pa.array(c, kind) for c, (_, kind) in zip(columns, kinds, strict=True)]
    return Answer(rows=pa.table(arrays, schema=pa.schema(kinds)))


def test_fields_of_a_row_with_null():
    """Fields are there, window, g, has_min, min, max and count; a negative minimum has 8 bits."""
    design = SimpleNamespace(query=QUERY, face=PLAIN, rows=ROWS, settings=HostSettings())
    answer = answer_of(QUERY, (3, 7, -5, 6, 4), (5, 0, None, 0, 0))
    assert list(expected_fields(design, answer)) == [
        [0, 1, 3, 7, 1, 0xFB, 6, 4],
        [0, 1, 5, 0, 0, NOT_COMPARED, 0, 0],
    ]


@pytest.mark.parametrize(
    ("absent", "fields"),
    [
        ("has_min", [0, 0, 3, 7, NOT_COMPARED, NOT_COMPARED]),
        (None, [0, NOT_COMPARED, 3, 7, 0, NOT_COMPARED, NOT_COMPARED]),
    ],
)
def test_a_row_without_a_value(absent, fields):
    """``there`` is 0 if all values are NULL, and unknown if ``has_min`` alone may say so."""
    query = replace(QUERY, items=QUERY.items[:-1])  # without count, which is never NULL
    schema = replace(ROWS, fields=tuple(f for f in ROWS.fields[:-1] if f.name != absent))
    design = SimpleNamespace(query=query, face=PLAIN, rows=schema, settings=HostSettings())
    assert list(expected_fields(design, answer_of(query, (3, 7, None, None)))) == [fields]


def test_floats_are_their_bits():
    design = group_bench.point("uint(4)", "float", "min(x), max(x)")
    rows = list(expected_fields(design, answer_of(design.query, (0, 3, -0.0, 1.5))))
    assert rows == [[0, 3, 0x8000_0000, 0x3FC0_0000]]
    design = group_bench.point("uint(4)", "double", "min(x), max(x)")
    rows = list(expected_fields(design, answer_of(design.query, (0, 3, -0.0, 1.5))))
    assert rows == [[0, 3, 1 << 63, 0x3FF8 << 48]]


def test_a_key_of_text_is_its_bytes():
    query = parse(SCHEMA.replace("uint(12)", "string(1)") + "[PARTITION BY g ROWS 4 SLIDE 2];")
    design = SimpleNamespace(query=query, face=PLAIN, rows=ROWS, settings=HostSettings())
    answer = answer_of(query, (3, "A", -5, 6, 4))
    assert list(expected_fields(design, answer)) == [[0, 1, 3, 0x41, 1, 0xFB, 6, 4]]


def test_each_selected_result_has_a_stream():
    design = group_bench.point("uint(4)", "int(6)", "min(x), max(x)", results="select")
    rows = list(expected_fields(design, answer_of(design.query, (0, 3, -1, 2), (0, 4, 0, 5))))
    assert [row[0] for row in rows] == [0, 0, 1, 1]
    assert [row[1] for row in rows] == [3, 4, 3, 4]
    (width,) = {f.shape.width for f in design.rows.fields if f.role.value == "value"}
    assert [row[2] for row in rows] == [(1 << width) - 1, 0, 2, 5]


@pytest.mark.parametrize(
    ("face", "numbers"),
    [
        (Face(packets="window"), [0, 0, 1, 2, 2, 3]),
        (Face(packets="window", end_marker=True), [0, 0, 1, 3, 3, 4]),
    ],
)
def test_windows_are_packets(face, numbers):
    """Each of two streams has a window of two rows and one of one row.

    The end marker of a stream is a packet without a row.
    """
    design = swag_bench.point("uint(4)", "int(6)", "min(x), max(x)", results="select")
    answer = answer_of(design.query, (0, 1, 2, 7), (0, 5, 0, 0), (1, 1, -3, 9))
    rows = list(expected_fields(replace(design, face=face), answer))
    assert [row[0] for row in rows] == numbers


@pytest.mark.parametrize("packets", ["stream", "beats:2"])
def test_two_streams_are_two_packets(packets):
    """A packet of N transfers may end within a window, so the bench joins a stream's packets."""
    design = swag_bench.point("uint(4)", "int(6)", "min(x), max(x)", results="select")
    answer = answer_of(design.query, (0, 1, 2, 7), (0, 5, 0, 0), (1, 1, -3, 9))
    rows = list(expected_fields(replace(design, face=Face(packets=packets)), answer))
    assert [row[0] for row in rows] == [0, 0, 0, 1, 1, 1]


def test_a_stream_is_a_packet():
    design = time_bench.point("pane", select="count(*)")
    answer = answer_of(design.query, (0, 40, 2), (1, 50, 3))
    joined = replace(design, face=Face(packets="stream"))
    assert list(expected_fields(joined, answer)) == [[0, 40, 2], [0, 50, 3]]
