"""Base class of the aggregates that only add."""

from abc import abstractmethod

from amaranth.hdl import Mux
from amaranth.lib import data

from rtl.aggregate.operator import Operator


class Additive(Operator):
    """An aggregate whose state is one number, combined by addition. Invertible."""

    invertible = True
    empty_is_zero = True
    fold = "add"

    @abstractmethod
    def shape(self, tuples):
        """Returns the shape of the number for up to ``tuples`` tuples."""

    def state(self, tuples):
        return data.StructLayout({"value": self.shape(tuples)})

    def repeat(self, tuple_, times, context):
        return {"value": self.lift(tuple_, context)["value"] * times}

    def combine(self, left, right, context):
        return {"value": left["value"] + right["value"]}

    def restart(self, left, right, restart, context):
        return {"value": right["value"] + Mux(restart, 0, left["value"])}

    def remove(self, whole, left):
        return {"value": whole["value"] - left["value"]}

    def lower(self, state, quotients, context):
        return state["value"]
