"""Checks the rows that are read from packets, and the expected number of packets."""

from dataclasses import replace
from types import SimpleNamespace

import pyarrow as pa
import pytest
from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from gen.simulate import result_rows as results
from golden.answer import row_types
from query.parser import parse
from rtl.contract.face import PLAIN
from rtl.contract.rows import Packet, Role, RowField, RowSchema
from rtl.contract.settings import HostSettings
from sim.beats import Beats, pack_fields

LANES = 2
SCHEMA = "CREATE INPUT STREAM S (g uint(12), v int(8));"
QUERY = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S [ROWS 4 SLIDE 2] GROUP BY g;")
WINDOWS = [[(7, -3, 1), (9, 2, 3)], [(9, 2, 4)], [(1, 0, 1), (2, -1, 2), (4000, -128, 1)]]


def field(name, shape, role=Role.VALUE, of=None):
    return RowField(name=name, shape=shape, role=role, of=of)


def design(query, fields, lanes=1, packet=Packet.WINDOW, functions=(), selected=()):
    """Returns the part of a design that result rows depend on."""
    layout = data.StructLayout({f.name: f.shape for f in fields})
    rows = RowSchema(layout=layout, fields=tuple(fields), lanes=lanes, packet=packet)
    rows = replace(rows, selected=selected)
    return SimpleNamespace(
        query=query, face=PLAIN, rows=rows, settings=HostSettings(functions=functions)
    )


def grouped(query=QUERY, functions=(), packet=Packet.WINDOW):
    """Returns a design with rows of a group, minimum and count, or one column for the selected
    result.
    """
    key, shapes = field("g", unsigned(12), Role.KEY), (signed(8), unsigned(3))
    values = [field("min(v)", shapes[0]), field("count(*)", shapes[1])]
    printed = [field("result", signed(8))] if functions else values
    selected = shapes if functions else ()
    return design(query, [key, *printed], LANES, packet, functions, selected)


def beats(design, packets):
    """Returns the beats of packets of rows; a row has its values in the order of the fields."""
    packing = design.rows.packing
    columns = [[list(column) for column in zip(*packet, strict=True)] for packet in packets]
    packed = [pack_fields(column, packing.fields) for column in columns]
    return Beats.from_streams(packed, design.rows.lanes)


def expected(windows):
    rows = [(j, *row) for j, window in enumerate(windows) for row in window]
    kinds = row_types(QUERY)
    columns = zip(*rows, strict=True) if rows else [[]] * len(kinds)
    return pa.table(
        [pa.array(c, k) for c, (_, k) in zip(columns, kinds, strict=True)], pa.schema(kinds)
    )


def test_a_packet_is_a_window():
    created = grouped()
    assert results.rows(created, beats(created, WINDOWS)).equals(expected(WINDOWS))
    assert results.packet_count(created, expected(WINDOWS)) == 3


def test_no_window_was_filled():
    created = grouped()
    assert results.rows(created, beats(created, WINDOWS)[:0]).equals(expected([]))
    assert results.packet_count(created, expected([])) == 0


def test_without_a_window_there_is_always_one_packet():
    query = parse(f"{SCHEMA} SELECT g, min(v), count(*) FROM S GROUP BY g;")
    assert results.packet_count(grouped(query, packet=Packet.STREAM), expected([])) == 1


SELECTED = [[(g, least) for g, least, _ in w] for w in WINDOWS]
SELECTED += [[(g, count) for g, _, count in w] for w in WINDOWS]


def test_selected_results_are_joined():
    created = grouped(functions=("min(v)", "count(*)"))
    assert results.rows(created, beats(created, SELECTED)).equals(expected(WINDOWS))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p: p[:-1], "packets must be a multiple of the 2 streams, not 5"),
        (lambda p: [*p[:3], p[3][:1], [*p[3][1:], *p[4]], p[5]], "windows must be the same"),
        (lambda p: [*p[:5], [(1, 0), (3, 0), (4000, 0)]], "groups must be the same"),
    ],
)
def test_selected_results_that_do_not_fit_together(change, message):
    created = grouped(functions=("min(v)", "count(*)"))
    with pytest.raises(ValueError, match=message):
        results.rows(created, beats(created, change(SELECTED)))


SIX = "min(v), count(*), avg(x), max(f), sum(v), min(u)"
OVER_TIME = parse(
    "CREATE INPUT STREAM S (t uint(64), v int(8), x fixed(4,4), f float, u uint(64)); "
    f"SELECT {SIX} FROM S [RANGE 10 SLIDE 5 WATTR t SLACK 3];"
)
OVER_ROWS = parse(str(OVER_TIME.schema) + f" SELECT {SIX} FROM S [ROWS 2 SLIDE 1];")


def ungrouped(query, timed):
    """Returns a design with a row for each window.

    A window of time has an end, and may be empty.
    """
    fields = [field("window_end", signed(66), Role.WINDOW_END)] if timed else []
    shapes = (signed(8), unsigned(33), signed(8), unsigned(32), signed(41), unsigned(64))
    for item, shape in zip(query.items, shapes, strict=True):
        if timed and item.name not in ("count(*)", "sum(v)"):
            fields.append(field(f"valid({item.name})", unsigned(1), Role.VALID, item.name))
        fields.append(field(item.name, shape))
    return design(query, fields)


HALF = 0x3F000000  # 0.5 as binary32
ALL_ONES = (1 << 64) - 1
WINDOW_ROWS = [
    (-5, 1, -128, 7, 1, -3, 1, HALF, -1000, 1, ALL_ONES),
    (0, 0, 99, 0, 0, 55, 0, HALF, 0, 0, 1),  # an empty window: values whose valid bit is 0
    (1 << 64, 1, 127, (1 << 33) - 1, 1, 0, 1, 1 << 31, 1 << 39, 1, 0),
]


def test_each_packet_of_one_row_is_a_window_of_time():
    created = ungrouped(OVER_TIME, timed=True)
    result = results.rows(created, beats(created, [[row] for row in WINDOW_ROWS]))
    assert result.schema == pa.schema(row_types(OVER_TIME))
    assert [tuple(row.values()) for row in result.to_pylist()] == [
        (0, -5, -128, 7, -3, 0.5, -1000, ALL_ONES),
        (1, 0, None, 0, None, None, 0, None),
        (2, 1 << 64, 127, (1 << 33) - 1, 0, -0.0, 1 << 39, 0),
    ]
    assert str(result["max(f)"][2]) == "-0.0"
    assert results.packet_count(created, result) == 3


def test_windows_of_rows_have_neither_end_nor_null():
    created = ungrouped(OVER_ROWS, timed=False)
    packets = [[tuple(row[k] for k in (2, 3, 5, 7, 8, 10))] for row in WINDOW_ROWS[::2]]
    result = results.rows(created, beats(created, packets))
    assert [tuple(row.values()) for row in result.to_pylist()] == [
        (0, -128, 7, -3, 0.5, -1000, ALL_ONES),
        (1, 127, (1 << 33) - 1, 0, -0.0, 1 << 39, 0),
    ]


def test_no_window_no_packet():
    created = ungrouped(OVER_TIME, timed=True)
    result = results.rows(created, beats(created, [[WINDOW_ROWS[0]]])[:0])
    assert (result.num_rows, result.schema) == (0, pa.schema(row_types(OVER_TIME)))
    assert results.packet_count(created, result) == 0


def test_an_end_that_no_time_can_be():
    query = parse(
        "CREATE INPUT STREAM S (t int(60)); SELECT count(*) FROM S [RANGE 1 SLIDE 1 WATTR t];"
    )
    fields = [field("window_end", signed(66), Role.WINDOW_END), field("count(*)", unsigned(32))]
    created = design(query, fields)
    with pytest.raises(ValueError, match="window_end must fit int64"):
        results.rows(created, beats(created, [[(1 << 63, 1)]]))


NUMBERED = [  # window, g, valid bit of the minimum, minimum, count
    [(2, 7, 1, -3, 1), (0, 9, 0, 99, 3), (2, 9, 1, 2, 1)],
    [(5, 1, 0, -1, 0)],
]


def numbered(order=(0, 1, 2, 3, 4)):
    """Returns a design whose rows have a field with their window; ``order`` is that of fields."""
    fields = (
        field("window", unsigned(40), Role.WINDOW),
        field("g", unsigned(12), Role.KEY),
        field("there", unsigned(1), Role.VALID, "min(v)"),
        field("min(v)", signed(8)),
        field("count(*)", unsigned(3)),
    )
    return design(QUERY, [fields[k] for k in order], packet=Packet.STREAM)


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (3, 1, 4, 0, 2)])
def test_what_a_field_says_is_told_by_its_role(order):
    """The window is a field, whatever packet the row is in. A field that names a value marks its
    NULLs, wherever the field lies. Rows keep their order.
    """
    created = numbered(order)
    packets = [[tuple(row[k] for k in order) for row in packet] for packet in NUMBERED]
    # In both orders the items are in the order of the query, with other fields between them.
    assert [f.name for f in created.rows.with_role(Role.VALUE)] == ["min(v)", "count(*)"]
    result = results.rows(created, beats(created, packets[:1]))
    assert result.schema == pa.schema(row_types(QUERY))
    assert [tuple(row.values()) for row in result.to_pylist()] == [
        (2, 7, -3, 1),
        (0, 9, None, 3),
        (2, 9, 2, 1),
    ]
    assert results.packet_count(created, result) == 1


def test_a_window_in_a_field_counts_no_packets():
    created = numbered()
    result = results.rows(created, beats(created, NUMBERED[1:]))
    assert [tuple(row.values()) for row in result.to_pylist()] == [(5, 1, None, 0)]
