"""Computes results from states (lowering), with divisions for averages."""

from amaranth.hdl import Cat, Module, Shape, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.division import Divider
from rtl.aggregate.float_division import FloatDivider
from rtl.float.format import Format
from rtl.stream.beat import build, split, wire


def lower_payload(shape, lanes, operator, passenger):
    """Returns the layout of a stream of :class:`Lower`.

    Members: ``lanes`` (array of states at the input, of results at the output, each of ``shape``),
    ``context`` (the operator's) and ``passenger`` (passes through unchanged).
    """
    return data.StructLayout(
        {
            "lanes": data.ArrayLayout(shape, lanes),
            "context": operator.context,
            "passenger": passenger,
        }
    )


def _member(state, path):
    """Returns the field of a state at a path of names."""
    for name in path:
        state = state[name]
    return state


class Lower(wiring.Component):
    """Lowers every lane's state to its result.

    Without quotients the component is combinational. Otherwise each quotient and lane has a
    :class:`~rtl.aggregate.division.Divider` or a
    :class:`~rtl.aggregate.float_division.FloatDivider`, and a shift register delays all other data
    by the latency of the slowest divider. Quotients of faster dividers wait in registers. All
    levels advance together: they stop, and ``i`` stalls, while the last level is full and ``o``
    stalls.

    Latency: that of the slowest divider, 0 without dividers. Initiation interval 1 cycle. Order is
    kept.

    Parameters
    ----------
    operator : Operator
    lanes : int
    tuples : int
        Greatest number of tuples of a state at ``i``.
    passenger : ShapeLike
        Shape of the data that pass through.

    Members
    -------
    i : In(stream.Signature(lower_payload(operator.state(tuples), ...)))
    o : Out(stream.Signature(lower_payload(operator.result, ...)))
    busy : Out(1)
        The component holds a beat.

    Source: seed 003, section 3.1 step (d).
    """

    initiation_interval = 1

    def __init__(self, operator, lanes, *, tuples, passenger=0):
        self._operator = operator
        state = operator.state(tuples)
        inner = lower_payload(state, lanes, operator, passenger)
        outer = lower_payload(operator.result, lanes, operator, passenger)
        super().__init__(
            {
                "i": In(stream.Signature(inner)),
                "o": Out(stream.Signature(outer)),
                "busy": Out(1),
            }
        )
        self._dividers = [
            [
                _divider(_shape(state, dividend), _shape(state, divisor), quotient)
                for dividend, divisor, quotient in operator.quotients
            ]
            for _ in range(lanes)
        ]

    @staticmethod
    def latency_of(operator):
        """Latency of the slowest divider that the operator requests, in cycles."""
        return max((_divider_latency(quotient) for *_, quotient in operator.quotients), default=0)

    @property
    def latency(self):
        return self.latency_of(self._operator)

    def elaborate(self, platform):
        m = Module()
        enable = Signal()
        valid = self.i.valid
        payload = self.i.p
        full = []
        for level in range(self.latency):
            next_valid = Signal(name=f"valid{level}")
            next_payload = Signal.like(payload, name=f"payload{level}", reset_less=True)
            with m.If(enable):
                m.d.sync += [next_valid.eq(valid), next_payload.eq(payload)]
            valid = next_valid
            payload = next_payload
            full.append(valid)

        states = split(m, self.i.p.lanes, "state", deep=True)
        delayed = split(m, payload.lanes, "waited", deep=True)
        results = build(m, self.o.p.lanes, "result", deep=True)
        for lane, dividers in enumerate(self._dividers):
            quotients = []
            for k, divider in enumerate(dividers):
                m.submodules[f"divider{lane}_{k}"] = divider
                dividend, divisor, _ = self._operator.quotients[k]
                m.d.comb += [
                    divider.enable.eq(enable),
                    divider.dividend.eq(_member(states[lane], dividend)),
                    divider.divisor.eq(_member(states[lane], divisor)),
                ]
                quotients.append(
                    _delayed(m, divider.quotient, enable, self.latency - divider.latency)
                )
            result = self._operator.lower(delayed[lane], quotients, payload.context)
            m.d.comb += wire(results[lane], result)
        m.d.comb += [
            self.o.p.passenger.eq(payload.passenger),
            self.o.p.context.eq(payload.context),
            enable.eq(self.o.ready | ~valid if self.latency else self.o.ready),
            self.i.ready.eq(enable),
            self.o.valid.eq(valid),
            self.busy.eq(Cat(full).any()),
        ]
        return m


def _divider(dividend, divisor, quotient):
    if isinstance(quotient, Format):
        return FloatDivider(quotient, divisor)
    return Divider(dividend, divisor, quotient)


def _divider_latency(quotient):
    if isinstance(quotient, Format):
        return FloatDivider.latency_of(quotient)
    return Divider.latency_of(Shape.cast(quotient).width)


def _shape(layout, path):
    """Returns the shape of the field at a path of names."""
    for name in path:
        layout = layout[name].shape
    return layout


def _delayed(m, value, enable, levels):
    """Delays a value by ``levels`` registers that load while ``enable`` is high."""
    for level in range(levels):
        delayed_value = Signal.like(value, name=f"quotient_late{level}", reset_less=True)
        with m.If(enable):
            m.d.sync += delayed_value.eq(value)
        value = delayed_value
    return value
