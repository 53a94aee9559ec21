"""Describes the aggregates of a SELECT list: function, column, and type of the result."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from query.schema import Column
from query.types import Fixed, Type


class Function(StrEnum):
    """Names the aggregate functions."""

    COUNT = "count"
    COUNT_DISTINCT = "count distinct"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    AVG = "avg"
    PERCENTILE = "percentile"  # median(x) is percentile(x, 0.5)


@dataclass(frozen=True)
class Aggregate:
    """Applies ``function`` to ``column``, which is None only for ``count(*)``.

    ``fraction`` is p of ``percentile(x, p)``, with 0 < p <= 1; None for other functions. ``text``
    is the canonical spelling: ``count(*)``, ``count(distinct x)``, ``median(x)``.
    """

    function: Function
    column: Column | None
    text: str
    fraction: Fraction | None = None

    @property
    def operand(self) -> Column:
        """Column that is aggregated; ``count(*)`` has no such column."""
        assert self.column is not None
        return self.column

    @property
    def exact_type(self) -> Type | None:
        """Type of the result if it is the column's type (min, max, avg, percentiles), else None.

        ``count`` is an unsigned integer, and ``sum`` has the column's fraction bits. Their widths
        depend on the largest window, a parameter of the engine.
        """
        if self.function in (Function.COUNT, Function.COUNT_DISTINCT, Function.SUM):
            return None
        return self.operand.type

    @property
    def fraction_bits(self) -> int:
        """Number of fraction bits of the raw result."""
        if self.function in (Function.COUNT, Function.COUNT_DISTINCT):
            return 0
        return self.operand.type.frac if isinstance(self.operand.type, Fixed) else 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Item:
    """Pairs an aggregate with the name of its column in the rows."""

    aggregate: Aggregate
    name: str
