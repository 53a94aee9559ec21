"""Describes how percentiles of cached windows are found: by values in order."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Shape
from amaranth.lib import data

from rtl.aggregate.operator import pivot_member
from rtl.stream import order

#: Greatest number of lines of sorted values, of all places together, because they lie in LUT RAM.
MOST_LINES = 64


@dataclass(frozen=True, kw_only=True)
class SortedPlan:
    """Describes the percentiles of cached windows.

    All values are rank keys: unsigned numbers in the order of the values
    (:func:`rtl.stream.order.rank`).

    A window from the cache is not searched by pivots, but passes the same kernels as a window that
    is searched. So its percentile comes as the state of a window with a single value above the
    pivot: whatever the pivot is, the selection finds this value, because the percentile of one
    value is the value.

    Attributes
    ----------
    operators : dict of int to Neighbours
        Operator of each percentile in the fold of the cache, by index of its item. All have the
        same column.
    fractions : tuple of Fraction
        p of each percentile; an operator with pivot k finds the percentile of fraction k.
    """

    operators: dict
    fractions: tuple

    @property
    def _operator(self):
        return next(iter(self.operators.values()))

    @property
    def width(self):
        """Width of a rank key, in bits."""
        return Shape.cast(self._operator.shape).width

    @property
    def percentiles(self):
        """Layout of the percentiles of a window, one rank key for each fraction."""
        return data.ArrayLayout(self.width, len(self.fractions))

    def key_of(self, row):
        """Returns the rank key of the value in a row."""
        return order.rank(row[self._operator.column], self._operator.floating)

    def states_of(self, percentiles):
        """Returns the states of the percentiles, by the names of members of a state of the fold.

        Members that are left out are 0.
        """
        numbers = {pivot_member(n): n for n in range(len(self.fractions))}
        states = {}
        for k, operator in self.operators.items():
            key = percentiles[numbers[operator.pivot]]
            states[f"r{k}"] = {"count": 1, operator.above[0]: Cat(~key, 1)}
        return states
