"""Converts columns of raw integers to the bytes of tuples, and bytes of rows to columns.

A field begins at a whole byte, and its lowest byte comes first: -2 in a signed field of 12 bits is
fe ff.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .description import Stream


def pack(columns: Sequence[np.ndarray], stream: Stream) -> np.ndarray:
    """Returns tuples as bytes: uint8, shape (tuples, bytes of a tuple).

    ``columns`` has one column of raw integers for each field: int64, uint64, or an array of Python
    integers, which a field of more than 8 bytes needs.
    """
    count = len(columns[0])
    tuples = np.zeros((count, stream.bytes), np.uint8)
    for column, field in zip(columns, stream.fields, strict=True):
        at = field.offset // 8
        tuples[:, at : at + field.bytes] = _bytes(column, field.bytes)
    return tuples


def unpack(rows: np.ndarray, stream: Stream) -> list[np.ndarray]:
    """Returns the columns of raw integers in ``rows``, in the order of the fields.

    The result is a list, because two fields may have the same name: the flag ``valid``, and a
    result that the query calls ``valid``. For the types of the columns see `numbers_of`.
    """
    return [_column_of(rows[:, f.offset // 8 :][:, : f.bytes], f) for f in stream.fields]


def numbers_of(column: Iterable[int], width: int, signed: bool) -> np.ndarray:
    """Returns the numbers that the lowest ``width`` bits of raw integers represent.

    The result is int64 if unsigned numbers have at most 63 bits or signed ones at most 64, else an
    array of Python integers. Example: with width 4, signed, the raw integers 7, 8 and 31 are the
    numbers 7, -8 and -1.
    """
    mask, half = (1 << width) - 1, 1 << width - 1
    lowest = (int(raw) & mask for raw in column)
    numbers = [n - (1 << width) if signed and n >= half else n for n in lowest]
    return _array(numbers) if width > 63 + signed else np.array(numbers, np.int64)


def _bytes(column, size):
    """Returns the lowest ``size`` bytes of each number: uint8, shape (numbers, size)."""
    if column.dtype == object:  # for instance any field of more than 8 bytes
        mask = (1 << 8 * size) - 1
        raw = b"".join((int(v) & mask).to_bytes(size, "little") for v in column)
        return np.frombuffer(raw, np.uint8).reshape(len(column), size)
    words = np.ascontiguousarray(column).astype("<u8" if column.dtype == np.uint64 else "<i8")
    return words.view(np.uint8).reshape(len(column), 8)[:, :size]


def _column_of(part, field):
    """Returns one field's column of raw integers, out of the field's bytes in each row."""
    width, signed = field.width, field.signed
    if width > 63 + signed:
        numbers = [int.from_bytes(row.tobytes(), "little") for row in part]
        return numbers_of(numbers, width, signed)
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
