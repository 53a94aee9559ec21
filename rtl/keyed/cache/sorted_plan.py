"""Describes how percentiles of cached windows are found: by values in order."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Shape
from amaranth.lib import data

from rtl.aggregate.operator import pivot_member
from rtl.stream import order

#: Greatest number of lines of sorted values, of all cached keys together: they lie in LUT RAM.
MOST_LINES = 64


@dataclass(frozen=True, kw_only=True)
class SortedPlan:
    """Describes the percentiles of cached windows.

    All values are rank keys: unsigned numbers in the order of the values
    (:func:`rtl.stream.order.rank`).

    A window from the cache is not searched by pivots, but passes the same kernels as a window that
    is searched. So its percentile comes as the state of a window with a single value above the
    pivot. The selection decides by the counts ``less`` and ``upto`` alone, and does not compare the
    value with the pivot again, so the state is right for any pivot. For instance with the values
    2 5 6 9 and p = 1/2 the cache finds 5. It sends a count of 1, ``less`` 0, ``upto`` 0, and 5 as
    the value above the pivot: the state of the window ``5`` with a pivot below 5. The selection
    returns 5, because each percentile of one value is the value.

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
        """Returns the parts of a state of the fold for the percentiles, by name, such as ``r0``.

        Members of a part that are left out are 0.
        """
        fraction_of_pivot = {pivot_member(n): n for n in range(len(self.fractions))}
        states = {}
        for k, operator in self.operators.items():
            key = percentiles[fraction_of_pivot[operator.pivot]]
            states[f"r{k}"] = {"count": 1, operator.above[0]: Cat(~key, 1)}
        return states
