"""Operators of an aggregation in two steps: over runs of values, then over states of parts."""

from rtl.aggregate.operator import TIMES, Operator


class _Folded(Operator):
    """Applies ``operator`` to rows that each stand for several tuples.

    Parameters
    ----------
    operator : Operator
    each : int
        Greatest number of tuples that a row stands for.
    tuples : int
        Greatest number of tuples that combined rows stand for together.
    """

    def __init__(self, operator, *, each, tuples):
        self.operator = operator
        self._each = each
        self._tuples = tuples
        self.context = operator.context
        self.empty_is_zero = operator.empty_is_zero
        self.quotients = operator.quotients

    def state(self, tuples):
        """Returns the layout of the state of up to ``tuples`` rows."""
        return self.operator.state(min(tuples * self._each, self._tuples))

    def combine(self, left, right, context):
        return self.operator.combine(left, right, context)

    def restart(self, left, right, restart, context):
        return self.operator.restart(left, right, restart, context)

    def masked(self, state, condition):
        return self.operator.masked(state, condition)

    @property
    def result(self):
        return self.operator.result

    def lower(self, state, quotients, context):
        return self.operator.lower(state, quotients, context)


class Repeated(_Folded):
    """First step: a row is a run of equal tuples, and :data:`TIMES` holds the length of the run.

    The length is at least 1 in a valid row. For example the ``sum`` of 5 with the length 3 and of 7
    with the length 1 is 15 + 7.
    """

    def lift(self, tuple_, context):
        return self.operator.repeat(tuple_, tuple_.row[TIMES], context)

    def append(self, left, tuple_, restart, context):
        return self.operator.append_run(left, tuple_, tuple_.row[TIMES], restart, context)


class Lifted(_Folded):
    """Second step: combines states that exist already, in the member ``member`` of each row."""

    def __init__(self, operator, member, **bounds):
        super().__init__(operator, **bounds)
        self._member = member

    def lift(self, tuple_, context):
        return tuple_.row[self._member]
