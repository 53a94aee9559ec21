"""Describes one operator for several aggregates, of which the host selects one at run time."""

from functools import reduce
from operator import or_

from amaranth.hdl import Const, Mux, Shape
from amaranth.lib import data
from amaranth.utils import bits_for

from rtl.aggregate.operator import Operator


def _widest(shapes):
    """Returns a shape that holds the values of all ``shapes``; signed if any of them is signed.

    For instance unsigned(8) and signed(4) need signed(9).
    """
    shapes = [Shape.cast(shape) for shape in shapes]
    signed = any(shape.signed for shape in shapes)
    return Shape(max(s.width + (signed and not s.signed) for s in shapes), signed)


class Select(Operator):
    """Computes the aggregate that the function register selects; all choices share the hardware.

    The state is one word, ``value``, and a ``count`` of tuples if a choice divides. A ``combine``
    has one adder of words for all choices, one comparator if a choice is a minimum or maximum, and
    an adder of counts if a choice divides. ``lift`` makes the word of the selected choice: for a
    tuple with value x the word is x for sum, avg, min and max, 1 for count, and for a distinct
    count a bit that is high if x is new. ``combine`` adds two words, or selects the lesser or the
    greater word. ``context`` is the index of the selected choice. For instance the choices are sum
    and max, and two tuples have x = 5 and 3: with context 0 the word is 8, with context 1 it is 5.

    Parameters
    ----------
    choices : sequence of Operator
        At least one; ``fold`` of each says how it combines states: "add", "min" or "max".
    """

    def __init__(self, choices):
        self.choices = tuple(choices)
        if not self.choices:
            raise ValueError("choices must not be empty")
        self.context = bits_for(len(self.choices) - 1)
        self._dividing = [choice for choice in self.choices if choice.quotients]
        if self._dividing:
            quotients = [shape for c in self._dividing for *_, shape in c.quotients]
            word = _widest(choice.state(1)["value"].shape for choice in self.choices)
            # A signed word is a signed dividend, so the quotient must be signed, too.
            quotient = _widest([*quotients, Shape(1, word.signed)])
            self.quotients = ((("value",), ("count",), quotient),)
        key_shapes = [choice.shape for choice in self.choices if choice.fold != "add"]
        self._key_shape = _widest(key_shapes) if key_shapes else None

    def _is_one_of(self, context, condition):
        """Returns a bit: ``condition``, a function of a choice, is true of the selected choice."""
        hits = [context == k for k, choice in enumerate(self.choices) if condition(choice)]
        return Const(1) if len(hits) == len(self.choices) else reduce(or_, hits, Const(0))

    def _selected(self, context, values):
        """Returns the value of the selected choice; ``values`` has a value for each choice."""
        result = values[-1]
        for k, value in reversed(list(enumerate(values[:-1]))):
            result = Mux(context == k, value, result)
        return result

    def state(self, tuples):
        states = [choice.state(tuples) for choice in self.choices]
        fields = {"value": _widest(state["value"].shape for state in states)}
        if self._dividing:
            fields["count"] = self._dividing[0].state(tuples)["count"].shape
        return data.StructLayout(fields)

    def lift(self, tuple_, context):
        lifted = [choice.lift(tuple_, context)["value"] for choice in self.choices]
        state = {"value": self._selected(context, lifted)}
        return state | ({"count": 1} if self._dividing else {})

    def combine(self, left, right, context):
        return self.restart(left, right, 0, context)

    def restart(self, left, right, restart, context):
        l_value = left["value"]
        r_value = right["value"]
        adds = self._is_one_of(context, lambda choice: choice.fold == "add")
        state = {"value": r_value + Mux(adds & ~restart, l_value, 0)}
        if self._key_shape:
            l_key = l_value[: self._key_shape.width]
            r_key = r_value[: self._key_shape.width]
            if self._key_shape.signed:
                l_key = l_key.as_signed()
                r_key = r_key.as_signed()
            greatest = self._is_one_of(context, lambda choice: choice.fold == "max")
            keeps_left = ((l_key < r_key) ^ greatest) & ~adds & ~restart
            state["value"] = Mux(keeps_left, l_value, state["value"])
        if self._dividing:
            state["count"] = right["count"] + Mux(restart, 0, left["count"])
        return state

    @property
    def result(self):
        return _widest(choice.result for choice in self.choices)

    def lower(self, state, quotients, context):
        """Returns the result of the selected choice.

        For most choices the result is the word of the state. An average is a quotient, and the
        minimum and the maximum of floating-point numbers are decoded from the word, an order key.
        """
        result = state["value"]
        for k, choice in enumerate(self.choices):
            if choice.quotients or getattr(choice, "floating", False):
                own_state = {"value": result_word(state["value"], choice.result)}
                result = Mux(context == k, choice.lower(own_state, quotients, context), result)
        return result


def result_word(word, shape):
    """Returns the lowest bits of ``word`` as a value of ``shape``."""
    shape = Shape.cast(shape)
    low = word[: shape.width]
    return low.as_signed() if shape.signed else low
