"""Converts packets to columns of values, with the column names of `sluice golden`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .columns import values_of
from .description import Description, Field
from .errors import DeviceError
from .packing import numbers_of, unpack


def rows_of(
    description: Description, streams: Sequence[list[np.ndarray]], raw: bool = False
) -> dict[str, np.ndarray]:
    """Returns the rows that an engine has computed for a table.

    A table is sent as one stream, or once for each function if the register ``function`` chooses
    the function. Then each stream has the column of one function, and the rows have all columns.

    Parameters
    ----------
    description : Description
    streams : sequence of list of numpy.ndarray
        The packets of each stream: uint8, shape (rows, bytes of a row).
    raw : bool
        True if fixed-point columns of the rows shall hold raw integers.

    Returns
    -------
    dict of str to numpy.ndarray
        Columns in the order of the query; a masked array if a value may be NULL.

    Raises
    ------
    DeviceError
        When the streams do not have the same windows and groups, or a stream lacks its end marker.
    """
    parts = [_RawRows.from_packets(description, packets) for packets in streams]
    first = parts[0]
    for part in parts[1:]:
        if any(not np.array_equal(a, b) for a, b in zip(part.labels, first.labels, strict=True)):
            raise DeviceError(
                "windows and groups must be equal for all functions, and are not; did a "
                "reset cut a stream? call reset(), and run the table again"
            )
    if description.functions:
        chosen = [Field(offset=0, name="", **c) for c in description.host["chosen"]]
        chosen_values = [(part.values[0][1], f) for part, f in zip(parts, chosen, strict=True)]
        values = [(numbers_of(raws, f.width, f.signed), f) for raws, f in chosen_values]
        valid = [part.valid[0] for part in parts]
    else:
        values, valid = [(raws, field) for field, raws in first.values], first.valid
    columns = [first.labels[0]]
    columns += [values_of(r, f, raw) for f, r in zip(first.fields, first.labels[1:], strict=True)]
    for (raws, field), is_valid in zip(values, valid, strict=True):
        column = values_of(raws, field, raw)
        columns.append(column if is_valid is None else np.ma.masked_array(column, ~is_valid))
    return dict(zip(description.host["rows"], columns, strict=True))


@dataclass(frozen=True)
class _RawRows:
    """The raw columns of one stream's rows, sorted by the roles of their fields.

    Attributes
    ----------
    labels : list of numpy.ndarray
        Window numbers, then the columns with the roles "window end" and "key".
    fields : list of Field
        The fields of ``labels`` except for the window numbers, which may have no field.
    values : list of (Field, numpy.ndarray)
        The columns with the role "value".
    valid : list of (numpy.ndarray or None)
        For each of ``values``: True for each row with a valid value; None if all values are valid.
    """

    labels: list
    fields: list
    values: list
    valid: list

    @classmethod
    def from_packets(cls, description: Description, packets: list[np.ndarray]) -> _RawRows:
        """Unpacks the rows of a stream; without a window field, packets number the windows."""
        stream = description.rows
        empty = np.zeros((0, stream.bytes), np.uint8)
        packets = window_packets(description, packets)
        raws = unpack(np.concatenate([empty, *packets]), stream)
        by_role: dict[str | None, list[tuple[Field, np.ndarray]]] = {}
        for field, column in zip(stream.fields, raws, strict=True):
            by_role.setdefault(field.role, []).append((field, column))
        packet_numbers = np.repeat(np.arange(len(packets)), [len(packet) for packet in packets])
        windows = by_role.get("window")
        labels = by_role.get("window end", []) + by_role.get("key", [])
        values, flags = by_role.get("value", []), by_role.get("valid", [])
        return cls(
            labels=[
                windows[0][1] if windows else packet_numbers,
                *(column for _, column in labels),
            ],
            fields=[field for field, _ in labels],
            values=values,
            valid=[_validity(flags, field) for field, _ in values],
        )


def _validity(flags, field):
    """Returns True for each row with a valid value of ``field``, or None if all are valid.

    ``flags`` are the fields with the role "valid", and their columns.
    """
    bits = [column != 0 for flag, column in flags if flag.of in (None, field.name)]
    return np.all(bits, axis=0) if bits else None


def window_packets(description: Description, packets: list[np.ndarray]) -> list[np.ndarray]:
    """Returns a stream's packets as one packet for each window.

    The packet without a row that marks the end of the stream is removed. If each window has exactly
    one row, packets of many windows are split into rows.

    Raises DeviceError if the engine sends end markers and the stream has none.
    """
    if description.marked:
        if not packets or len(packets[-1]):
            raise DeviceError(
                "the last packet of a stream must be without a row, and is not; did a reset cut "
                "the stream? call reset(), and run the table again"
            )
        packets = packets[:-1]
    if description.host["row_is_window"]:
        return [row[None] for packet in packets for row in packet]
    return packets
