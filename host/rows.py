"""The rows of packets: columns of values under the names that `sluice golden` gives them."""

from dataclasses import dataclass

import numpy as np

from .columns import values_of
from .description import Field
from .errors import DeviceError
from .packing import as_wide, unpack


def rows_of(told, streams, raw=False):
    """The rows of a table's streams: one, or with a choice of functions one for each item.

    Parameters
    ----------
    told : Description
    streams : sequence of list of numpy.ndarray
        The packets of each: uint8, shape (rows, bytes of a row).
    raw : bool
        Fixed point is whole numbers of its last place.

    Returns
    -------
    dict of str to numpy.ndarray
        In order; masked where a value may be NULL.

    Raises
    ------
    DeviceError
        When the streams do not have the same windows and groups.
    """
    parts = [_Rows.of(told, packets) for packets in streams]
    first = parts[0]
    for part in parts[1:]:
        if any(not np.array_equal(a, b) for a, b in zip(part.heads, first.heads, strict=True)):
            raise DeviceError(
                "windows and groups must be the same whichever function is chosen, and are "
                "not; was the table's stream cut? reset() and run it again"
            )
    if told.functions:
        chosen = [Field(offset=0, name="", **c) for c in told.host["chosen"]]
        picked = [(part.values[0][1], f) for part, f in zip(parts, chosen, strict=True)]
        values = [(as_wide(raws, f.width, f.signed), f) for raws, f in picked]
        valid = [part.valid[0] for part in parts]
    else:
        values, valid = [(raws, field) for field, raws in first.values], first.valid
    columns = [first.heads[0]]
    columns += [values_of(r, f, raw) for f, r in zip(first.fields, first.heads[1:], strict=True)]
    for (raws, field), there in zip(values, valid, strict=True):
        made = values_of(raws, field, raw)
        columns.append(made if there is None else np.ma.masked_array(made, ~there))
    return dict(zip(told.host["rows"], columns, strict=True))


@dataclass(frozen=True)
class _Rows:
    """The raw columns of one stream's rows, by what they say.

    ``heads`` are window, window end and key, and ``fields`` those of them that have one but the
    window; ``valid`` tells of each of the ``values`` in which rows it is one, None for in all.
    """

    heads: list
    fields: list
    values: list
    valid: list

    @classmethod
    def of(cls, told, packets):
        stream = told.rows
        empty = np.zeros((0, stream.bytes), np.uint8)
        packets = windows_in(told, packets)
        raws = unpack(np.concatenate([empty, *packets]), stream)
        by_role = {}
        for field in stream.fields:
            by_role.setdefault(field.role, []).append(field)
        counted = np.repeat(np.arange(len(packets)), [len(packet) for packet in packets])
        windows = by_role.get("window")
        fields = by_role.get("window end", []) + by_role.get("key", [])
        values = by_role.get("value", [])
        return cls(
            heads=[raws[windows[0].name] if windows else counted, *(raws[f.name] for f in fields)],
            fields=fields,
            values=[(f, raws[f.name]) for f in values],
            valid=[_there(by_role.get("valid", []), f, raws) for f in values],
        )


def _there(valid, field, raws):
    """In which rows a value is one; None if in all."""
    bits = [raws[v.name] != 0 for v in valid if v.of in (None, field.name)]
    return np.all(bits, axis=0) if bits else None


def windows_in(told, packets):
    """The packets of a stream as the rows of a window each, where they are not so by themselves.

    Raises DeviceError when the packet that ends a stream lacks.
    """
    if told.marked:
        if not packets or len(packets[-1]):
            raise DeviceError(
                "the last packet of a stream must be without a row, and is not; was the stream "
                "cut? reset() and run it again"
            )
        packets = packets[:-1]
    if told.host["row_is_window"]:
        return [row[None] for packet in packets for row in packet]
    return packets
