"""Turns golden's rows into the fields of a row as they are on the bus."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from golden.answer import Answer
from rtl.contract.design import Design
from rtl.contract.rows import Packet, Role
from sim.pack import to_raw

#: A field without an expected value, since the value is NULL.
NOT_COMPARED = ""


def expected_fields(design: Design, answer: Answer) -> Iterator[list[int | str]]:
    """Yields the expected rows of all streams: the number of the packet, then the fields.

    A field is the unsigned number of its bits, or `NOT_COMPARED` if the value is NULL. With a
    selected result there is a stream for each result. Packets are counted from 0 over all streams;
    rows of a design that joins all rows of a stream have the number of the stream.
    """
    rows, schema = answer.rows, design.rows
    count = len(design.query.items)
    heads = [rows[name] for name in rows.column_names[: rows.num_columns - count]]
    items = [rows[name] for name in rows.column_names[rows.num_columns - count :]]
    selected = bool(design.settings.functions)
    one_each = _windows_are_packets(design)
    packets = _window_packets(rows) if one_each else np.zeros(rows.num_rows, int)
    packet_count = int(packets[-1]) + 1 if len(packets) else 0
    packet_count = packet_count + design.face.marks(schema) if one_each else 1
    for stream in range(max(1, len(design.settings.functions))):
        results = [items[stream]] if selected else items
        columns = list(_columns(design, heads, results))
        for number, fields in zip(packets.tolist(), zip(*columns, strict=True), strict=True):
            yield [stream * packet_count + number, *fields]


def _windows_are_packets(design):
    face, schema = design.face, design.rows
    return schema.packet is Packet.WINDOW and not face.joins(schema) and not face.beats


def _window_packets(rows):
    """Returns the number of each row's packet: windows are packets."""
    _, numbers = np.unique(rows["window"].to_numpy(), return_inverse=True)
    return numbers


def _columns(design, heads, results):
    """Yields the numbers of each field of a row."""
    query, schema = design.query, design.rows
    by_role = {Role.WINDOW: 0, Role.WINDOW_END: 1, Role.KEY: len(heads) - 1}
    values = schema.with_role(Role.VALUE)
    raws = {f.name: _raws(column) for f, column in zip(values, results, strict=True)}
    for field in schema.fields:
        if field.role is Role.VALUE:
            numbers = raws[field.name]
        elif field.role is Role.VALID:
            numbers = _valid(schema, field, raws)
        elif field.role is Role.KEY:
            numbers = [int(raw) for raw in to_raw(heads[-1], query.key.type)]
        else:
            numbers = _raws(heads[by_role[field.role]])
        mask = (1 << field.shape.width) - 1
        yield [NOT_COMPARED if number is None else number & mask for number in numbers]


def _valid(schema, field, raws):
    """Returns 1 for each row in which the value is not NULL.

    A VALID field of the whole row is 1 if any value is not NULL. It is unknown (None) if each value
    is NULL, but has a VALID field of its own, too.
    """
    if field.of is not None:
        return [int(raw is not None) for raw in raws[field.of]]
    flagged = {other.of for other in schema.with_role(Role.VALID)}
    unknown = None if flagged & raws.keys() else 0
    return [
        1 if any(raw is not None for raw in row) else unknown
        for row in zip(*raws.values(), strict=True)
    ]


def _raws(column):
    """Returns the raw numbers of a column of golden; None for NULL."""
    kind = column.type
    values = column.to_pylist()
    if pa.types.is_floating(kind):
        single = pa.types.is_float32(kind)
        floats, bits = (np.float32, np.uint32) if single else (np.float64, np.uint64)
        return [None if v is None else int(np.array(v, floats).view(bits)) for v in values]
    return [None if value is None else int(value) for value in values]
