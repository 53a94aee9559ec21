"""Converts a column of values to the raw integers of the hardware, and raw integers to values."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from numbers import Number

import numpy as np

from .description import Field
from .errors import TableError

_TYPE = re.compile(r"(int|uint|fixed|float|double|string)(?:\((\d+)(?:,(\d+))?\))?")
#: A number as a text; Python also takes 1_000 and 1/3, which no other reader of Sluice does.
_NUMERAL = re.compile(
    r"[ \t]*([+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?0*[0-9]{1,3})?"
    r"|[+-]?(nan|inf|infinity))[ \t]*",
    re.I,
)
_LONGEST_NUMERAL = 1200  # characters of a number, without blanks around it
#: Types of values that Python or NumPy would convert to numbers.
_NO_NUMBERS = (np.datetime64, np.timedelta64, bytes, bytearray, memoryview)
_FLOATS = {"float": (np.float32, np.uint32), "double": (np.float64, np.uint64)}


def raw_of(values: np.ndarray, name: str, type_: str, raw: bool = False) -> np.ndarray:
    """Returns the raw integers of a column's values: int64, uint64, or Python integers.

    Fixed-point values are rounded to the nearest raw integer, ties to even; with ``raw`` the values
    are raw integers already. A floating-point value becomes the integer with the same bits. A
    string becomes an integer with the string's first byte as the highest byte.

    Example: 1.5 in ``fixed(4,4)`` is 24, which is 1.5 * 2^4.

    Raises TableError, with the row and the value, if a value does not fit ``type_``.
    """
    kind, first, second = _parsed(type_)
    if values.dtype.kind in "mM":  # NumPy's dates and times, whose integers have units of their own
        raise TableError(
            f"column {name} must be of numbers, not {values.dtype}; a time is a number in the "
            "unit of its column"
        )
    if kind == "string":
        return _strings(values, name, type_, first)
    if values.dtype.kind in "cSV":
        raise TableError(f"column {name} must be of numbers, not {values.dtype}")
    if values.dtype.kind in "OUT":
        texts = [value if isinstance(value, str) else "0" for value in values.tolist()]
        invalid = np.array([not _is_number(text) for text in texts], np.bool_)
        _refuse(invalid, values, name, f"must be a number for {type_}")
    if kind in _FLOATS:
        return _floats(values, name, type_, *_FLOATS[kind])
    width = first + second if kind == "fixed" else first
    signed = kind != "uint"
    is_rounded = kind == "fixed" and not raw
    fraction = second if is_rounded else 0
    low, high = (-(1 << width - 1), 1 << width - 1) if signed else (0, 1 << width)
    if values.dtype.kind == "f" and is_rounded:
        wide = values.astype(np.promote_types(values.dtype, np.float64))
        with np.errstate(over="ignore"):  # an infinity does not fit, as the check below finds
            scaled = np.rint(np.ldexp(wide, fraction))
        _refuse(~((scaled >= low) & (scaled < high)), values, name, f"must fit {type_}")
        return scaled.astype(np.int64)
    numbers = _integers(values, name, type_, fraction, is_rounded)
    _refuse(_out_of_range(numbers, low, high - 1), values, name, f"must fit {type_}")
    return numbers.astype(np.uint64 if not signed and width > 63 else np.int64)


def values_of(raws: np.ndarray, field: Field, raw: bool = False) -> np.ndarray:
    """Returns the values that the raw integers of a row's field represent.

    Fixed-point values become float64, rounded where float64 has too few bits; with ``raw`` they
    remain raw integers.
    """
    kind = None if field.type is None else _parsed(field.type)[0]
    if kind == "string":
        size = field.bytes
        texts = (int(raw).to_bytes(size, "big").rstrip(b"\0").decode() for raw in raws)
        return np.array(list(texts), str)
    if kind in _FLOATS:
        value, bits = _FLOATS[kind]
        return np.array([int(raw) for raw in raws], bits).view(value)
    if field.fraction and not raw:
        return np.ldexp(np.array(raws, np.float64), -field.fraction)
    if raws.dtype == object and field.width <= 64 and not field.signed:
        return raws.astype(np.uint64)
    return raws


def order_key(raws: np.ndarray, type_: str) -> np.ndarray:
    """Returns integers that have the same order as the values; in floating point -0 precedes +0."""
    kind = _parsed(type_)[0]
    if kind not in _FLOATS:
        return raws
    size = np.dtype(_FLOATS[kind][0]).itemsize
    bits = raws.astype(f"u{size}").view(f"i{size}")
    top_bit = np.array(-(1 << 8 * size - 1)).astype(bits.dtype)
    return np.where(bits < 0, top_bit - bits - 1, bits)


def is_nan(raws: np.ndarray, type_: str) -> np.ndarray:
    """Returns True for each raw integer that represents NaN."""
    kind = _parsed(type_)[0]
    if kind not in _FLOATS:
        return np.zeros(len(raws), np.bool_)
    value, bits = _FLOATS[kind]
    return np.isnan(raws.astype(bits).view(value))


def _parsed(type_):
    """Returns the kind and the two sizes of a type: ("fixed", 4, 4) for ``fixed(4,4)``."""
    kind, first, second = _TYPE.fullmatch(type_).groups()
    return kind, int(first or 32), int(second or 0)


def _is_number(text):
    """Returns True if a text is a number as the query language defines it."""
    return len(text.strip(" \t")) <= _LONGEST_NUMERAL and _NUMERAL.fullmatch(text) is not None


def _strings(values, name, type_, length):
    texts = values.tolist()
    invalid = np.array([not isinstance(text, str) for text in texts], np.bool_)
    _refuse(invalid, values, name, "must be a text")
    invalid = np.array([not _is_utf8(text) for text in texts], np.bool_)
    _refuse(invalid, values, name, "must be a text in UTF-8")
    data = [text.encode() for text in texts]
    invalid = np.array([len(text) > length for text in data], np.bool_)
    _refuse(invalid, values, name, f"must fit {type_}")
    numbers = [int.from_bytes(text.ljust(length, b"\0"), "big") for text in data]
    return np.array(numbers, np.uint64) if length <= 8 else _objects(numbers)


def _is_utf8(text):
    """Returns True unless a text has half of a surrogate pair, which UTF-8 cannot represent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _numbers(values):
    """Returns an array's values as Python's numbers; NumPy's integers would overflow in products.

    Raises TypeError for NumPy's dates and times, and for bytes: Python reads ``b"1_5"`` as 15.
    """
    items = values.tolist()
    if any(isinstance(item, _NO_NUMBERS) for item in items):
        raise TypeError
    return [item.item() if isinstance(item, np.generic) else item for item in items]


def _floats(values, name, type_, kind, bits):
    floats = values
    try:
        if values.dtype.kind in "OUT":
            floats = np.array([_float(value, kind) for value in _numbers(values)], np.float64)
        with np.errstate(over="ignore"):
            numbers = floats.astype(kind)
    except (TypeError, ValueError):
        raise TableError(f"column {name} must be of numbers, not {values.dtype}") from None
    is_infinite = np.isinf(numbers)
    if is_infinite.any():
        was_finite = np.array([_is_finite_number(value) for value in values.tolist()], np.bool_)
        _refuse(is_infinite & was_finite, values, name, f"must fit {type_}")
    return numbers.view(bits).astype(np.uint64)


def _float(value, kind):
    """Returns a value as a float of 64 bits that rounds to ``kind`` as the exact value does.

    The nearest float of 64 bits may lie midway between two floats of 32 bits although the value
    does not, and would then be rounded the wrong way. So the neighbour of the value whose last bit
    is 1 is taken. A number that is too large becomes infinite.
    """
    try:
        wide = float(value)
    except OverflowError:
        return math.inf
    if kind is np.float64 or isinstance(value, float) or not math.isfinite(wide):
        return wide
    exact = Fraction(value)
    if wide == exact or np.float64(wide).view(np.uint64) & np.uint64(1):
        return wide
    return math.nextafter(wide, math.inf if wide < exact else -math.inf)


def _is_finite_number(value):
    """Returns True for a number, also as a Decimal or a text, that is not infinite or NaN."""
    if isinstance(value, str):
        return not any(letter in "iInN" for letter in value)  # inf, infinity, nan
    return isinstance(value, Number) and value not in (math.inf, -math.inf)


def _integers(values, name, type_, fraction, is_rounded):
    """Returns the values times 2^``fraction`` as integers, wide enough for each value.

    With ``is_rounded`` the products are rounded to the nearest integer; without it a value that is
    not a whole number raises TableError.
    """
    if values.dtype.kind in "iub" and not fraction:
        return values if values.dtype.kind == "u" else values.astype(np.int64)
    if values.dtype.kind == "f":
        is_integer = np.isfinite(values) & (np.trunc(values) == values)
        _refuse(~is_integer, values, name, f"must be a whole number for {type_}")
        return _objects([int(value) << fraction for value in values.tolist()])
    try:
        values_exact = [Fraction(item) for item in _numbers(values)]
        numbers = [round(value * (1 << fraction)) for value in values_exact]
        exact = [is_rounded or n == value for n, value in zip(numbers, values_exact, strict=True)]
    except (TypeError, ValueError, OverflowError):
        raise TableError(f"column {name} must be of numbers, not {values.dtype}") from None
    inexact = ~np.array(exact, np.bool_)
    _refuse(inexact, values, name, f"must be a whole number for {type_}")
    return _objects(numbers)


def _out_of_range(numbers, low, high):
    """Returns True for each number below ``low`` or above ``high``."""
    if numbers.dtype == object:
        return np.array([not low <= n <= high for n in numbers], np.bool_)
    info = np.iinfo(numbers.dtype)
    out_of_range = np.zeros(len(numbers), np.bool_)
    if low > info.min:
        out_of_range |= numbers < low
    if high < info.max:
        out_of_range |= numbers > high
    return out_of_range


def _refuse(invalid, values, name, requirement):
    """Raises TableError for the first row in which ``invalid`` is True."""
    if invalid.any():
        row = int(np.flatnonzero(invalid)[0])
        value = values[row].item() if hasattr(values[row], "item") else values[row]
        raise TableError(f"column {name}, row {row}: {requirement}, not {value!r:.60}")


def _objects(values):
    """Returns a one-dimensional array of Python objects."""
    array = np.empty(len(values), object)
    array[:] = values
    return array
