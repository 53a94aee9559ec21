"""Computes ``min(x)``."""

from rtl.aggregate.entry import Entry
from rtl.aggregate.extremum import Extremum


class Min(Extremum):
    """``min(x)``: the least x in the order of :mod:`rtl.stream.order`."""

    fold = "min"

    @staticmethod
    def keeps_left(left, right):
        return left < right


ENTRY = Entry(operator=lambda operand: Min(operand.column, operand.shape, operand.type.floating))
