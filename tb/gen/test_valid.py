"""Checks a VALID field of a value, and a VALID field of the whole row.

The fields decide which values of rows are NULL; the manifest and the C header describe them.
"""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from gen.directory import manifest
from gen.host.c_header import host_header
from gen.simulate import result_rows as results
from query.parser import parse
from rtl.bus.top_registers import registers_of
from rtl.contract.face import PLAIN
from rtl.contract.rows import Role, RowField
from rtl.contract.settings import HostSettings
from rtl.engine import ENGINES
from sim.beats import Beats, pack_fields
from tb.gen.valid_rows import FIELDS, QUERY, ROWS, SCHEMA
from tb.rtl.engine import bench, core_bench

#: Fields of rows, and the rows that they mean.
RAW_ROWS = [
    (1, 3, 7, 1, -5, 6, 4),
    (0, 1 << 33, 4095, 1, -128, 127, 4),  # no field is a value
    (1, 5, 0, 0, 99, 0, 0),
    (0, 6, 1, 0, 99, 1, 1),
]
MEANT_ROWS = [
    (3, 7, -5, 6, 4),
    (1 << 33, 4095, None, None, None),
    (5, 0, None, 0, 0),
    (6, 1, None, None, None),
]


def beats(schema, rows):
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Beats.from_streams([pack_fields(columns, schema.packing.fields)], schema.lanes)


def rotated(step):
    """Returns the schema and the rows with their fields in another order.

    A VALID field names its value, so the order has no meaning.
    """
    fields = FIELDS[step:] + FIELDS[:step]
    rows = [row[step:] + row[:step] for row in RAW_ROWS]
    return replace(ROWS, fields=fields), rows


@pytest.mark.parametrize("step", [0, 1, 4])
def test_values_of_a_row_that_is_none_are_null(step):
    schema, options = rotated(step)
    order = [f.name for f in schema.with_role(Role.VALUE)]
    items = sorted(QUERY.items, key=lambda item: order.index(item.name))
    query = replace(QUERY, items=tuple(items))
    design = SimpleNamespace(query=query, face=PLAIN, rows=schema, settings=HostSettings())
    result = results.rows(design, beats(schema, options)).to_pylist()
    names = ("window", "g", "min(v)", "max(v)", "count(*)")
    assert [tuple(row[name] for name in names) for row in result] == MEANT_ROWS


def test_a_selected_result_is_null_in_its_own_stream():
    """With two functions the second row has no maximum, and the first row has neither result."""
    fields = (*FIELDS[:3], RowField(name="result", shape=signed(8), role=Role.VALUE))
    layout = data.StructLayout({field.name: field.shape for field in fields})
    schema = replace(ROWS, layout=layout, fields=fields, selected=(signed(8), signed(8)))
    settings = HostSettings(functions=("min(v)", "max(v)"))
    query = replace(QUERY, items=QUERY.items[:2])
    design = SimpleNamespace(query=query, face=PLAIN, rows=schema, settings=settings)
    streams = [[(0, 0, 1, 2), (1, 1, 1, 3)], [(0, 0, 1, 4), (0, 1, 1, 5)]]
    packed = [pack_fields(list(zip(*rows, strict=True)), schema.packing.fields) for rows in streams]
    result = results.rows(design, Beats.from_streams(packed, 2)).to_pylist()
    assert [tuple(row.values()) for row in result] == [(0, 1, None, None), (1, 1, 3, None)]


def test_which_fields_a_value_depends_on():
    own_values, row = FIELDS[3], FIELDS[0]
    values = ROWS.with_role(Role.VALUE)
    assert [ROWS.valid_fields_of(field) for field in values] == [(row, own_values), (row,), (row,)]


def test_a_key_may_be_called_as_the_field_that_says_what_is_null():
    """A column of the query may have the name of a field that the engine adds."""
    query = parse(str(QUERY).replace("g", "valid"))
    names = {"there": "valid", "g": "valid"}
    fields = tuple(replace(f, name=names.get(f.name, f.name)) for f in FIELDS)
    schema = replace(ROWS, fields=fields)
    design = SimpleNamespace(query=query, face=PLAIN, rows=schema, settings=HostSettings())
    result = results.rows(design, beats(schema, RAW_ROWS)).to_pylist()
    assert [tuple(row.values()) for row in result] == MEANT_ROWS


def test_the_manifest_tells_what_it_is_of():
    described = {field["name"]: field for field in manifest._rows(ROWS)["fields"]}
    assert described["there"] == {"name": "there", "role": "valid", "of": None}
    assert described["has_min"] == {"name": "has_min", "role": "valid", "of": "min(v)"}
    assert described["min(v)"] == {"name": "min(v)", "role": "value"}


def test_the_header_says_what_is_null():
    design = ENGINES["group-by"](query=parse(SCHEMA + "GROUP BY g;"), lanes=2)
    text = host_header(replace(design, rows=ROWS), "sluice_x", registers_of(design))
    row = text[text.index("A row, as a lane") :].splitlines()
    assert "    uint8_t there;  // there: unsigned, 1 bit; 0: every value of the row is NULL" in row
    assert "    uint8_t has_min;  // has_min: unsigned, 1 bit; 0: min(v) is NULL" in row
    assert "    __extension__ uint64_t window : 40;  // window: unsigned, 40 bits" in row


def test_the_benches_see_the_same():
    shipped = bench.Shipped(design=SimpleNamespace(rows=ROWS), registers={}, bench=None)
    assert shipped.packets(beats(ROWS, RAW_ROWS)) == [MEANT_ROWS]
    names = [field.name for field in FIELDS]
    rows = [dict(zip(names, row, strict=True)) for row in RAW_ROWS]
    assert [core_bench._row(ROWS, row) for row in rows] == MEANT_ROWS
