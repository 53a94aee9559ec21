"""Computes ``sum(x)``: exactly for integers and fixed point."""

from amaranth.hdl import Shape
from amaranth.utils import ceil_log2

from rtl.aggregate.additive import Additive
from rtl.aggregate.entry import Entry
from rtl.aggregate.float_sum import FloatSum


class Sum(Additive):
    """``sum(x)`` of integers or fixed point, exact.

    Parameters
    ----------
    column : str
        The column x.
    value : ShapeLike
        Shape of x.
    count_width : int
        A group or window has at most ``2**count_width`` tuples, so the result has
        ``count_width`` bits more than x and cannot overflow.
    """

    def __init__(self, column, value, count_width):
        self.column = column
        self.value = Shape.cast(value)
        self.count_width = count_width

    def shape(self, tuples):
        grown = min(self.count_width, ceil_log2(tuples))
        return Shape(self.value.width + grown, self.value.signed)

    def lift(self, tuple_, context):
        return {"value": tuple_.row[self.column]}

    @property
    def result(self):
        return self.shape(1 << self.count_width)


def _sum(operand):
    """Returns the operator that adds integers, fixed point or floating point."""
    if operand.type.floating:
        return FloatSum(operand.column, operand.format)
    return Sum(operand.column, operand.shape, operand.growth)


ENTRY = Entry(operator=_sum)
