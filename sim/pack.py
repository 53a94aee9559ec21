"""Converts golden's Arrow columns of raw values to the integers of the hardware, and back.

The hardware represents each value as a raw bit pattern (see :mod:`query.types`). Columns of bit
patterns are int64, uint64, or Python integers where 64 bits are too few.
"""

from decimal import Decimal

import numpy as np
import pyarrow as pa

from query.types import Double, String, Type

_LEAST = {4: np.int32(-1 << 31), 8: np.int64(-1 << 63)}


def to_raw(column, type_: Type):
    """Returns the raw integers of an Arrow column of type ``golden.tuples.arrow_type(type_)``.

    Returns
    -------
    numpy.ndarray of int64, uint64 or object
    """
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(type_, String):
        return _raw_strings(column.to_pylist(), type_.length)
    if pa.types.is_decimal(column.type):
        return column.cast(pa.uint64()).to_numpy(zero_copy_only=False)
    values = column.to_numpy(zero_copy_only=False)
    if type_.floating:
        kind = np.uint64 if isinstance(type_, Double) else np.uint32
        return values.view(kind).astype(np.uint64)
    return values.astype(np.int64)


def to_arrow(raws, kind: pa.DataType, type_: Type | None = None):
    """Returns an Arrow array of type ``kind`` from raw integers.

    Parameters
    ----------
    raws : numpy.ndarray of int64, uint64 or object
    kind : pyarrow.DataType
        int64, a decimal, a float or string, for example from ``golden.answer.row_types``.
    type_ : Type or None
        The query's type, which is required for strings.
    """
    if pa.types.is_string(kind):
        return pa.array([type_.value(int(raw)) for raw in raws], kind)
    if pa.types.is_floating(kind):
        bits, floats = (np.uint32, np.float32) if kind == pa.float32() else (np.uint64, np.float64)
        return pa.array(raws.astype(np.uint64).astype(bits).view(floats), kind)
    if pa.types.is_decimal(kind):
        return pa.array([Decimal(int(raw)) for raw in raws], kind)
    return pa.array(raws.astype(np.int64), kind)


def as_shape(raws, width, signed):
    """Returns the integers that the lowest ``width`` bits of ``raws`` represent.

    The integers are int64, or Python integers if ``width`` is above 63 or ``raws`` has Python
    integers. For instance 15 in 4 bits is -1 if ``signed``, else 15.
    """
    if width > 63 or raws.dtype == object:
        mask, half = (1 << width) - 1, 1 << (width - 1)
        numbers = [int(raw) & mask for raw in raws]
        array = np.empty(len(numbers), object)
        array[:] = [n - (1 << width) if signed and n >= half else n for n in numbers]
        return array
    shift = np.int64(64 - width)
    bits = raws.astype(np.int64).view(np.uint64) << np.uint64(shift)
    return (bits.view(np.int64) >> shift) if signed else (bits >> np.uint64(shift)).view(np.int64)


def order_key(raws, type_: Type):
    """Returns integers that sort as the values: floats in totalOrder, strings by their bytes."""
    if not type_.floating:
        return raws
    size = type_.width // 8
    bits = raws.astype(np.uint64).astype(f"u{size}").view(f"i{size}")
    return np.where(bits < 0, _LEAST[size] - bits - 1, bits)


def _raw_strings(texts, length):
    data = [text.encode().ljust(length, b"\0") for text in texts]
    if length > 8:
        raws = np.empty(len(data), object)
        raws[:] = [int.from_bytes(text, "big") for text in data]
        return raws
    words = np.frombuffer(b"".join(text.rjust(8, b"\0") for text in data), ">u8")
    return words.astype(np.uint64)
