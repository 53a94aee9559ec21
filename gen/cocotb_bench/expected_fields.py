"""Converts golden's rows to the fields of the rows on the bus."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from golden.answer import Answer
from rtl.contract.design import Design
from rtl.contract.rows import Packet, Role
from sim.pack import to_raw

#: Stands in the place of a field whose value is NULL: the bench does not compare this field.
NOT_COMPARED = ""


def expected_fields(design: Design, answer: Answer) -> Iterator[list[int | str]]:
    """Yields the expected rows of all streams: the number of the packet, then the fields.

    A field is the unsigned number of its bits, or `NOT_COMPARED` if the value is NULL. With a
    selected result there is a stream for each result. Packets are counted from 0 over all streams.
    If all rows of a stream are one packet, the number of the packet is the number of the stream.
    For instance two streams of 3 windows have the packets 0 to 5 if each window is a packet, and
    the packets 0 and 1 if the windows of a stream are joined. An end marker is a packet without
    rows: with it the two streams have the packets 0 to 2 and 4 to 6.
    """
    rows, schema = answer.rows, design.rows
    item_count = len(design.query.items)
    # Golden's columns: the window, its end and the key as far as the query has them, then results.
    leading = [rows[name] for name in rows.column_names[: rows.num_columns - item_count]]
    items = [rows[name] for name in rows.column_names[rows.num_columns - item_count :]]
    selects_result = bool(design.settings.functions)
    windows_are_packets = _windows_are_packets(design)
    packets = _window_packets(rows) if windows_are_packets else np.zeros(rows.num_rows, int)
    packet_count = int(packets[-1]) + 1 if len(packets) else 0
    packet_count = packet_count + design.face.marks(schema) if windows_are_packets else 1
    for stream in range(max(1, len(design.settings.functions))):
        results = [items[stream]] if selects_result else items
        columns = list(_columns(design, leading, results))
        for number, fields in zip(packets.tolist(), zip(*columns, strict=True), strict=True):
            yield [stream * packet_count + number, *fields]


def _windows_are_packets(design):
    """Returns True if a packet has the rows of one window; else a stream is one packet.

    With ``packets=beats:N`` a packet ends after N transfers. The bench then joins all packets.
    """
    face, schema = design.face, design.rows
    return schema.packet is Packet.WINDOW and not face.joins(schema) and not face.beats


def _window_packets(rows):
    """Returns the number of each row's packet in its stream, if each window is a packet.

    A window without rows is no packet: rows of the windows 0, 0, 2 and 5 have the packets 0, 0, 1
    and 2.
    """
    _, numbers = np.unique(rows["window"].to_numpy(), return_inverse=True)
    return numbers


def _columns(design, leading, results):
    """Yields the expected numbers of each field, a list with a number for each row.

    ``leading`` are golden's columns before the results: the window, its end and the key.
    ``results`` are the columns of the VALUE fields.
    """
    query, schema = design.query, design.rows
    place_of_role = {Role.WINDOW: 0, Role.WINDOW_END: 1}  # in `leading`; a key is the last
    values = schema.with_role(Role.VALUE)
    raws = {f.name: _raws(column) for f, column in zip(values, results, strict=True)}
    for field in schema.fields:
        if field.role is Role.VALUE:
            numbers = raws[field.name]
        elif field.role is Role.VALID:
            numbers = _valid(schema, field, raws)
        elif field.role is Role.KEY:
            numbers = [int(raw) for raw in to_raw(leading[-1], query.key.type)]
        else:
            numbers = _raws(leading[place_of_role[field.role]])
        mask = (1 << field.shape.width) - 1
        yield [NOT_COMPARED if number is None else number & mask for number in numbers]


def _valid(schema, field, raws):
    """Returns the expected VALID field of each row.

    The VALID field of a value is 1 if the value is not NULL, else 0. The VALID field of the whole
    row is 1 if any value is not NULL. If all values are NULL, the field of the row is 0; but if a
    value has a VALID field of its own, too, the field of the row may be 1, because the value's own
    field can say NULL. Then the expected field is None: unknown.
    """
    if field.of is not None:
        return [int(raw is not None) for raw in raws[field.of]]
    values_with_valid = {other.of for other in schema.with_role(Role.VALID)}
    without_value = None if values_with_valid & raws.keys() else 0
    return [
        1 if any(raw is not None for raw in row) else without_value
        for row in zip(*raws.values(), strict=True)
    ]


def _raws(column):
    """Returns the raw numbers of a column of golden; None for NULL.

    The raw number of a float is its bits: 1.0 in 32 bits is 0x3f800000.
    """
    kind = column.type
    values = column.to_pylist()
    if pa.types.is_floating(kind):
        single = pa.types.is_float32(kind)
        floats, bits = (np.float32, np.uint32) if single else (np.float64, np.uint64)
        return [None if v is None else int(np.array(v, floats).view(bits)) for v in values]
    return [None if value is None else int(value) for value in values]
