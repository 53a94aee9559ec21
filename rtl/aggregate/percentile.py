"""Computes ``percentile(x, p)``."""

from amaranth.hdl import Mux, Shape
from amaranth.lib import data

from rtl.aggregate.entry import Entry
from rtl.aggregate.operator import Operator


class Percentile(Operator):
    """``percentile(x, p)``: the x of the group's only tuple that is marked as a hit.

    :class:`~rtl.network.ranks.Ranks` marks the hit before the scan, by ranks in sorted data. So a
    percentile is a sum in which all terms but one are 0: the operator has no comparator, is only as
    wide as x, and shares the adder of :class:`~rtl.aggregate.select.Select`.

    Parameters
    ----------
    column : str
        The column x.
    shape : ShapeLike
        Shape of x; unsigned bits for a float.
    hit : int
        Index into the tuples' ``hits``.
    """

    fold = "add"

    def __init__(self, column, shape, hit):
        self.column = column
        self.shape = Shape.cast(shape)
        self.hit = hit

    def state(self, tuples):
        return data.StructLayout({"value": self.shape})

    def lift(self, tuple_, context):
        return {"value": Mux(tuple_.hits[self.hit], tuple_.row[self.column], 0)}

    def combine(self, left, right, context):
        return {"value": left["value"] | right["value"]}

    def restart(self, left, right, restart, context):
        return {"value": Mux(restart, 0, left["value"]) | right["value"]}

    @property
    def result(self):
        return self.shape

    def lower(self, state, quotients, context):
        return state["value"]


ENTRY = Entry(
    operator=lambda operand: Percentile(operand.column, operand.shape, operand.hit),
    needs_sorted_windows=True,
)
