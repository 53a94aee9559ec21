"""Aggregates of what may be nothing: a state that also says whether there is any tuple."""

from amaranth.hdl import Mux, unsigned
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator


class Optional(Operator):
    """An operator over runs that may be empty, such as the panes of a window.

    The state holds, beside the operator's, ``some``: 0 when the run is empty, and then the
    operator's state is rubbish. Where one side of :meth:`combine` is empty, the other is the
    result. The result is NULL, that is ``valid`` low and ``value`` rubbish, when all was empty.
    Associative when the operator is.

    A bit cannot tell whether anything is left when a run is taken out, so by default this is not
    invertible, whatever the operator is. With ``counted`` ``some`` is the number of tuples instead,
    which can be taken out as the operator's state can. Who counts the tuples anyway (an average
    does) needs neither, but can tell NULL from a count of 0.

    Parameters
    ----------
    operator : Operator
        With ``counted`` an invertible one.
    counted : bool
        ``some`` is as wide as the number of tuples, and the whole is invertible.
    """

    empty_is_zero = True

    def __init__(self, operator, *, counted=False):
        if counted and not operator.invertible:
            raise ValueError(f"operator must be invertible, not {type(operator).__name__}")
        self.operator = operator
        self.invertible = counted
        self.context = operator.context

    def state(self, tuples):
        some = unsigned(bits_for(tuples) if self.invertible else 1)
        return data.StructLayout({"some": some, "state": self.operator.state(tuples)})

    def lift(self, tuple_, context):
        return {"some": 1, "state": self.operator.lift(tuple_, context)}

    def combine(self, left, right, context):
        return self.restart(left, right, 0, context)

    def restart(self, left, right, restart, context):
        before = Mux(restart, 0, left["some"])
        joined = self.operator.restart(
            left["state"], right["state"], restart | ~left["some"].any(), context
        )
        return {
            "some": before + right["some"] if self.invertible else before | right["some"],
            "state": _choose(right["some"].any(), joined, left["state"]),
        }

    def remove(self, whole, left):
        rest = self.operator.remove(whole["state"], left["state"])
        return {
            "some": whole["some"] - left["some"],
            "state": _choose(left["some"].any(), rest, whole["state"]),
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
    """``state`` where the condition holds, else ``other``, member by member."""
    if isinstance(state, dict):
        return {name: _choose(condition, part, other[name]) for name, part in state.items()}
    return Mux(condition, state, other)
