"""Reads the rows in the beats of an engine's output stream."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import and_

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.answer import row_types
from rtl.contract.design import Design
from rtl.contract.rows import Packet, Role
from sim.beats import Beats, unpack_fields
from sim.pack import as_shape, to_arrow


def packet_count(design: Design, expected: pa.Table) -> int:
    """Returns the number of packets of one stream with the rows ``expected``.

    Each complete window has a row, so the rows determine the number of windows. With
    ``packets=beats:N`` the number is the least of :func:`allowed_packet_counts`.
    """
    face = design.face
    if face.beats:
        bus = design.streams[1]
        size = bus.packing.bytes * expected.num_rows
        return max(1, -(-size // (bus.bytes * face.beats)))
    if design.rows.packet is Packet.STREAM or face.joins(design.rows):
        return 1
    return len(expected["window"].unique()) + face.marks(design.rows)


def allowed_packet_counts(design: Design, table: pa.Table) -> range:
    """Returns the range of numbers of packets that one stream with the rows of ``table`` may have.

    With ``packets=beats:N`` the rows may fill the last packet. If the engine then learns only after
    its last row that the stream has ended, one more packet without a row follows. For instance 6
    transfers in packets of 3 are 2 or 3 packets, and 7 transfers are 3 packets.
    """
    least = packet_count(design, table)
    if not design.face.beats:
        return range(least, least + 1)
    bus = design.streams[1]
    transfers = -(-bus.packing.bytes * table.num_rows // bus.bytes)
    full = transfers > 0 and transfers % design.face.beats == 0
    return range(least, least + 1 + full)


def packets_depend_on_rows(design: Design) -> bool:
    """Returns True if the rows decide how many packets there are, or datagrams with a network."""
    if design.face.network or design.face.beats:
        return True
    return design.rows.packet is not Packet.STREAM and not design.face.joins(design.rows)


def rows(design: Design, result_beats: Beats) -> pa.Table:
    """Returns the rows of the hardware in the form of `golden.answer.answer`.

    The role of a field says which column it fills. If no field has the number of a row's window,
    the number is that of the row's packet in the stream, or of the row if windows share a packet.
    A value is NULL if the VALID field of the value, or of its row, is 0.

    Raises
    ------
    ValueError
        If the streams of selected results have different windows or groups, or if a value is too
        large for its column.
    ProtocolError
        If a beat is malformed.
    """
    query, schema = design.query, design.rows
    functions = design.settings.functions
    parts = _parts(design, result_beats, max(1, len(functions)))
    streams = [_Stream.of(schema, part) for part in parts]
    if not all(np.array_equal(a.windows, b.windows) for a, b in pairwise(streams)):
        raise ValueError("windows must be the same whichever result is selected")
    if not all(_equal(a.heads, b.heads) for a, b in pairwise(streams)):
        raise ValueError("groups must be the same whichever result is selected")
    first = streams[0]
    if functions:
        chosen = zip(streams, schema.selected, strict=True)
        items = [as_shape(stream.values[0], s.width, s.signed) for stream, s in chosen]
        valid = [stream.valid[0] for stream in streams]
    else:
        items, valid = first.values, first.valid
    kinds = row_types(query)
    columns = [first.windows, *first.heads, *items]
    arrays = [
        _array(column, name, kind, query.key)
        for column, (name, kind) in zip(columns, kinds, strict=True)
    ]
    for at, is_valid in enumerate(valid, len(arrays) - len(items)):
        if is_valid is not None:
            arrays[at] = pc.if_else(pa.array(is_valid), arrays[at], None)
    return pa.table(arrays, schema=pa.schema(kinds))


@dataclass(frozen=True)
class _Stream:
    """Columns of the rows of one stream.

    ``heads`` are window end and key. ``valid`` has an array for each of the ``values``: true in the
    rows in which the value is not NULL; None if it is never NULL.
    """

    windows: np.ndarray
    heads: list
    values: list
    valid: list

    @classmethod
    def of(cls, schema, packets):
        packing = schema.packing
        empty = np.zeros((0, packing.bytes), np.uint8)
        columns = unpack_fields(np.concatenate([empty, *packets]), packing.fields)

        def column(field):
            return columns[schema.fields.index(field)]

        def valid(field):
            return _all_set([column(flag) for flag in schema.valid_fields_of(field)])

        numbers, values = schema.with_role(Role.WINDOW), schema.with_role(Role.VALUE)
        counted = np.repeat(np.arange(len(packets)), [len(packet) for packet in packets])
        heads = schema.with_role(Role.WINDOW_END) + schema.with_role(Role.KEY)
        return cls(
            windows=column(numbers[0]) if numbers else counted,
            heads=[column(field) for field in heads],
            values=[column(field) for field in values],
            valid=[valid(field) for field in values],
        )


def _all_set(columns):
    """Returns a bool for each row: true if none of ``columns`` is 0; None without columns."""
    return reduce(and_, (column != 0 for column in columns)) if columns else None


def _equal(columns, others):
    return all(np.array_equal(a, b) for a, b in zip(columns, others, strict=True))


def _array(column, name, kind, key):
    type_ = key.type if key and name == key.name else None
    try:
        return to_arrow(column, kind, type_)
    except OverflowError:
        raise ValueError(f"{name} must fit {kind}") from None


def _parts(design, beats, streams):
    """Returns the groups of rows of each stream, each group as the bytes of its rows.

    A group is a packet, or a single row if rows of several windows share a packet. A packet of
    ``packets=beats:N`` may end within a row, so the bytes of all packets are joined first, and all
    rows are one group.
    """
    schema, face, size = design.rows, design.face, design.rows.packing.bytes
    joined = face.joins(schema)
    if face.beats:
        all_rows = _rows(np.concatenate([packet.ravel() for packet in beats.streams(1)]), size)
        parts = [[part] for part in _streams(all_rows, streams)]
    else:
        parts = _streams(packets_of_rows(beats, size, face.bits is not None), streams)
    if face.marks(schema):
        return [_without_end_marker(part) for part in parts]
    if joined and not schema.with_role(Role.WINDOW):
        return [[row[None] for packet in part for row in packet] for part in parts]
    return parts


def packets_of_rows(beats: Beats, size: int, dense: bool) -> list[np.ndarray]:
    """Returns the rows of each packet in the form of ``Beats.streams``.

    With ``dense`` rows fill the beats without regard to lanes. Raises ValueError if a packet has no
    whole number of rows, and ProtocolError if a beat is malformed.
    """
    if not dense:
        return beats.streams(size)
    return [_rows(packet.ravel(), size) for packet in beats.streams(1)]


def _rows(content, size):
    """Returns the rows in the bytes of packets; raises ValueError if a row is incomplete."""
    if len(content) % size:
        raise ValueError(f"packets must have rows of {size} bytes, not {len(content)} bytes")
    return content.reshape(-1, size)


def _without_end_marker(packets):
    """Returns the windows of a stream without the packet that ends the stream."""
    if not packets or len(packets[-1]):
        raise ValueError("the last packet of a stream must be without a row")
    return packets[:-1]


def _streams(packets: Sequence, streams):
    """Returns the packets of each stream; raises ValueError unless all get the same number."""
    each, remainder = divmod(len(packets), streams)
    if remainder:
        raise ValueError(f"packets must be a multiple of the {streams} streams, not {len(packets)}")
    return [packets[k * each : (k + 1) * each] for k in range(streams)]
