"""sum(x)."""

from amaranth.hdl import Mux, Shape
from amaranth.lib import data
from amaranth.utils import ceil_log2

from rtl.aggregate.operator import Operator


class Sum(Operator):
    """``sum(x)`` of integers or fixed point, exact. Invertible.

    Parameters
    ----------
    column : str
        The column x.
    shape : Shape
        Its shape.
    count_width : int
        A group or window may hold up to ``2**count_width - 1`` tuples, so the result has
        ``count_width`` bits more than x, and cannot overflow.
    """

    invertible = True
    fold = "add"

    def __init__(self, column, shape, count_width):
        self.column = column
        self.shape = Shape.cast(shape)
        self.count_width = count_width

    def _wide(self, tuples):
        grown = min(self.count_width, ceil_log2(tuples))
        return Shape(self.shape.width + grown, self.shape.signed)

    def state(self, tuples):
        return data.StructLayout({"value": self._wide(tuples)})

    def lift(self, tuple_, context):
        return {"value": tuple_.row[self.column]}

    def combine(self, left, right, context):
        return {"value": left["value"] + right["value"]}

    def restart(self, left, right, restart, context):
        return {"value": right["value"] + Mux(restart, 0, left["value"])}

    def remove(self, whole, left):
        return {"value": whole["value"] - left["value"]}

    @property
    def result(self):
        return self._wide(1 << self.count_width)

    def lower(self, state, quotients, context):
        return state["value"]
