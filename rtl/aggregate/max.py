"""Computes ``max(x)``."""

from rtl.aggregate.entry import Entry
from rtl.aggregate.extremum import Extremum


class Max(Extremum):
    """``max(x)``: the greatest x in the order of :mod:`rtl.stream.order`."""

    fold = "max"

    @staticmethod
    def keeps_left(left, right):
        return left > right


ENTRY = Entry(operator=lambda operand: Max(operand.column, operand.shape, operand.type.floating))
