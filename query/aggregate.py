"""Describes the aggregates of a SELECT list: function, column, and type of the result."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Self

from query.declaration import (
    Declaration,
    ResultType,
    column_result,
    count_result,
    sum_result,
)
from query.schema import Column


class Function(StrEnum):
    """Names the aggregate functions, and declares the columns, result and words of each.

    Each function has a file `module_name` in ``golden/aggregates/`` and in ``rtl/aggregate/``; the
    folder's registry imports it. docs/aggregates.md describes how to add a function.
    """

    declaration: Declaration

    def __new__(cls, name: str, declaration: Declaration) -> Self:
        function = str.__new__(cls, name)
        function._value_ = name
        function.declaration = declaration
        return function

    COUNT = "count", Declaration(result=count_result, zero_if_empty=True)
    COUNT_DISTINCT = (
        "count distinct",
        # No word of its own: the parser makes this function of "count" before "distinct".
        Declaration(result=count_result, zero_if_empty=True, words=()),
    )
    SUM = "sum", Declaration(result=sum_result, zero_if_empty=True, adds_values=True)
    MIN = "min", Declaration(result=column_result)
    MAX = "max", Declaration(result=column_result)
    AVG = "avg", Declaration(result=column_result, adds_values=True)
    PERCENTILE = (
        "percentile",
        Declaration(result=column_result, words=("median", "percentile")),
    )  # median(x) is percentile(x, 0.5)

    @property
    def words(self) -> tuple[str, ...]:
        """Words that select the function in a query."""
        words = self.declaration.words
        return (str(self),) if words is None else words

    @property
    def module_name(self) -> str:
        """Name of the function's files without suffix, such as ``count_distinct``."""
        return self.name.lower()


@dataclass(frozen=True)
class Aggregate:
    """Describes ``function`` over ``column``, which is None only for ``count(*)``.

    ``fraction`` is p of ``percentile(x, p)``, with 0 < p <= 1, and 1/2 for ``median(x)``; None for
    other functions. ``text`` is the canonical spelling: ``count(*)``, ``count(distinct x)``,
    ``median(x)``, ``percentile(x, 0.9)``.
    """

    function: Function
    column: Column | None
    text: str
    fraction: Fraction | None = None

    @property
    def operand(self) -> Column:
        """The aggregated column; raises AssertionError for ``count(*)``, which has no column."""
        assert self.column is not None
        return self.column

    @property
    def result(self) -> ResultType:
        """Type, number of fraction bits, and width of the results."""
        return self.function.declaration.result(self.column.type if self.column else None)

    @property
    def fraction_bits(self) -> int:
        """Number of fraction bits of the raw result."""
        return self.result.fraction_bits

    @property
    def adds_floats(self) -> bool:
        """True if the aggregate adds floats, so that the order of the tuples decides the result."""
        adds_values = self.function.declaration.adds_values
        return adds_values and self.column is not None and self.column.type.floating

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Item:
    """Pairs an aggregate with the name of its column in the rows."""

    aggregate: Aggregate
    name: str
