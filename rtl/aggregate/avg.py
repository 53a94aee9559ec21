"""Computes ``avg(x)``: the sum and the count, which a division turns into the result."""

from amaranth.lib import data

from rtl.aggregate.count import Count
from rtl.aggregate.entry import Entry
from rtl.aggregate.float_avg import FloatAvg
from rtl.aggregate.operator import Operator
from rtl.aggregate.sum import Sum


class Avg(Operator):
    """``avg(x)``: sum / count, rounded toward zero to x's own shape. Invertible.

    The state is a sum and a count. :attr:`quotients` requests the division, which is done once per
    row, not in the scan (seed 003 section 3.1 step d).

    Parameters
    ----------
    column, value
        As for :class:`~rtl.aggregate.sum.Sum`.
    count_width : int
        Width of the count, in bits: a group or window has at most ``2**count_width - 1`` tuples.
    """

    invertible = True
    empty_is_zero = True
    fold = "add"

    def __init__(self, column, value, count_width):
        self.column = column
        self._sum = Sum(column, value, count_width)
        self._count = Count(count_width)
        self.quotients = ((("value",), ("count",), self._sum.value),)

    def _both(self, method, *states):
        """Applies a method of operators to the sums and to the counts of states."""
        sums = method(self._sum, *states)
        counts = method(self._count, *({"value": state["count"]} for state in states))
        return {"value": sums["value"], "count": counts["value"]}

    def state(self, tuples):
        value = self._sum.shape(tuples)
        count = self._count.shape(tuples)
        return data.StructLayout({"value": value, "count": count})

    def lift(self, tuple_, context):
        return {"value": tuple_.row[self.column], "count": 1}

    def repeat(self, tuple_, times, context):
        return {"value": tuple_.row[self.column] * times, "count": times}

    def combine(self, left, right, context):
        return self._both(lambda op, a, b: op.combine(a, b, context), left, right)

    def restart(self, left, right, restart, context):
        return self._both(lambda op, a, b: op.restart(a, b, restart, context), left, right)

    def remove(self, whole, left):
        return self._both(lambda op, a, b: op.remove(a, b), whole, left)

    @property
    def result(self):
        return self._sum.value

    def lower(self, state, quotients, context):
        return quotients[0]


class AvgOrNull(Avg):
    """``avg(x)`` of possibly no tuple: then NULL, with ``valid`` low and ``value`` undefined.

    The count shows whether there is a tuple, so the state is the same as in :class:`Avg`.
    """

    @property
    def result(self):
        return data.StructLayout({"valid": 1, "value": super().result})

    def lower(self, state, quotients, context):
        return {"valid": state["count"].any(), "value": quotients[0]}


def _avg(operand):
    """Returns the operator that averages integers, fixed point or floating point."""
    if operand.type.floating:
        return FloatAvg(operand.column, operand.format, operand.count_width)
    return Avg(operand.column, operand.shape, operand.count_width)


def _avg_or_null(operand):
    """Returns the operator whose average of no tuple is NULL.

    Only engines that refuse queries with floats use it, so no operand is a float.
    """
    return AvgOrNull(operand.column, operand.shape, operand.count_width)


ENTRY = Entry(operator=_avg, operator_or_null=_avg_or_null)
