"""The contract of an aggregate in hardware: lift, combine, lower.

The terms are those of the sliding-window literature (seed 003 section 3.1, seed 004 section 2):

- *lift* makes the state of one tuple;
- *combine* joins the states of two adjacent, non-empty runs of tuples, the earlier run on the left.
  Callers may rely on associativity, but not on commutativity or an inverse;
- *lower* makes the result out of the state of the whole group or window.

For instance ``avg`` of 4 and 7 lifts 4 to the sum 4 and the count 1, and 7 to the sum 7 and the
count 1. It combines both states to the sum 11 and the count 2, and lowers this state to 11 / 2 = 5,
in a column of whole numbers.

An operator has no hardware of its own. Its methods turn views into Amaranth expressions, and a
scan, a reduction tree or a window module places the expressions.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from amaranth.hdl import Mux
from amaranth.lib import data

#: Member of a row beside the columns: the length of a run of equal tuples. No name of the query
#: language has a dot, so no column has this name.
TIMES = "run.times"


def pivot_member(number):
    """Returns the name of the row member with pivot ``number``; no column can have this name."""
    return f"search.pivot{number}"


@dataclass(frozen=True)
class Tuple:
    """Holds a tuple as the argument of :meth:`Operator.lift`; operators read only some parts.

    Attributes
    ----------
    row : mapping of str to Value
        The columns.
    fresh : mapping of str to Value
        For a column, a bit: the tuple is the first of its group, or its value differs from the
        group's previous tuple.
    first : Value
        A bit: the tuple is the first of its group.
    valid : Value
        A bit: the tuple counts.
    hits : sequence of Value
        For each percentile, a bit: the tuple is the percentile of its group.
    """

    row: Mapping = field(default_factory=dict)
    fresh: Mapping = field(default_factory=dict)
    first: object = 0
    valid: object = 1
    hits: Sequence = ()


class Operator(ABC):
    """Describes one aggregate by its lift, combine and lower.

    A *state* is a :class:`~amaranth.lib.data.View` of :meth:`state`, or a mapping with the same
    members; the methods return mappings. ``context`` is a value that travels with every beat and
    steers the operator (the function register); its width is :attr:`context`.
    """

    #: Width of the context in bits, 0 without a context.
    context = 0

    #: True if ``remove(combine(a, b), a) == b``.
    invertible = False

    #: True if zero is the state of no tuple, and so neutral on both sides of ``combine``.
    empty_is_zero = False

    #: Quotients for ``lower``. Each has the path of members to the dividend in the state, the path
    #: to the divisor, and the quotient's shape, or its Format if it is floating point.
    quotients = ()

    #: How :class:`~rtl.aggregate.select.Select` combines states: "add", "min" or "max"; None if a
    #: Select cannot have the operator as a choice.
    fold = None

    @property
    def repeats(self):
        """True if the operator has :meth:`repeat`."""
        return type(self).repeat is not Operator.repeat

    @property
    def folded(self):
        """Operator with which a serial decoder aggregates the values of a block; None for none.

        It is the operator itself, except for sums and averages of floating point, because an adder
        of the decoder makes their sum. They have the operator of the remaining part here: the count
        for an average, and None for a sum.
        """
        return self

    def over_states(self, lifted):
        """Returns the operator that aggregates the states of a window's blocks.

        Decoders or a cache have made the states with :attr:`folded`. ``lifted`` combines the states
        (:class:`~rtl.aggregate.folded.Lifted`); None if ``folded`` is None. For instance ``sum``
        of blocks with the states 2 and 3 is 5.
        """
        return lifted

    @abstractmethod
    def state(self, tuples):
        """Returns the layout of the state of up to ``tuples`` tuples, without overflow."""

    @abstractmethod
    def lift(self, tuple_, context):
        """Returns the state of one :class:`Tuple`."""

    @abstractmethod
    def combine(self, left, right, context):
        """Returns the state of ``left`` followed by ``right``."""

    def repeat(self, tuple_, times, context):
        """Returns the state of one :class:`Tuple`, ``times`` times (at least once); optional."""
        raise NotImplementedError(f"{type(self).__name__} does not repeat")

    def masked(self, state, condition):
        """Returns ``state``, or the state of no tuple if the condition is low.

        Only for operators with :attr:`empty_is_zero`. An operator may leave bits as they are if
        they have no meaning without a tuple.
        """
        return _or_zero(state, condition)

    def append(self, left, tuple_, restart, context):
        """Returns the state of ``left`` and then a tuple; with ``restart``, of the tuple alone."""
        return self.restart(left, self.lift(tuple_, context), restart, context)

    def append_run(self, left, tuple_, times, restart, context):
        """Returns the state of ``left`` followed by ``times`` equal tuples.

        With ``restart``, of the equal tuples alone, as for :meth:`append`.
        An operator with :meth:`repeat` may override this method if one value takes less hardware
        than a state.
        """
        return self.restart(left, self.repeat(tuple_, times, context), restart, context)

    def remove(self, whole, left):
        """Returns the state of ``whole`` without its beginning ``left``; if invertible."""
        raise NotImplementedError(f"{type(self).__name__} is not invertible")

    def restart(self, left, right, restart, context):
        """Returns ``right`` if ``restart`` is high, else ``combine(left, right)``."""
        joined = self.combine(left, right, context)
        return {name: Mux(restart, right[name], joined[name]) for name in joined}

    @property
    @abstractmethod
    def result(self):
        """Shape of the result of :meth:`lower`."""

    @abstractmethod
    def lower(self, state, quotients, context):
        """Returns the result of a state; ``quotients`` has the order of :attr:`quotients`."""


class Product(Operator):
    """Applies several operators in parallel; members of state and result have the operators' names.

    Parameters
    ----------
    parts : mapping of str to Operator
        At most one part may have a context, which is also the product's context.
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
        """Returns ``method(part, name)`` of each part, by the part's name."""
        return {name: method(part, name) for name, part in self.parts.items()}

    def state(self, tuples):
        return data.StructLayout(self._each(lambda part, _: part.state(tuples)))

    def lift(self, tuple_, context):
        return self._each(lambda part, _: part.lift(tuple_, context))

    def repeat(self, tuple_, times, context):
        return self._each(lambda part, _: part.repeat(tuple_, times, context))

    def combine(self, left, right, context):
        return self._each(lambda part, name: part.combine(left[name], right[name], context))

    def masked(self, state, condition):
        return self._each(lambda part, name: part.masked(state[name], condition))

    def append(self, left, tuple_, restart, context):
        return self._each(lambda part, name: part.append(left[name], tuple_, restart, context))

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
        remaining = iter(quotients)
        return self._each(
            lambda part, name: part.lower(
                state[name], [next(remaining) for _ in part.quotients], context
            )
        )


class Segmented(Operator):
    """Applies an operator to the tuples from the last boundary on, for scans over groups.

    A tuple whose ``first`` is high is a boundary, and begins a group. The state of a run of tuples
    has the operator's state of the tuples from the run's last boundary on, and ``first``: the run
    contains a boundary, so ``combine`` ignores the state to the left of the run. For instance with
    ``sum`` the run 1 2 | 3 4, where 3 is a boundary, has the state 7 with ``first``. ``combine`` is
    associative if the operator's ``combine`` is. (In seed 003, section 3.1 step c, each ``combine``
    compares neighbouring groups; here one comparison per tuple makes ``first``.)
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
        starts_anew = right["first"] | restart
        return {
            "first": left["first"] | starts_anew,
            "state": self.operator.restart(left["state"], right["state"], starts_anew, context),
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


def _or_zero(state, condition):
    """Returns ``state`` if the condition holds, else zeros, member by member."""
    if isinstance(state, dict):
        return {name: _or_zero(part, condition) for name, part in state.items()}
    return Mux(condition, state, 0)
