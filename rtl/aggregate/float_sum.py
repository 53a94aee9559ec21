"""sum(x) of floating point."""

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.operator import Operator


class FloatSum(Operator):
    """``sum(x)`` of a ``float`` or ``double``: the state is the sum, rounded at each addition.

    An addition takes several cycles, and no two orders of them give the same: so nothing here is
    combined in expressions, but by :class:`~rtl.network.tree_sum.TreeSum`, which states its order.

    Parameters
    ----------
    column : str
        The column x.
    format_ : Format
        Its format.
    """

    #: An operator whose state is needed as well, and reduced as others are.
    beside = None

    def __init__(self, column, format_):
        self.column = column
        self.format = format_

    def state(self, tuples):
        return data.StructLayout({"value": self.result})

    def lift(self, tuple_, context):
        return {"value": tuple_.row[self.column]}

    def joined(self, total, beside):
        """The state of a window: its ``total``, and the state of ``beside``, if there is one."""
        return {"value": total}

    def combine(self, left, right, context):
        raise NotImplementedError("FloatSum has no combination within a cycle")

    @property
    def result(self):
        return unsigned(self.format.width)

    def lower(self, state, quotients, context):
        return state["value"]
