"""Between values as people have them and raw integers as hardware has them, a column at a time."""

import re
from fractions import Fraction

import numpy as np

from .errors import TableError

_TYPE = re.compile(r"(int|uint|fixed|float|double|string)(?:\((\d+)(?:,(\d+))?\))?")
_FLOATS = {"float": (np.float32, np.uint32), "double": (np.float64, np.uint64)}


def raw_of(values, name, type_, raw=False):
    """Raw integers of a column's values: int64, uint64, or Python integers.

    Fixed point is rounded to the nearest, ties to even, unless it is ``raw`` already. Floating
    point becomes its bits, a string its bytes, the first one highest.

    Raises TableError, with the row and the value that the type does not hold.
    """
    kind, first, second = _parsed(type_)
    if kind == "string":
        return _strings(values, name, type_, first)
    if kind in _FLOATS:
        return _floats(values, name, type_, *_FLOATS[kind])
    width = first + second if kind == "fixed" else first
    signed = kind != "uint"
    fraction = second if kind == "fixed" and not raw else 0
    low, high = (-(1 << width - 1), 1 << width - 1) if signed else (0, 1 << width)
    if values.dtype.kind == "f" and fraction:
        scaled = np.rint(np.ldexp(values.astype(np.float64), fraction))
        _refuse(~((scaled >= low) & (scaled < high)), values, name, f"must fit {type_}")
        return scaled.astype(np.int64)
    numbers = _whole(values, name, type_, fraction)
    _refuse(_outside(numbers, low, high - 1), values, name, f"must fit {type_}")
    return numbers.astype(np.uint64 if not signed and width > 63 else np.int64)


def values_of(raws, field, raw=False):
    """What the raw integers of a row's field stand for.

    Fixed point becomes float64, rounded where that has too few bits, unless it is to stay ``raw``.
    """
    kind = None if field.type is None else _parsed(field.type)[0]
    if kind == "string":
        size = field.bytes
        texts = (int(raw).to_bytes(size, "big").rstrip(b"\0").decode() for raw in raws)
        return _objects(list(texts))
    if kind in _FLOATS:
        value, bits = _FLOATS[kind]
        return np.array([int(raw) for raw in raws], bits).view(value)
    if field.fraction and not raw:
        return np.ldexp(np.array(raws, np.float64), -field.fraction)
    if raws.dtype == object and field.width <= 64 and not field.signed:
        return raws.astype(np.uint64)
    return raws


def order_key(raws, type_):
    """Integers that sort as the values do: floating point with -0 before +0."""
    kind = _parsed(type_)[0]
    if kind not in _FLOATS:
        return raws
    size = np.dtype(_FLOATS[kind][0]).itemsize
    bits = raws.astype(f"u{size}").view(f"i{size}")
    least = np.array(-(1 << 8 * size - 1)).astype(bits.dtype)
    return np.where(bits < 0, least - bits - 1, bits)


def is_nan(raws, type_):
    """Which of the raw integers stand for no number."""
    kind = _parsed(type_)[0]
    if kind not in _FLOATS:
        return np.zeros(len(raws), np.bool_)
    value, bits = _FLOATS[kind]
    return np.isnan(raws.astype(bits).view(value))


def _parsed(type_):
    kind, first, second = _TYPE.fullmatch(type_).groups()
    return kind, int(first or 32), int(second or 0)


def _strings(values, name, type_, length):
    texts = values.tolist()
    wrong = np.array([not isinstance(text, str) for text in texts], np.bool_)
    _refuse(wrong, values, name, "must be a text")
    data = [text.encode() for text in texts]
    wrong = np.array([len(text) > length or text.endswith(b"\0") for text in data], np.bool_)
    _refuse(wrong, values, name, f"must fit {type_}")
    numbers = [int.from_bytes(text.ljust(length, b"\0"), "big") for text in data]
    return np.array(numbers, np.uint64) if length <= 8 else _objects(numbers)


def _floats(values, name, type_, kind, bits):
    try:
        with np.errstate(over="ignore"):
            numbers = values.astype(kind)
    except (TypeError, ValueError):
        raise TableError(f"column {name} must be of numbers, not {values.dtype}") from None
    if values.dtype.kind == "f":
        _refuse(np.isinf(numbers) & np.isfinite(values), values, name, f"must fit {type_}")
    return numbers.view(bits).astype(np.uint64)


def _whole(values, name, type_, fraction):
    """The values times a power of two, as whole numbers that hold them."""
    if values.dtype.kind in "iub" and not fraction:
        return values if values.dtype.kind == "u" else values.astype(np.int64)
    if values.dtype.kind == "f":
        whole = np.isfinite(values) & (np.trunc(values) == values)
        _refuse(~whole, values, name, f"must be a whole number for {type_}")
        return _objects([int(value) << fraction for value in values.tolist()])
    try:
        numbers = [round(Fraction(value) * (1 << fraction)) for value in values.tolist()]
        exact = [fraction or n == value for n, value in zip(numbers, values.tolist(), strict=True)]
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"column {name} must be of numbers, not {values.dtype}") from None
    wrong = ~np.array(exact, np.bool_)
    _refuse(wrong, values, name, f"must be a whole number for {type_}")
    return _objects(numbers)


def _outside(numbers, low, high):
    if numbers.dtype == object:
        return np.array([not low <= n <= high for n in numbers], np.bool_)
    info = np.iinfo(numbers.dtype)
    outside = np.zeros(len(numbers), np.bool_)
    if low > info.min:
        outside |= numbers < low
    if high < info.max:
        outside |= numbers > high
    return outside


def _refuse(wrong, values, name, what):
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        found = values[row].item() if hasattr(values[row], "item") else values[row]
        raise TableError(f"column {name}, row {row}: {what}, not {found!r:.60}")


def _objects(values):
    out = np.empty(len(values), object)
    out[:] = values
    return out
