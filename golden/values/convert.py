"""Converts the columns of a file, text or numbers, to raw values, whole columns at a time.

The conversion is exact: a decimal text never passes through binary floating point on its way to
fixed point. Each distinct text is converted once. Array arithmetic converts the common spellings of
numbers. The type's own ``parse`` converts the others, and words the errors.
"""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.tuples import arrow_type
from query.errors import brief
from query.types import BLANKS, NUMBER, Fixed, Float, String, Type


@dataclass(frozen=True)
class BadValue:
    """Describes the first value of a column that does not fit the column's type.

    Attributes
    ----------
    row : int
        Row of the value, from 0.
    reason : str
    """

    row: int
    reason: str


def raw_column(values: pa.ChunkedArray | pa.Array, type_: Type) -> pa.Array | BadValue:
    """Returns a column of `golden.tuples.arrow_type`, or the first value that does not fit.

    Fixed point is value * 2**F, rounded to nearest with ties to even. For an integer type each
    value must be whole. A text that holds a number may have blanks around the number.
    """
    column = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        return BadValue(pc.index(pc.is_null(column), True).as_py(), "there is no value")
    if pa.types.is_null(column.type):
        return pa.array([], arrow_type(type_))
    if pa.types.is_string_view(column.type):
        column = column.cast(pa.string())
    if pa.types.is_decimal32(column.type) or pa.types.is_decimal64(column.type):
        column = column.cast(pa.decimal128(column.type.precision, column.type.scale))
    if _is_text(column.type) and (row := _not_utf8(column)) is not None:
        return BadValue(row, "the text is not UTF-8")
    if not (_is_text(column.type) or _is_number(column.type)):
        return BadValue(0, f"a {column.type} is no value for {type_}")
    coded = column.dictionary_encode()
    distinct, codes = coded.dictionary, coded.indices.to_numpy(zero_copy_only=False)
    numbers, reasons = _distinct(distinct, type_)
    if reasons:
        row = int(np.flatnonzero(np.isin(codes, np.fromiter(reasons, np.int64)))[0])
        return BadValue(row, reasons[int(codes[row])])
    return numbers.take(pa.array(codes)) if len(codes) else pa.array([], arrow_type(type_))


def _distinct(values, type_):
    """Returns (raw values of distinct values, reasons); a reason says why a value does not fit.

    The raw values may be None if there is a reason.
    """
    if _is_text(values.type):
        values = values.cast(pa.string())
        return _strings(values, type_) if isinstance(type_, String) else _texts(values, type_)
    if isinstance(type_, String):
        reason = f"a {values.type} is no value for {type_}"
        return None, dict.fromkeys(range(len(values)), reason)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int64())
    if isinstance(type_, Float):
        return _floats(values, type_)
    if pa.types.is_integer(values.type):
        return _whole_numbers(values, type_)
    if isinstance(type_, Fixed) and pa.types.is_float32(values.type):
        values = values.cast(pa.float64())
    return _exact([_text(value) for value in values.to_pylist()], type_)


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _not_utf8(column):
    """Returns the first row whose text is not UTF-8; None if there is none.

    Parquet does not promise UTF-8.
    """
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        binary = pa.large_binary() if pa.types.is_large_string(column.type) else pa.binary()
        for row, text in enumerate(column.view(binary).to_pylist()):
            try:
                text.decode()
            except UnicodeDecodeError:
                return row
        raise
    return None


def _is_number(kind):
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    return any(test(kind) for test in tests)


def _text(value):
    """Returns a number as text of exactly the same value."""
    if isinstance(value, float) and value - value == 0:
        return format(Decimal(value), "f")
    return str(value)


def _strings(values, type_):
    too_long = np.flatnonzero(pc.greater(pc.binary_length(values), type_.length))
    return values, {int(i): _reason(values[int(i)].as_py(), type_) for i in too_long}


def _texts(values, type_):
    """Converts texts of numbers: arrays of common spellings at once, and other texts singly."""
    values = pc.ascii_trim(values, characters=BLANKS)
    if isinstance(type_, Float):
        plain = pc.match_substring_regex(values, r"^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]{1,3})?$")
        plain = pc.and_(plain, pc.less_equal(pc.binary_length(values), NUMBER))
        return _merged(values, plain, _float_texts, type_)
    if type_.raw_max >= 1 << 63:
        return _exact(values.to_pylist(), type_)
    plain = pc.match_substring_regex(values, r"^-?[0-9]{1,12}(\.[0-9]{1,6})?$")
    return _merged(values, plain, _decimal_texts, type_)


def _merged(values, plain, convert, type_):
    """Converts the plain texts by ``convert``, and the others by the type's ``parse``.

    ``convert`` returns numbers and a mask. The type's ``parse`` also converts plain texts whose
    mask is False.
    """
    plain = plain.to_numpy(zero_copy_only=False)
    numbers, good = convert(values.filter(pa.array(plain)), type_)
    dtype = arrow_type(type_).to_pandas_dtype()
    out = np.zeros(len(values), dtype)
    converted = plain.copy()
    converted[plain] = good
    out[converted] = numbers[good]
    other_rows = np.flatnonzero(~converted)
    others, reasons = _exact(values.take(pa.array(other_rows)).to_pylist(), type_)
    if reasons:
        return None, {int(other_rows[i]): reason for i, reason in reasons.items()}
    out[other_rows] = others.to_numpy(zero_copy_only=False)
    return pa.array(out, arrow_type(type_)), {}


def _float_texts(texts, type_):
    """Rounds each text once, by Arrow; a number that becomes infinite does not fit."""
    numbers = texts.cast(arrow_type(type_)).to_numpy(zero_copy_only=False)
    return numbers, np.isfinite(numbers)


def _whole_numbers(values, type_):
    """Converts Arrow's integers, of any width, to integers or fixed point."""
    numbers = values.to_numpy(zero_copy_only=False)
    low, high = -(-type_.raw_min >> type_.fraction), type_.raw_max >> type_.fraction
    bad = np.flatnonzero((numbers < low) | (numbers > high))
    if len(bad):
        return None, {int(i): _reason(str(numbers[i]), type_) for i in bad}
    raws, fraction = values.cast(arrow_type(type_)), type_.fraction
    if fraction:
        for bits in (fraction // 2, fraction - fraction // 2):  # Arrow does not shift by 63
            raws = pc.shift_left(raws, bits)
    return raws, {}


def _floats(values, type_):
    """Rounds numbers to floats, once; a finite number that becomes infinite does not fit."""
    if pa.types.is_decimal(values.type):
        return _texts(values.cast(pa.string()), type_)
    exact = values.to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        numbers = exact.astype(arrow_type(type_).to_pandas_dtype())
    bad = np.flatnonzero(np.isinf(numbers) & np.isfinite(exact))
    reasons = {int(i): f"{brief(values[int(i)])} does not fit {type_}" for i in bad}
    return (None if reasons else pa.array(numbers)), reasons


def _decimal_texts(texts, type_):
    """Converts texts with at most 12 digits before the point and 6 after it.

    The mask is False where a product would not fit 63 bits, where an integer type gets a fraction,
    and where the number lies outside the type.
    """
    frac = type_.fraction
    point = pc.find_substring(texts, ".").to_numpy(zero_copy_only=False)
    length = pc.utf8_length(texts).to_numpy(zero_copy_only=False)
    places = np.where(point < 0, 0, length - point - 1).astype(np.int64)
    digits = pc.replace_substring(pc.replace_substring(texts, ".", ""), "-", "")
    scale = 10**places
    integer, part = np.divmod(digits.cast(pa.int64()).to_numpy(zero_copy_only=False), scale)
    if not isinstance(type_, Fixed):
        number, good = integer, part == 0
    elif frac > 40:  # part * 2**frac must fit 63 bits, and part < 10**6 < 2**20, so 60 bits fit
        return integer, np.zeros(len(integer), bool)
    else:
        quotient, remainder = np.divmod(part << frac, scale)
        up = 2 * remainder > scale
        tie = 2 * remainder == scale
        good = integer < 1 << (62 - frac)
        number = (np.where(good, integer, 0) << frac) + quotient
        number = number + (up | (tie & (number % 2 == 1)))
    negative = pc.starts_with(texts, "-").to_numpy(zero_copy_only=False)
    number = np.where(negative, -number, number)
    return number, good & (number >= type_.raw_min) & (number <= type_.raw_max)


def _exact(texts, type_):
    """Parses the texts one by one; the raw bits of a float are converted to the float."""
    numbers, reasons = [], {}
    for i, text in enumerate(texts):
        try:
            number = type_.parse(text)
        except ValueError as error:
            reasons[i] = str(error)
        else:
            numbers.append(type_.value(number) if type_.floating else number)
    if reasons:
        return None, reasons
    if type_.raw_max >= 1 << 63 and not type_.floating:
        numbers = [Decimal(number) for number in numbers]
    return pa.array(numbers, arrow_type(type_)), {}


def _reason(text, type_):
    try:
        type_.parse(text)
    except ValueError as error:
        return str(error)
    raise ValueError(f"{text!r} must be no value of {type_}")
