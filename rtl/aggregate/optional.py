"""Aggregates of possibly empty runs: the state records whether the run has a tuple."""

from amaranth.hdl import Mux, unsigned
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator


class Optional(Operator):
    """Extends an operator to runs that may be empty, such as the panes of a window.

    The state holds ``state``, the operator's state, and ``some``, which is 0 if the run is empty;
    then ``state`` is undefined. If one side of :meth:`combine` is empty, the result is the other
    side. The result of an empty run is NULL: ``valid`` low and ``value`` undefined. ``combine`` is
    associative if the operator's is. For instance with ``min``, ``some`` before ``state``, and x
    undefined::

        combine(0 x, 1 3) = 1 3    combine(1 4, 1 3) = 1 3    lower(0 x) is NULL

    By default ``some`` is one bit. It could not show whether a tuple is left after :meth:`remove`,
    so the operator is not invertible. With ``counted``, ``some`` is the number of tuples: with
    ``sum``, ``remove(2 11, 1 4) = 1 7``. An operator that counts tuples anyway, such as an average,
    can derive NULL from a count of 0 instead.

    Parameters
    ----------
    operator : Operator
        Must be invertible if ``counted`` is true.
    counted : bool
        ``some`` is the number of tuples, and the operator is invertible.
    """

    empty_is_zero = True

    def __init__(self, operator, *, counted=False):
        if counted and not operator.invertible:
            raise ValueError(f"operator must be invertible, not {type(operator).__name__}")
        self.operator = operator
        self.invertible = counted
        self.context = operator.context

    def state(self, tuples):
        some = unsigned(bits_for(tuples) if self.invertible else 1)  # 0 to ``tuples``
        return data.StructLayout({"some": some, "state": self.operator.state(tuples)})

    def lift(self, tuple_, context):
        return {"some": 1, "state": self.operator.lift(tuple_, context)}

    def combine(self, left, right, context):
        return self.restart(left, right, 0, context)

    def restart(self, left, right, restart, context):
        left_some = Mux(restart, 0, left["some"])
        # The operator's state of the left side counts only if that side has a tuple.
        joined = self.operator.restart(
            left["state"], right["state"], restart | ~left["some"].any(), context
        )
        return {
            "some": left_some + right["some"] if self.invertible else left_some | right["some"],
            "state": _choose(right["some"].any(), joined, left["state"]),
        }

    def masked(self, state, condition):
        return {"some": Mux(condition, state["some"], 0), "state": state["state"]}

    def append(self, left, tuple_, restart, context):
        left_some = Mux(restart, 0, left["some"])
        starts_anew = restart | ~left["some"].any()
        return {
            "some": left_some + 1 if self.invertible else 1,
            "state": self.operator.append(left["state"], tuple_, starts_anew, context),
        }

    def remove(self, whole, left):
        remainder = self.operator.remove(whole["state"], left["state"])
        return {
            "some": whole["some"] - left["some"],
            "state": _choose(left["some"].any(), remainder, whole["state"]),
        }

    @property
    def quotients(self):
        return tuple(
            (("state", *dividend), ("state", *divisor), shape)
            for dividend, divisor, shape in self.operator.quotients
        )

    @property
    def result(self):
        return data.StructLayout({"valid": 1, "value": self.operator.result})

    def lower(self, state, quotients, context):
        value = self.operator.lower(state["state"], quotients, context)
        return {"valid": state["some"].any(), "value": value}


def _choose(condition, state, other):
    """Returns ``state`` if the condition is high, else ``other``, which has the same members."""
    if isinstance(state, dict):
        return {name: _choose(condition, part, other[name]) for name, part in state.items()}
    return Mux(condition, state, other)
