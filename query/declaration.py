"""Defines the declaration of an aggregate function: its columns, result and words."""

from collections.abc import Callable
from dataclasses import dataclass

from query.types import Fixed, Int, Type

#: Counts and sums are declared wide enough for 2**32 - 1 tuples of a group or window.
TUPLE_BITS = 32


@dataclass(frozen=True)
class Accepted:
    """Describes the columns that a function can aggregate.

    ``phrase`` ends the message for other columns: "sum needs a number, but s is string(4)".
    """

    phrase: str
    accepts: Callable[[Type], bool]


NUMBERS = Accepted("a number", lambda type_: type_.numeric)
INTEGERS = Accepted("an integer", lambda type_: isinstance(type_, Int))
#: int, uint and fixed
EXACT_NUMBERS = Accepted("an exact number", lambda type_: type_.numeric and not type_.floating)


@dataclass(frozen=True)
class ResultType:
    """Describes the results of a function over one column.

    Attributes
    ----------
    type : Type or None
        Type of the result; None for a count, and for a sum of numbers that are no floats: an engine
        chooses their width by its largest window.
    fraction_bits : int
        Number of fraction bits of the raw result.
    bits : int
        Width of a raw result over up to 2**32 - 1 tuples, in bits.
    """

    type: Type | None
    fraction_bits: int
    bits: int


def fraction_bits(column: Type) -> int:
    """Returns the number of fraction bits of a column's raw values."""
    return column.frac if isinstance(column, Fixed) else 0


def count_result(column: Type | None) -> ResultType:
    """Returns the type of a count: an unsigned integer, whatever the column."""
    return ResultType(None, 0, TUPLE_BITS)


def column_result(column: Type | None) -> ResultType:
    """Returns the column's own type, as for a minimum."""
    assert column is not None
    return ResultType(column, fraction_bits(column), column.width)


def sum_result(column: Type | None) -> ResultType:
    """Returns the type of a sum: exact, with the column's fraction bits; for floats their type."""
    assert column is not None
    if column.floating:
        return column_result(column)
    return ResultType(None, fraction_bits(column), column.width + TUPLE_BITS)


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """Declares an aggregate function.

    Attributes
    ----------
    result : callable
        Returns the `ResultType` for the type of the column: `count_result`, `column_result`,
        `sum_result` or a similar function. The type is None for ``count(*)``.
    columns : Accepted
        The columns that the function can aggregate.
    zero_if_empty : bool
        True if the result over no tuple is 0, False if the result is NULL.
    adds_values : bool
        True if the function adds the values of the column. Floats are then added in a stated order,
        one rounding for each addition.
    words : tuple of str or None
        Words that select the function in a query; None for one word, the function's name.
    """

    result: Callable[[Type | None], ResultType]
    columns: Accepted = NUMBERS
    zero_if_empty: bool = False
    adds_values: bool = False
    words: tuple[str, ...] | None = None
