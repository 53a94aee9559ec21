"""Says which values of two files of rows are equal.

A column is compared as one *kind*:

=========== ================================== =====================================================
kind        types of Parquet                   equal are
=========== ================================== =====================================================
number      integers, decimals                 equal exact numbers, such as 1.5, 1.50 and 15e-1
float       float                              floats with equal bits; -0.0 and 0.0 differ
double      double                             doubles with equal bits
text        string                             equal texts, and no other ones
type's name any other type                     equal values of the same type
=========== ================================== =====================================================

If a column of Parquet has texts, and the query or the other file has numbers in this column, the
texts compare as numbers: golden's rows in parts have texts for numbers of more than 38 digits. NULL
equals only NULL. A CSV file has no types: its columns take the kinds of the query's rows, or of the
other file. Without either they are texts, so ``1.50`` and ``1.5`` differ.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from golden.answer import row_types
from query.query import Query
from query.types import NOT_FINITE, NUMERAL

_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
NUMBER, FLOAT, DOUBLE, TEXT = "number", "float", "double", "text"
_PLAIN = r"^[+-]?[0-9]+(\.[0-9]*)?$"
_FLOAT = f"^(?:{NUMERAL.pattern}|{NOT_FINITE.pattern})$"


class NotOfKindError(ValueError):
    """Reports a text that is no value of the column's kind, such as ``abc`` among numbers.

    Attributes
    ----------
    index : int
        Row of the text, from 0.
    side : int
        Table of the text, 0 or 1; `different` sets it.
    column : str
        Name of the column; `different` sets it.
    """

    def __init__(self, index: int, text: str, kind: str):
        super().__init__(f"{text!r} is no {kind}")
        self.index = index
        self.side = 0
        self.column = ""


def kind_of(type_: pa.DataType) -> str:
    """Returns the kind of a column of Parquet."""
    if pa.types.is_dictionary(type_):
        return kind_of(type_.value_type)
    if pa.types.is_integer(type_) or pa.types.is_decimal(type_):
        return NUMBER
    if pa.types.is_float32(type_):
        return FLOAT
    if pa.types.is_float64(type_):
        return DOUBLE
    if any(is_text(type_) for is_text in _TEXTS):
        return TEXT
    return str(type_)


def kinds_of_query(query: Query) -> dict[str, str]:
    """Returns the kind of each column of the query's rows."""
    return {name: kind_of(type_) for name, type_ in row_types(query)}


def different(a: pa.Table, b: pa.Table, kinds: Sequence[str]) -> pa.BooleanArray:
    """Returns for each row True if the two tables differ in it.

    The tables have equally many rows and the same columns, of the types of their files. ``kinds``
    has the kind of each column.

    Raises
    ------
    NotOfKindError
        When a text is no value of its column's kind.
    pa.ArrowNotImplementedError
        When Arrow cannot compare the types of a column, also if the tables are empty.
    """
    result = pa.array(np.zeros(a.num_rows, bool))
    for name, kind in zip(a.column_names, kinds, strict=True):
        forms = []
        for side, table in enumerate((a, b)):
            try:
                forms.append(_comparable(table[name], kind))
            except NotOfKindError as error:
                error.side, error.column = side, name
                raise
        x, y = forms
        result = pc.or_(result, pc.xor(pc.is_null(x), pc.is_null(y)))
        # Empty columns are compared, too: `sources.kinds_of` learns from the error of Arrow.
        if len(x) == 0 or (x.null_count < len(x) and y.null_count < len(y)):
            result = pc.or_(result, pc.fill_null(pc.not_equal(x, y), False))
    return result


def _comparable(column, kind):
    """Returns a column in a form whose values are equal exactly if the column's values are.

    Numbers become plain decimal texts, and floats the integers of their bits. Raises
    NotOfKindError.
    """
    column = column.combine_chunks()
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if kind not in (NUMBER, FLOAT, DOUBLE, TEXT):
        # Spark reads a column of Parquet's type null as texts, all of which are NULL.
        has_no_value = len(column) > 0 and column.null_count == len(column)
        return pa.nulls(len(column)) if has_no_value else column
    if pa.types.is_null(column.type) or kind_of(column.type) == TEXT:
        column = column.cast(pa.string())
    is_text = kind_of(column.type) == TEXT
    if kind == NUMBER:
        texts = column if is_text else column.cast(pa.string())
        return texts if pa.types.is_integer(column.type) else _plain_numbers(texts)
    if kind in (FLOAT, DOUBLE):
        floats = _floats(column, kind) if is_text else column
        return floats.view(pa.int32() if kind == FLOAT else pa.int64())
    return column.cast(pa.string())


def _plain_numbers(texts):
    """Returns exact decimals without exponent, plus, needless zeros, and minus before zero."""
    is_plain = pc.match_substring_regex(texts, _PLAIN)
    if not pc.all(is_plain).as_py():  # NULL counts as true here
        texts = pa.array(map(_plain_number, texts.to_pylist(), range(len(texts))), pa.string())
    has_point = pc.match_substring(texts, ".")
    trimmed = pc.utf8_rtrim(pc.utf8_rtrim(texts, "0"), ".")
    texts = pc.if_else(has_point, trimmed, texts)
    is_negative = pc.starts_with(texts, "-")
    digits = pc.utf8_ltrim(texts, "+-0")
    starts_at_point = pc.or_(pc.starts_with(digits, "."), pc.equal(digits, ""))
    digits = pc.if_else(starts_at_point, pc.binary_join_element_wise("0", digits, ""), digits)
    is_negative = pc.and_(is_negative, pc.not_equal(digits, "0"))
    return pc.if_else(is_negative, pc.binary_join_element_wise("-", digits, ""), digits)


def _plain_number(text, index):
    """Returns an exact decimal without exponent; None for None."""
    if text is None:
        return None
    if not NUMERAL.fullmatch(text):
        raise NotOfKindError(index, text, NUMBER)
    return format(Decimal(text), "f")


def _floats(texts, kind):
    """Returns texts as floats; a number that would become infinite is none of the kind."""
    type_ = pa.float32() if kind == FLOAT else pa.float64()
    is_float = pc.match_substring_regex(texts, _FLOAT, ignore_case=True)
    if (index := pc.index(is_float, False).as_py()) >= 0:  # Arrow takes C's nan(3) for a float
        raise NotOfKindError(index, texts[index].as_py(), kind)
    try:
        numbers = texts.cast(type_)
        is_infinite = pc.and_(
            pc.is_inf(numbers), pc.invert(pc.match_substring(texts, "i", ignore_case=True))
        )
        if pc.any(is_infinite).as_py():
            index = pc.index(is_infinite, True).as_py()
            raise NotOfKindError(index, texts[index].as_py(), kind)
        return numbers
    except pa.ArrowInvalid:
        for index in range(len(texts)):
            try:
                texts[index].cast(type_)
            except pa.ArrowInvalid:
                raise NotOfKindError(index, texts[index].as_py(), kind) from None
        raise
