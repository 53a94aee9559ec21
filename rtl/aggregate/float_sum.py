"""Computes ``sum(x)`` of floating point."""

from copy import copy

from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.operator import Operator


class FloatSum(Operator):
    """Computes ``sum(x)`` of a ``float`` or ``double``: the state is the sum so far.

    An addition takes several cycles and rounds, so the order of additions changes the result. So no
    expression can combine states; :class:`~rtl.network.tree_sum.TreeSum` adds in a stated order.

    Parameters
    ----------
    column : str
        The column x.
    format_ : Format
        Format of x.
    """

    #: Operator that is computed beside the sum, such as the count of an average; None without.
    beside = None

    def __init__(self, column, format_):
        self.column = column
        self.format = format_

    @property
    def folded(self):
        """Operator that a serial decoder applies to the values of a block: the operator beside the
        sum. The decoder adds the floating-point numbers in :class:`~rtl.network.run_sums.RunSums`.
        """
        return self.beside

    def over_states(self, lifted):
        """Returns a copy of the sum, with ``lifted`` as the operator beside the sum."""
        result = copy(self)
        result.beside = lifted
        return result

    def state(self, tuples):
        return data.StructLayout({"value": self.result})

    def lift(self, tuple_, context):
        return {"value": tuple_.row[self.column]}

    def joined(self, total, beside):
        """Returns a window's state, made from its ``total`` and the state of ``beside``."""
        return {"value": total}

    def combine(self, left, right, context):
        raise NotImplementedError("FloatSum has no combination within a cycle")

    @property
    def result(self):
        return unsigned(self.format.width)

    def lower(self, state, quotients, context):
        return state["value"]
