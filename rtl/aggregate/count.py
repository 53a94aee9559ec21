"""count(*)."""

from amaranth.hdl import Mux, unsigned
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator


class Count(Operator):
    """``count(*)``: the number of tuples. Invertible.

    Parameters
    ----------
    width : int
        Bits of the result; a group or window may hold up to ``2**width - 1`` tuples.
    """

    invertible = True
    fold = "add"

    def __init__(self, width):
        self.width = width

    def state(self, tuples):
        return data.StructLayout({"value": min(self.width, bits_for(tuples))})

    def lift(self, tuple_, context):
        return {"value": 1}

    def combine(self, left, right, context):
        return {"value": left["value"] + right["value"]}

    def restart(self, left, right, restart, context):
        return {"value": right["value"] + Mux(restart, 0, left["value"])}

    def remove(self, whole, left):
        return {"value": whole["value"] - left["value"]}

    @property
    def result(self):
        return unsigned(self.width)

    def lower(self, state, quotients, context):
        return state["value"]
