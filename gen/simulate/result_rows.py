"""What the rows that come out of an engine's stream say."""

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import and_

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.answer import row_types
from rtl.contract.rows import Packet, Role
from sim.beats import unpack_fields
from sim.pack import as_shape, to_arrow


def packets(design, expected):
    """Packets of one stream that give the rows ``expected``.

    A window that is complete has a row, so the rows tell how many windows there are.
    """
    face = design.face
    if face.beats:
        bus = design.streams[1]
        size = bus.packing.bytes * expected.num_rows
        return max(1, -(-size // (bus.bytes * face.beats)))
    if design.rows.packet is Packet.STREAM or face.joins(design.rows):
        return 1
    return len(expected["window"].unique()) + face.marks(design.rows)


def numbers_of_packets(design, table):
    """Numbers of packets in which one stream may have the rows of ``table``: a range.

    With ``packets=beats:N`` the rows may fill the last packet. An engine that learns behind its
    last row that the stream has ended then ends it with one more packet, without a row. For
    instance 6 transfers in packets of 3 are 2 packets or 3, and 7 transfers are 3.
    """
    least = packets(design, table)
    if not design.face.beats:
        return range(least, least + 1)
    bus = design.streams[1]
    transfers = -(-bus.packing.bytes * table.num_rows // bus.bytes)
    full = transfers > 0 and transfers % design.face.beats == 0
    return range(least, least + 1 + full)


def packets_depend_on_rows(design):
    """Whether `packets` depends on the rows, and not on the streams alone."""
    if design.face.network or design.face.beats:
        return True
    return design.rows.packet is not Packet.STREAM and not design.face.joins(design.rows)


def rows(design, result_beats):
    """The answer that came out, as `golden.answer.answer` gives it.

    What a field says is told by its role: the number of a row's window is in a field of its own,
    or is that of its packet in the stream, and a value of which a VALID field is 0, or of whose
    row, is NULL.

    Raises
    ------
    ValueError
        When the streams of selected results do not have the same windows and groups, or a value is
        too large for its column of the answer.
    ProtocolError
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
    for at, there in enumerate(valid, len(arrays) - len(items)):
        if there is not None:
            arrays[at] = pc.if_else(pa.array(there), arrays[at], None)
    return pa.table(arrays, schema=pa.schema(kinds))


@dataclass(frozen=True)
class _Stream:
    """The columns of one stream's rows, by what they say.

    ``heads`` are window end and key; ``valid`` tells of each of the ``values`` in which rows it is
    one, None for in all.
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

        def told(field):
            return columns[schema.fields.index(field)]

        numbers, values = schema.with_role(Role.WINDOW), schema.with_role(Role.VALUE)
        counted = np.repeat(np.arange(len(packets)), [len(packet) for packet in packets])
        heads = schema.with_role(Role.WINDOW_END) + schema.with_role(Role.KEY)
        return cls(
            windows=told(numbers[0]) if numbers else counted,
            heads=[told(field) for field in heads],
            values=[told(field) for field in values],
            valid=[_all_set([told(v) for v in schema.valid_fields_of(field)]) for field in values],
        )


def _all_set(columns):
    """In which rows none of ``columns`` is 0; None without columns."""
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
    """What a window is in the rows of each stream: packets, or rows where each is a window.

    Packets of so many transfers may end within a row, so all their bytes are put together.
    """
    schema, face, size = design.rows, design.face, design.rows.packing.bytes
    joined = face.joins(schema)
    if face.beats:
        whole = _rows(np.concatenate([packet.ravel() for packet in beats.streams(1)]), size)
        parts = [[part] for part in _streams(whole, streams)]
    else:
        parts = _streams(packets_of_rows(beats, size, face.bits is not None), streams)
    if face.marks(schema):
        return [_unmarked(part) for part in parts]
    if joined and not schema.with_role(Role.WINDOW):
        return [[row[None] for packet in part for row in packet] for part in parts]
    return parts


def packets_of_rows(beats, size, dense):
    """The rows of each packet, as ``Beats.streams`` gives them; ``dense`` without regard to lanes.

    Raises ValueError when a packet is not of whole rows, and ProtocolError as that does.
    """
    if not dense:
        return beats.streams(size)
    return [_rows(packet.ravel(), size) for packet in beats.streams(1)]


def _rows(content, size):
    """The rows in the bytes of packets; raises ValueError when these are not whole rows."""
    if len(content) % size:
        raise ValueError(f"packets must have rows of {size} bytes, not {len(content)} bytes")
    return content.reshape(-1, size)


def _unmarked(packets):
    """The windows of a stream without the packet that ends it."""
    if not packets or len(packets[-1]):
        raise ValueError("the last packet of a stream must be without a row")
    return packets[:-1]


def _streams(given, streams):
    """The packets of each stream; raises ValueError when they do not have equally many."""
    each, rest = divmod(len(given), streams)
    if rest:
        raise ValueError(f"packets must be a multiple of the {streams} streams, not {len(given)}")
    return [given[k * each : (k + 1) * each] for k in range(streams)]
