"""Computes ``avg(x)`` of floating point."""

from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.float_sum import FloatSum


class FloatAvg(FloatSum):
    """``avg(x)`` of a ``float`` or ``double``: sum / count, with a rounded sum and quotient.

    The state is the sum, computed as in :class:`~rtl.aggregate.float_sum.FloatSum`, and the count.
    :attr:`quotients` requests the division.

    Parameters
    ----------
    column, format_
        As for :class:`~rtl.aggregate.float_sum.FloatSum`.
    count_width : int
        As for :class:`~rtl.aggregate.count.Count`.
    """

    def __init__(self, column, format_, count_width):
        super().__init__(column, format_)
        self.beside = self._count = Count(count_width)
        self.quotients = ((("value",), ("count",), format_),)

    def state(self, tuples):
        return data.StructLayout({"value": self.result, "count": self._count.shape(tuples)})

    def lift(self, tuple_, context):
        return super().lift(tuple_, context) | {"count": 1}

    def joined(self, total, beside):
        return {"value": total, "count": beside["value"]}

    def lower(self, state, quotients, context):
        return quotients[0]
