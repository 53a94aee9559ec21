"""Describes the entry of an aggregate function: how to make its operator for a column."""

from collections.abc import Callable
from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.utils import bits_for, ceil_log2

from query.types import Type
from rtl.aggregate.operator import Operator
from rtl.float.format import FORMATS


@dataclass(frozen=True, kw_only=True)
class Operand:
    """Describes the column that an operator aggregates, and the largest group or window.

    Attributes
    ----------
    column : str or None
        Name of the column; None for ``count(*)``.
    type : query.types.Type or None
        Type of the column.
    tuples : int
        Number of tuples in the largest group or window.
    hit : int or None
        Index of a percentile in :attr:`~rtl.aggregate.operator.Tuple.hits`; None for other
        functions.
    """

    column: str | None
    type: Type | None
    tuples: int
    hit: int | None = None

    @property
    def shape(self):
        """Shape of a raw value of the column; ``type`` must not be None."""
        return Shape(self.type.width, self.type.signed)

    @property
    def format(self):
        """Format of a floating-point column."""
        return FORMATS[self.type.width]

    @property
    def count_width(self):
        """Width of a count from 0 to ``tuples``, in bits: 11 for 1,024 tuples."""
        return bits_for(self.tuples)

    @property
    def growth(self):
        """Number of bits by which a sum over ``tuples`` values is wider than a value.

        For instance 10 bits for 1,024 tuples.
        """
        return ceil_log2(self.tuples)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Declares the hardware of an aggregate function.

    Attributes
    ----------
    operator : callable
        Returns the Operator for an :class:`Operand`.
    operator_or_null : callable or None
        Returns an Operator whose result is NULL over no tuple. None if
        :class:`~rtl.aggregate.optional.Optional` shall add the NULL.
    needs_sorted_windows : bool
        True if the operator needs the tuples of a window sorted by the column.
    """

    operator: Callable[[Operand], Operator]
    operator_or_null: Callable[[Operand], Operator] | None = None
    needs_sorted_windows: bool = False
