"""A query, and rows for it with VALID fields: of a value, and of the whole row."""

from amaranth.hdl import signed, unsigned
from amaranth.lib import data

from query.parser import parse
from rtl.contract.rows import Packet, Role, RowField, RowSchema

SCHEMA = "CREATE INPUT STREAM S (g uint(12), v int(8)); SELECT g, min(v), max(v), count(*) FROM S "
QUERY = parse(SCHEMA + "[PARTITION BY g ROWS 4 SLIDE 2];")
FIELDS = (
    RowField(name="there", shape=unsigned(1), role=Role.VALID),
    RowField(name="window", shape=unsigned(40), role=Role.WINDOW),
    RowField(name="g", shape=unsigned(12), role=Role.KEY),
    RowField(name="has_min", shape=unsigned(1), role=Role.VALID, of="min(v)"),
    RowField(name="min(v)", shape=signed(8), role=Role.VALUE),
    RowField(name="max(v)", shape=signed(8), role=Role.VALUE),
    RowField(name="count(*)", shape=unsigned(3), role=Role.VALUE),
)
LAYOUT = data.StructLayout({field.name: field.shape for field in FIELDS})
ROWS = RowSchema(layout=LAYOUT, fields=FIELDS, lanes=2, packet=Packet.STREAM)
