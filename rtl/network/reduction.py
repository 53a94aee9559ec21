"""Reduction: combines each window of lines into one state."""

from amaranth.hdl import Const, Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.operator import Product, Tuple
from rtl.aggregate.optional import Optional
from rtl.network.plan import log2
from rtl.stream.beat import build, split, wire
from rtl.stream.line import line
from rtl.stream.register import StreamRegister


def reduced_payload(operator, tuples, passenger):
    """Layout of a reduction's result.

    Members: ``state`` (of up to ``tuples`` tuples), ``context`` (the operator's) and ``passenger``.
    """
    return data.StructLayout(
        {"state": operator.state(tuples), "context": operator.context, "passenger": passenger}
    )


class Reduction(wiring.Component):
    """Combines all tuples of a window, one line per cycle, for windows of any length.

    ::

        lane 0 --lift--+
        lane 1 --lift--+--combine--+
        lane 2 --lift--+           |                  +---------------+
        lane 3 --lift--+--combine--+--combine-- ... --+-> accumulator +-> o
                                                      +---------------+
             a register behind every level            one line after the other

    Invariant: a node of the tree holds the state of its valid lanes; the accumulator holds the
    state of its window's lines so far, and restarts after ``last``. So with ``sum`` and 4 lanes,
    ``. . 6 7`` becomes 0 and 13, then 13. The accumulator holds 13, and 30 after ``8 9 . .`` with
    ``last``; 30 appears at ``o``. The next window's first line may arrive in the next cycle.

    The state of no tuple is zero, except for bits without a meaning. If zero is not neutral, as for
    ``min``, the internal state has one more bit, which shows if the state contains a tuple: see
    :class:`~rtl.aggregate.optional.Optional`.
    ``combine`` receives the earlier state on the left and need not commute: lines in order, and
    within a line the lower lane first.

    Order is kept. While ``o`` stalls with a valid state the accumulator accepts no line, and ``i``
    stalls once every level is full. The state of a window without tuples is undefined if zero is
    not neutral.

    Latency from a window's last line to its state: ``log2(lanes) + 1`` cycles. Initiation interval
    1 cycle: a line, so also a window, in every cycle.

    Parameters
    ----------
    operator : Operator
    row : data.StructLayout
        Layout of a tuple.
    lanes : int
        A power of two.
    tuples : int
        Tuples of the largest window; determines widths.
    passenger : ShapeLike
        Shape of the data that each window carries to its result, taken from its last line.
    used : int or None
        Number of lanes that may be valid, the lowest ones; the others take no hardware. None for
        all. For instance with 3 of 4 lanes the state of lane 2 passes the first level unchanged.

    Members
    -------
    i : In(stream.Signature(line(row, lanes, context=operator.context, passenger=passenger)))
    o : Out(stream.Signature(reduced_payload(operator, tuples, passenger)))

    Source: seed 000, section 4.1 (kernels that process lines of a memory); lanes that are not valid
    are ours.
    """

    initiation_interval = 1

    def __init__(self, operator, row, lanes, *, tuples, passenger=0, used=None):
        self._levels = log2(lanes)
        self._used = lanes if used is None else used
        self._operator = operator
        self._inner_operator = with_empty_state(operator)
        self._lanes = lanes
        self._tuples = tuples
        self._sideband_layout = data.StructLayout(
            {"context": operator.context, "passenger": passenger, "last": 1}
        )
        payload = line(row, lanes, context=operator.context, passenger=passenger)
        result = reduced_payload(operator, tuples, passenger)
        super().__init__({"i": In(stream.Signature(payload)), "o": Out(stream.Signature(result))})

    @staticmethod
    def latency_of(lanes):
        """Latency in cycles: one per level of the tree, and one for the accumulator."""
        return log2(lanes) + 1

    @property
    def latency(self):
        return self.latency_of(self._lanes)

    def elaborate(self, platform):
        m = Module()
        line_parts = split(m, self.i.p, "line")
        sideband = {name: line_parts.get(name, 0) for name in self._sideband_layout.members}
        states = self._lift(m, line_parts)
        source = self.i
        for level in range(self._levels):
            register = m.submodules[f"level{level}"] = StreamRegister(self._level(level + 1))
            joined = build(m, register.i.p.states, f"joined{level}", deep=True)
            if len(states) % 2:  # the lanes above ``used`` have no state
                states.append(_zeros(states[0]))
            for target, left, right in zip(joined, states[::2], states[1::2], strict=True):
                combined = self._inner_operator.combine(left, right, sideband["context"])
                m.d.comb += wire(target, combined)
            m.d.comb += [
                *(register.i.p.sideband[name].eq(value) for name, value in sideband.items()),
                register.i.valid.eq(source.valid),
                source.ready.eq(register.i.ready),
            ]
            source = register.o
            sideband = split(m, register.o.p.sideband, f"sideband{level}")
            states = split(m, register.o.p.states, f"state{level}", deep=True)
        self._accumulate(m, source, states[0], sideband)
        return m

    def _level(self, level):
        """Layout of a level's register: a state per ``2**level`` lanes."""
        state = self._inner_operator.state(min(1 << level, self._tuples))
        states = data.ArrayLayout(state, -(-self._used >> level))
        return data.StructLayout({"states": states, "sideband": self._sideband_layout})

    def _lift(self, m, line_parts):
        """Returns the state of every lane; a lane that is not valid has the state of no tuple."""
        tuples = split(m, line_parts["tuples"], "tuple", deep=True)
        states = []
        for lane, row in enumerate(tuples[: self._used]):
            valid = line_parts["valid"][lane]
            tuple_ = Tuple(row=row, valid=valid)
            lifted = self._inner_operator.lift(tuple_, line_parts.get("context", 0))
            state = Signal(self._inner_operator.state(1), name=f"lifted{lane}")
            lifted = self._inner_operator.masked(lifted, valid)
            m.d.comb += wire(build(m, state, f"lift{lane}", deep=True), lifted)
            states.append(split(m, state, f"lane{lane}", deep=True))
        return states

    def _accumulate(self, m, source, state, sideband):
        """Accumulates the lines of a window; the state is valid at ``o`` after the last line."""
        total = Signal(self._inner_operator.state(self._tuples), reset_less=True)
        total_sideband = Signal(self._sideband_layout, reset_less=True)
        started = Signal()
        full = Signal()
        step = Signal()
        total_parts = split(m, total, "before", deep=True)
        next_total = Signal.like(total)
        joined = self._inner_operator.restart(total_parts, state, ~started, sideband["context"])
        m.d.comb += [
            *wire(build(m, next_total, "after", deep=True), joined),
            step.eq(~full | self.o.ready),
            source.ready.eq(step),
            *wire(self.o.p.state, without_empty_flag(self._operator, total_parts)),
            self.o.p.context.eq(total_sideband.context),
            self.o.p.passenger.eq(total_sideband.passenger),
            self.o.valid.eq(full),
        ]
        with m.If(step):
            m.d.sync += full.eq(source.valid & sideband["last"])
        with m.If(step & source.valid):
            m.d.sync += [total.eq(next_total), started.eq(~sideband["last"])]
            m.d.sync += [total_sideband[name].eq(value) for name, value in sideband.items()]


def with_empty_state(operator):
    """Returns an operator that also has a state of no tuple, which is zero.

    For instance the result for ``min`` has a state with one more bit, a flag that shows if there is
    a tuple. The result for ``sum`` is ``sum`` itself, because 0 is the sum of no tuple. In a
    product only the parts that need the flag have the flag.
    """
    if operator.empty_is_zero:
        return operator
    if isinstance(operator, Product):
        return Product(**{name: with_empty_state(part) for name, part in operator.parts.items()})
    return Optional(operator)


def without_empty_flag(operator, state):
    """Returns the state of ``operator`` inside a state of ``with_empty_state(operator)``."""
    if operator.empty_is_zero:
        return state
    if isinstance(operator, Product):
        return {
            name: without_empty_flag(part, state[name]) for name, part in operator.parts.items()
        }
    return state["state"]


def _zeros(state):
    """Returns the state of no tuple, with the members of ``state``."""
    if isinstance(state, dict):
        return {name: _zeros(part) for name, part in state.items()}
    return Const(0, state.shape())
