"""Between columns of raw integers and the bytes of tuples and rows."""

import numpy as np


def pack(columns, stream):
    """Tuples of one column of raw integers for each field: uint8, shape (tuples, bytes).

    Columns are int64, uint64, or arrays of Python integers where 64 bits do not hold them.
    """
    count = len(columns[0])
    tuples = np.zeros((count, stream.bytes), np.uint8)
    for column, field in zip(columns, stream.fields, strict=True):
        at = field.offset // 8
        tuples[:, at : at + field.bytes] = _bytes(column, field.bytes)
    return tuples


def unpack(rows, stream):
    """The columns of raw integers in ``rows``, by the names of their fields.

    Up to 63 bits, and signed ones of 64, they are int64; wider ones arrays of Python integers.
    """
    return {f.name: _number(rows[:, f.offset // 8 :][:, : f.bytes], f) for f in stream.fields}


def as_wide(column, width, signed):
    """What the lowest ``width`` bits of raw integers stand for."""
    mask, half = (1 << width) - 1, 1 << width - 1
    numbers = (int(raw) & mask for raw in column)
    wide = [n - (1 << width) if signed and n >= half else n for n in numbers]
    return _array(wide) if width > 63 + signed else np.array(wide, np.int64)


def _bytes(column, size):
    if column.dtype == object:  # so is each column of more than 8 bytes
        mask = (1 << 8 * size) - 1
        raw = b"".join((int(v) & mask).to_bytes(size, "little") for v in column)
        return np.frombuffer(raw, np.uint8).reshape(len(column), size)
    words = np.ascontiguousarray(column).astype("<u8" if column.dtype == np.uint64 else "<i8")
    return words.view(np.uint8).reshape(len(column), 8)[:, :size]


def _number(part, field):
    width, signed = field.width, field.signed
    if width > 63 + signed:
        numbers = [int.from_bytes(row.tobytes(), "little") for row in part]
        return as_wide(numbers, width, signed)
    words = np.zeros((len(part), 8), np.uint8)
    words[:, : part.shape[1]] = part
    up = np.uint64(64 - width)  # the sign to the top, and back with it
    raised = words.view("<u8").reshape(-1) << up
    if signed:
        return raised.view("<i8").astype(np.int64) >> np.int64(64 - width)
    return (raised >> up).astype(np.int64)


def _array(values):
    out = np.empty(len(values), object)
    out[:] = values
    return out
