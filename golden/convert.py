"""Columns as a file holds them, text or numbers, to raw values; whole columns at a time.

Exact: a decimal text is never rounded through binary floating point on its way to fixed point.
Each distinct text is looked at once; common spellings of numbers are converted by array
arithmetic, and the rest by the type's own ``parse``, which also words the errors.
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
class Bad:
    """The first value of a column that is none of its type: its row, from 0, and what is wrong."""

    row: int
    reason: str


def raw(values: pa.ChunkedArray, type_: Type) -> pa.Array | Bad:
    """``values`` as a column of `golden.tuples.arrow_type`, or the first one that does not fit.

    Fixed point is value * 2**F, rounded to nearest with ties to even. Integers must be whole
    numbers. Text may be blank-padded where a number is meant.
    """
    column = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
    if column.null_count:
        return Bad(pc.index(pc.is_null(column), True).as_py(), "there is no value")
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if _is_text(column.type) and (row := _not_utf8(column)) is not None:
        return Bad(row, "the text is not UTF-8")
    if not (_is_text(column.type) or _is_number(column.type)):
        return Bad(0, f"a {column.type} is no value for {type_}")
    coded = column.dictionary_encode()
    distinct, codes = coded.dictionary, coded.indices.to_numpy(zero_copy_only=False)
    numbers, reasons = _distinct(distinct, type_)
    if reasons:
        row = int(np.flatnonzero(np.isin(codes, np.fromiter(reasons, np.int64)))[0])
        return Bad(row, reasons[int(codes[row])])
    return numbers.take(pa.array(codes)) if len(codes) else pa.array([], arrow_type(type_))


def _distinct(values, type_):
    """(column, reasons): the raw values of distinct values, and why those that are none are not."""
    if _is_text(values.type):
        values = values.cast(pa.string())
        return _strings(values, type_) if isinstance(type_, String) else _texts(values, type_)
    if isinstance(type_, String):
        reason = f"a {values.type} is no value for {type_}"
        return None, dict.fromkeys(range(len(values)), reason)
    if isinstance(type_, Float):
        return _floats(values, type_)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int64())
    if isinstance(type_, Fixed) and pa.types.is_float32(values.type):
        values = values.cast(pa.float64())
    return _exact([_text(value) for value in values.to_pylist()], type_)


def _is_text(kind):
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _not_utf8(column):
    """The first row whose text is not UTF-8, which Parquet does not promise; else None."""
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
    """A number as text that is exactly equal to it."""
    if isinstance(value, float) and value - value == 0:
        return format(Decimal(value), "f")
    return str(value)


def _strings(values, type_):
    too_long = pc.greater(pc.binary_length(values), type_.length)
    return values, _reasons(values.to_pylist(), np.flatnonzero(too_long), type_)


def _texts(values, type_):
    """Numbers in text: plain ones by arrays, the others one by one."""
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
    """``convert`` for the plain texts; it marks those that need the type's own parse instead."""
    plain = plain.to_numpy(zero_copy_only=False)
    numbers, good = convert(values.filter(pa.array(plain)), type_)
    dtype = arrow_type(type_).to_pandas_dtype()
    out = np.zeros(len(values), dtype)
    sure = plain.copy()
    sure[plain] = good
    out[sure] = numbers[good]
    rest = np.flatnonzero(~sure)
    others, reasons = _exact(values.take(pa.array(rest)).to_pylist(), type_)
    if reasons:
        return None, {int(rest[i]): reason for i, reason in reasons.items()}
    out[rest] = others.to_numpy(zero_copy_only=False)
    return pa.array(out, arrow_type(type_)), {}


def _float_texts(texts, type_):
    """Rounded once, by Arrow; what becomes infinite does not fit."""
    numbers = texts.cast(arrow_type(type_)).to_numpy(zero_copy_only=False)
    return numbers, np.isfinite(numbers)


def _floats(values, type_):
    """Numbers to floats, rounded once; a finite number that would become infinite does not fit."""
    if pa.types.is_decimal(values.type):
        return _texts(values.cast(pa.string()), type_)
    if pa.types.is_boolean(values.type):
        values = values.cast(pa.int64())
    exact = values.to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore"):
        numbers = exact.astype(arrow_type(type_).to_pandas_dtype())
    bad = np.flatnonzero(np.isinf(numbers) & np.isfinite(exact))
    reasons = {int(i): f"{brief(values[int(i)])} does not fit {type_}" for i in bad}
    return (None if reasons else pa.array(numbers)), reasons


def _decimal_texts(texts, type_):
    """At most 12 digits before the point and 6 after it: all products fit 63 bits, or are left."""
    frac = type_.fraction
    point = pc.find_substring(texts, ".").to_numpy(zero_copy_only=False)
    length = pc.utf8_length(texts).to_numpy(zero_copy_only=False)
    places = np.where(point < 0, 0, length - point - 1).astype(np.int64)
    digits = pc.replace_substring(pc.replace_substring(texts, ".", ""), "-", "")
    scale = 10**places
    whole, part = np.divmod(digits.cast(pa.int64()).to_numpy(zero_copy_only=False), scale)
    if not isinstance(type_, Fixed):
        number, good = whole, part == 0
    elif frac > 40:  # part * 2**frac must fit: part < 10**6 < 2**20
        return whole, np.zeros(len(whole), bool)
    else:
        quotient, remainder = np.divmod(part << frac, scale)
        up = 2 * remainder > scale
        tie = 2 * remainder == scale
        good = whole < 1 << (62 - frac)
        number = (np.where(good, whole, 0) << frac) + quotient
        number = number + (up | (tie & (number % 2 == 1)))
    negative = pc.starts_with(texts, "-").to_numpy(zero_copy_only=False)
    number = np.where(negative, -number, number)
    return number, good & (number >= type_.raw_min) & (number <= type_.raw_max)


def _exact(texts, type_):
    """One by one; raw bits of floats become the floats themselves."""
    numbers, bad = [], []
    for i, text in enumerate(texts):
        try:
            number = type_.parse(text)
        except ValueError:
            bad.append(i)
        else:
            numbers.append(type_.value(number) if type_.floating else number)
    if bad:
        return None, _reasons(texts, bad, type_)
    if type_.raw_max >= 1 << 63 and not type_.floating:
        numbers = [Decimal(number) for number in numbers]
    return pa.array(numbers, arrow_type(type_)), {}


def _reasons(texts, bad, type_):
    return {int(i): _reason(texts[int(i)], type_) for i in bad}


def _reason(text, type_):
    try:
        type_.parse(text)
    except ValueError as error:
        return str(error)
    raise ValueError(f"{text!r} must be no value of {type_}")
