"""Base class of min(x) and max(x)."""

from abc import abstractmethod

from amaranth.hdl import Mux, Shape
from amaranth.lib import data

from rtl.aggregate.operator import Operator
from rtl.stream import order


class Extremum(Operator):
    """Computes the least or the greatest x. Not invertible. Tied values are identical.

    The state is the order key of x (:mod:`rtl.stream.order`), so floats cost a few gates in lift
    and lower, and no more than integers in combine.

    Parameters
    ----------
    column : str
        The column x.
    shape : Shape
        Shape of x; unsigned bits for a float.
    floating : bool
        True if x is a float or a double.
    """

    def __init__(self, column, shape, floating=False):
        self.column = column
        self.shape = Shape.cast(shape)
        self.floating = floating

    @staticmethod
    @abstractmethod
    def keeps_left(left, right):
        """Returns a bit: of two order keys, the left key is the result."""

    def state(self, tuples):
        return data.StructLayout({"value": self.shape})

    def lift(self, tuple_, context):
        return {"value": order.encode(tuple_.row[self.column], self.floating)}

    def repeat(self, tuple_, times, context):
        return self.lift(tuple_, context)

    def combine(self, left, right, context):
        return self.restart(left, right, 0, context)

    def restart(self, left, right, restart, context):
        keep = self.keeps_left(left["value"], right["value"]) & ~restart
        return {"value": Mux(keep, left["value"], right["value"])}

    @property
    def result(self):
        return self.shape

    def lower(self, state, quotients, context):
        return order.decode(state["value"], self.floating)
