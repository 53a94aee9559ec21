"""Converts columns of raw integers to the bytes of tuples, and bytes of rows to columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .description import Stream


def pack(columns: Sequence[np.ndarray], stream: Stream) -> np.ndarray:
    """Returns tuples as bytes: uint8, shape (tuples, bytes of a tuple).

    ``columns`` has one column of raw integers for each field: int64, uint64, or an array of Python
    integers where the numbers need more than 64 bits.
    """
    count = len(columns[0])
    tuples = np.zeros((count, stream.bytes), np.uint8)
    for column, field in zip(columns, stream.fields, strict=True):
        at = field.offset // 8
        tuples[:, at : at + field.bytes] = _bytes(column, field.bytes)
    return tuples


def unpack(rows: np.ndarray, stream: Stream) -> list[np.ndarray]:
    """Returns the columns of raw integers in ``rows``, in the order of the fields.

    Two fields may have the same name, such as the flag ``valid`` and a result of the query. Columns
    are int64 if unsigned numbers have at most 63 bits or signed ones at most 64. Wider columns are
    arrays of Python integers.
    """
    return [_number(rows[:, f.offset // 8 :][:, : f.bytes], f) for f in stream.fields]


def as_wide(column: Iterable[int], width: int, signed: bool) -> np.ndarray:
    """Returns the numbers that the lowest ``width`` bits of raw integers represent."""
    mask, half = (1 << width) - 1, 1 << width - 1
    numbers = (int(raw) & mask for raw in column)
    wide = [n - (1 << width) if signed and n >= half else n for n in numbers]
    return _array(wide) if width > 63 + signed else np.array(wide, np.int64)


def _bytes(column, size):
    """Returns the lowest ``size`` bytes of each number: uint8, shape (numbers, size)."""
    if column.dtype == object:  # every column of more than 8 bytes has this type
        mask = (1 << 8 * size) - 1
        raw = b"".join((int(v) & mask).to_bytes(size, "little") for v in column)
        return np.frombuffer(raw, np.uint8).reshape(len(column), size)
    words = np.ascontiguousarray(column).astype("<u8" if column.dtype == np.uint64 else "<i8")
    return words.view(np.uint8).reshape(len(column), 8)[:, :size]


def _number(part, field):
    """Returns one field's column of raw integers, out of the field's bytes in each row."""
    width, signed = field.width, field.signed
    if width > 63 + signed:
        numbers = [int.from_bytes(row.tobytes(), "little") for row in part]
        return as_wide(numbers, width, signed)
    words = np.zeros((len(part), 8), np.uint8)
    words[:, : part.shape[1]] = part
    up = np.uint64(64 - width)  # shifts the sign bit to bit 63; the shift back extends the sign
    raised = words.view("<u8").reshape(-1) << up
    if signed:
        return raised.view("<i8").astype(np.int64) >> np.int64(64 - width)
    return (raised >> up).astype(np.int64)


def _array(values):
    """Returns a one-dimensional array of Python objects."""
    array = np.empty(len(values), object)
    array[:] = values
    return array
