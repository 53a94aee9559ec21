"""Computes ``count(*)``."""

from amaranth.hdl import unsigned
from amaranth.utils import bits_for

from rtl.aggregate.additive import Additive
from rtl.aggregate.entry import Entry


class Count(Additive):
    """``count(*)``: the number of tuples.

    Parameters
    ----------
    width : int
        Width of the result in bits; a group or window has at most ``2**width - 1`` tuples.
    """

    def __init__(self, width):
        self.width = width

    def shape(self, tuples):
        return unsigned(min(self.width, bits_for(tuples)))

    def lift(self, tuple_, context):
        return {"value": 1}

    @property
    def result(self):
        return unsigned(self.width)


ENTRY = Entry(operator=lambda operand: Count(operand.count_width))
