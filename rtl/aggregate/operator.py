"""The contract of an aggregate in hardware: lift, combine, lower.

The terms are those of the sliding-window literature (seed 003 section 3.1, seed 004 section 2):

- *lift* makes the state of one tuple;
- *combine* joins the states of two adjacent, non-empty runs of tuples, the earlier one on the left.
  It is associative; nothing else (commutative, invertible) may be taken for granted;
- *lower* makes the result out of the state of the whole group or window.

An operator holds no hardware. Its methods make Amaranth expressions out of views, so that a scan, a
reduction tree or a window module can place them where it likes.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from amaranth.hdl import Mux
from amaranth.lib import data


@dataclass(frozen=True)
class Tuple:
    """What :meth:`Operator.lift` sees of a tuple; operators read the parts that they need.

    Attributes
    ----------
    row : mapping of str to Value
        The columns.
    fresh : mapping of str to Value
        For a column, a bit: its value differs from that of the tuple before it in its group, or
        there is none.
    first : Value
        The first of its group.
    valid : Value
        The tuple counts.
    hits : sequence of Value
        For each percentile, a bit: the tuple is the one that it asks for in its group.
    """

    row: Mapping = field(default_factory=dict)
    fresh: Mapping = field(default_factory=dict)
    first: object = 0
    valid: object = 1
    hits: Sequence = ()


class Operator(ABC):
    """One aggregate.

    A *state* is a :class:`~amaranth.lib.data.View` of :meth:`state`, or a mapping of the same
    members: what the methods return is such a mapping. ``context`` is a value that travels with
    every beat and steers the operator (the function register); its shape is :attr:`context`.
    """

    #: Width in bits of what steers the operator, 0 when nothing does.
    context = 0

    #: A state can be taken out of another: ``remove(combine(a, b), a) == b``.
    invertible = False

    #: A state of zeros is that of no tuple: to combine with it, on either side, changes nothing.
    empty_is_zero = False

    #: Quotients that ``lower`` needs: for each, the path of members to the dividend in the state,
    #: that to the divisor, and the quotient's shape, or its Format if it is floating point.
    quotients = ()

    @abstractmethod
    def state(self, tuples):
        """Layout of the state of up to ``tuples`` tuples: wide enough that nothing overflows."""

    @abstractmethod
    def lift(self, tuple_, context):
        """State of one :class:`Tuple`."""

    @abstractmethod
    def combine(self, left, right, context):
        """State of ``left`` followed by ``right``."""

    def repeat(self, tuple_, times, context):
        """State of one :class:`Tuple` so many ``times``, of which it has some; optional."""
        raise NotImplementedError(f"{type(self).__name__} does not repeat")

    def remove(self, whole, left):
        """State of what is left of ``whole`` without its beginning ``left``; if invertible."""
        raise NotImplementedError(f"{type(self).__name__} is not invertible")

    def restart(self, left, right, restart, context):
        """``right`` alone where ``restart`` is high, else ``combine(left, right)``."""
        joined = self.combine(left, right, context)
        return {name: Mux(restart, right[name], joined[name]) for name in joined}

    @property
    @abstractmethod
    def result(self):
        """Shape of what :meth:`lower` gives."""

    @abstractmethod
    def lower(self, state, quotients, context):
        """Result of a state. ``quotients`` are values in the order of :attr:`quotients`."""


class Product(Operator):
    """Several operators side by side; members of the state and of the result bear their names.

    Parameters
    ----------
    parts : mapping of str to Operator
        At most one of them may have a context, which is then the product's.
    """

    def __init__(self, **parts):
        self.parts = parts
        contexts = [part.context for part in parts.values() if part.context]
        if len(contexts) > 1:
            raise ValueError(f"at most one part must have a context, not {len(contexts)}")
        self.context = sum(contexts)

    @property
    def invertible(self):
        return all(part.invertible for part in self.parts.values())

    @property
    def empty_is_zero(self):
        return all(part.empty_is_zero for part in self.parts.values())

    @property
    def quotients(self):
        return tuple(
            ((name, *dividend), (name, *divisor), shape)
            for name, part in self.parts.items()
            for dividend, divisor, shape in part.quotients
        )

    def _each(self, method):
        return {name: method(part, name) for name, part in self.parts.items()}

    def state(self, tuples):
        return data.StructLayout(self._each(lambda part, _: part.state(tuples)))

    def lift(self, tuple_, context):
        return self._each(lambda part, _: part.lift(tuple_, context))

    def repeat(self, tuple_, times, context):
        return self._each(lambda part, _: part.repeat(tuple_, times, context))

    def combine(self, left, right, context):
        return self._each(lambda part, name: part.combine(left[name], right[name], context))

    def remove(self, whole, left):
        return self._each(lambda part, name: part.remove(whole[name], left[name]))

    def restart(self, left, right, restart, context):
        return self._each(
            lambda part, name: part.restart(left[name], right[name], restart, context)
        )

    @property
    def result(self):
        return data.StructLayout(self._each(lambda part, _: part.result))

    def lower(self, state, quotients, context):
        rest = iter(quotients)
        return self._each(
            lambda part, name: part.lower(
                state[name], [next(rest) for _ in part.quotients], context
            )
        )


class Segmented(Operator):
    """An operator over the tuples since the last boundary: what a grouped scan scans with.

    The state holds, beside the operator's, ``first``: a boundary lies inside the run, so what is
    left of the run has no say. Associative when the operator is (seed 003, section 3.1 step c:
    the equality check of neighbouring groups, made once and carried along).

    The boundary is the tuple's ``first``.
    """

    def __init__(self, operator):
        self.operator = operator
        self.context = operator.context

    def state(self, tuples):
        return data.StructLayout({"first": 1, "state": self.operator.state(tuples)})

    def lift(self, tuple_, context):
        return {"first": tuple_.first, "state": self.operator.lift(tuple_, context)}

    def combine(self, left, right, context):
        return self.restart(left, right, 0, context)

    def restart(self, left, right, restart, context):
        alone = right["first"] | restart
        return {
            "first": left["first"] | alone,
            "state": self.operator.restart(left["state"], right["state"], alone, context),
        }

    @property
    def quotients(self):
        return tuple(
            (("state", *dividend), ("state", *divisor), shape)
            for dividend, divisor, shape in self.operator.quotients
        )

    @property
    def result(self):
        return self.operator.result

    def lower(self, state, quotients, context):
        return self.operator.lower(state["state"], quotients, context)
