"""Checks the schemas of tuples and rows, the buses of a design, and the equality of designs."""

from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from rtl.contract.rows import InputSchema, Role, RowField, RowSchema
from tb.rtl.bus.many_buses import many_buses
from tb.rtl.bus.packets import packets


def test_columns_lie_on_the_bus_in_the_order_of_the_tuple():
    schema = InputSchema(layout=data.StructLayout({"g": 12, "v": signed(9)}), lanes=2)
    assert [(f.name, f.offset, f.signed) for f in schema.packing.fields] == [
        ("g", 0, False),
        ("v", 16, True),
    ]


def test_fields_of_a_role():
    """The fields of a role are in the order of the row, also if other fields lie between them."""
    fields = (
        RowField(name="g", shape=unsigned(4), role=Role.KEY),
        RowField(name="valid(a)", shape=unsigned(1), role=Role.VALID, of="a"),
        RowField(name="a", shape=signed(9), role=Role.VALUE),
        RowField(name="window", shape=unsigned(40), role=Role.WINDOW),
        RowField(name="b", shape=unsigned(3), role=Role.VALUE),
    )
    rows = RowSchema(layout=data.StructLayout({}), fields=fields, lanes=1)
    assert [field.name for field in rows.with_role(Role.VALUE)] == ["a", "b"]
    assert [field.of for field in rows.with_role(Role.VALID)] == ["a"]
    assert rows.with_role(Role.WINDOW_END) == ()
    assert rows.packing.names == ("g", "valid(a)", "a", "window", "b")
    assert rows.packing.bytes == 1 + 1 + 2 + 5 + 1


def test_the_valid_bits_of_a_value():
    """A value depends on its own valid bit and on that of the row, and on no other value's."""
    a, b = (RowField(name=name, shape=unsigned(4), role=Role.VALUE) for name in "ab")
    row_valid, own_valid, other_valid = (
        RowField(name=f"valid{k}", shape=unsigned(1), role=Role.VALID, of=of)
        for k, of in enumerate((None, "a", "c"))
    )
    rows = RowSchema(
        layout=data.StructLayout({}), fields=(row_valid, own_valid, other_valid, a, b), lanes=1
    )
    assert rows.valid_fields_of(a) == (row_valid, own_valid)
    assert rows.valid_fields_of(b) == (row_valid,)


def test_the_streams_of_a_design():
    """Settings accompany the input; ``tuser`` exists for punctuations only."""
    into, out = packets(wide=True, choices=3, punctuated=True).streams
    assert (into.name, into.port, into.slave) == ("s_axis", "i", True)
    assert (out.name, out.port, out.slave) == ("m_axis", "o", False)
    assert (into.settings, out.settings) == (2 + 6 + 41 + 6 + 2, 0)
    assert (into.user, out.user) == (1, 0)
    assert (into.bytes, out.bytes) == (2, 2)
    assert packets().memories == ()


def test_more_streams_and_memories_stand_behind():
    design = many_buses()
    assert [bus.name for bus in design.streams] == [
        *("s_axis", "m_axis"),
        *("s_axis_updates", "m_axis_evicted"),
    ]
    assert [bus.slave for bus in design.streams] == [True, False, True, False]
    assert [bus.name for bus in design.memories] == ["m_axi"]
    assert design.streams[2].bytes == 2 * (1 + 1)


def test_a_design_is_known_by_its_engine_and_options():
    assert packets(lanes=4) == packets(lanes=4) != packets(lanes=2)
    assert hash(packets(lanes=4)) == hash(packets(lanes=4))
    assert packets() != many_buses()
    assert packets(lanes=4).configuration() == {
        "engine": "packets",
        "stream": "CREATE INPUT STREAM S (x uint(8));",
        "query": str(packets().query),
        "parameters": {
            "lanes": 4,
            "choices": 0,
            "punctuated": False,
            "wide": False,
            "longest": None,
        },
    }
    assert 0 <= packets().configuration_hash < 1 << 32
    assert packets().configuration_hash != packets(lanes=4).configuration_hash
