"""Aggregates in two steps: first states of some tuples each, then the state of them all."""

from rtl.aggregate.operator import Operator


class _Folded(Operator):
    """Does what ``operator`` does, where what is lifted stands for several tuples.

    Parameters
    ----------
    operator : Operator
    each : int
        A row stands for up to so many tuples.
    tuples : int
        Rows that are combined stand for no more than so many of them together.
    """

    def __init__(self, operator, *, each, tuples):
        self.operator = operator
        self._each, self._tuples = each, tuples
        self.context = operator.context
        self.empty_is_zero = operator.empty_is_zero
        self.quotients = operator.quotients

    def state(self, tuples):
        """Of so many rows."""
        return self.operator.state(min(tuples * self._each, self._tuples))

    def combine(self, left, right, context):
        return self.operator.combine(left, right, context)

    def restart(self, left, right, restart, context):
        return self.operator.restart(left, right, restart, context)

    @property
    def result(self):
        return self.operator.result

    def lower(self, state, quotients, context):
        return self.operator.lower(state, quotients, context)


class Repeated(_Folded):
    """Over runs of equal tuples, each of which is one row, and its length the member ``times``.

    ``times`` is not 0 where a row counts. For instance ``sum`` of 5 with ``times`` 3 and of 7 with
    1: 15 + 7.
    """

    def lift(self, tuple_, context):
        return self.operator.repeat(tuple_, tuple_.row["times"], context)


class Lifted(_Folded):
    """Over states that are there already: in each row the one called ``member``."""

    def __init__(self, operator, member, **bounds):
        super().__init__(operator, **bounds)
        self._member = member

    def lift(self, tuple_, context):
        return tuple_.row[self._member]
