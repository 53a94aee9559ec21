"""The aggregates of a SELECT list: which function over which column, and the type of the result."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from query.schema import Column
from query.types import Fixed, Type


class Function(StrEnum):
    COUNT = "count"
    COUNT_DISTINCT = "count distinct"
    SUM = "sum"
    MIN = "min"
    MAX = "max"
    AVG = "avg"
    PERCENTILE = "percentile"  # median(x) is percentile(x, 0.5)


@dataclass(frozen=True)
class Aggregate:
    """``function(column)``. ``column`` is None for ``count(*)`` only.

    ``fraction`` is p of ``percentile(x, p)``, with 0 < p <= 1, else None. ``text`` is how the query
    spelled it, in canonical form: ``count(*)``, ``count(distinct x)``, ``median(x)``.
    """

    function: Function
    column: Column | None
    text: str
    fraction: Fraction | None = None

    @property
    def operand(self) -> Column:
        """The column of the aggregate, for every aggregate but ``count(*)``."""
        assert self.column is not None
        return self.column

    @property
    def exact_type(self) -> Type | None:
        """Type of the result where it is the column's own (min, max, avg, percentiles), else None.

        ``count`` is an unsigned integer and ``sum`` has the column's fraction bits; how wide they
        are depends on the largest window, which the engine's parameters give.
        """
        if self.function in (Function.COUNT, Function.COUNT_DISTINCT, Function.SUM):
            return None
        return self.operand.type

    @property
    def fraction_bits(self) -> int:
        """Fraction bits of the raw result."""
        if self.function in (Function.COUNT, Function.COUNT_DISTINCT):
            return 0
        return self.operand.type.frac if isinstance(self.operand.type, Fixed) else 0

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Item:
    """One result column: an aggregate, and the name that its column of the rows bears."""

    aggregate: Aggregate
    name: str
