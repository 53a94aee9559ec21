"""Prefix scan over the lanes of a beat."""

from amaranth.hdl import Module, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import covers, plan
from rtl.stream.beat import wire
from rtl.stream.register import StreamRegister


def scan_payload(operator, lanes, tuples, passenger):
    """Payload of a scan's streams.

    Members: ``states`` (array of ``lanes`` states of up to ``tuples`` tuples), ``context`` (the
    operator's), ``last`` (end of the stream) and ``passenger`` (goes along untouched).
    """
    return data.StructLayout(
        {
            "states": data.ArrayLayout(operator.state(tuples), lanes),
            "context": operator.context,
            "last": 1,
            "passenger": passenger,
        }
    )


class PrefixScan(wiring.Component):
    """In every beat, lane i's state becomes the combination of the states of lanes 0 to i.

    Each beat by itself; for the scan that goes on over beats see
    :class:`~rtl.network.rolling.RollingScan`. ``combine`` gets the lower lane on the left, so it
    need not commute. Inside, states are as wide as the tuples they cover ask for, and no wider.

    Latency: the levels of the network in cycles (:mod:`rtl.network.plan`; 0 with one lane).
    Initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when every level is full.

    Parameters
    ----------
    operator : Operator
    lanes : int
        A power of two.
    shape : str
        "sklansky", "kogge-stone" or "brent-kung".
    passenger : ShapeLike
        What goes along with each beat.

    Members
    -------
    i : In(stream.Signature(scan_payload(operator, lanes, 1, passenger)))
    o : Out(stream.Signature(scan_payload(operator, lanes, lanes, passenger)))

    Source: seed 003, section 3.1 step (c).
    """

    initiation_interval = 1

    def __init__(self, operator, lanes, *, shape="sklansky", passenger=0):
        self._plan = plan(shape, lanes)
        self._operator = operator
        self._lanes = lanes
        self._passenger = passenger
        inner = scan_payload(operator, lanes, 1, passenger)
        outer = scan_payload(operator, lanes, lanes, passenger)
        super().__init__({"i": In(stream.Signature(inner)), "o": Out(stream.Signature(outer))})

    @property
    def latency(self):
        return len(self._plan)

    def _level_payload(self, cover):
        states = {str(lane): self._operator.state(tuples) for lane, tuples in enumerate(cover)}
        return data.StructLayout(
            {
                "states": data.StructLayout(states),
                "rest": data.StructLayout(
                    {"context": self._operator.context, "last": 1, "passenger": self._passenger}
                ),
            }
        )

    def elaborate(self, platform):
        m = Module()
        layouts = [
            self._level_payload(cover)
            for cover in ((1,) * self._lanes, *covers(self._plan, self._lanes))
        ]

        payload = Signal(layouts[0], name="payload0")
        m.d.comb += wire(payload.states, {str(k): self.i.p.states[k] for k in range(self._lanes)})
        m.d.comb += wire(payload.rest, self.i.p)
        valid, ready = self.i.valid, self.i.ready

        for k, level in enumerate(self._plan):
            register = m.submodules[f"level{k}"] = StreamRegister(layouts[k + 1])
            states = {name: payload.states[name] for name, _ in layouts[0]["states"].shape}
            for source, target in level:
                states[str(target)] = self._operator.combine(
                    payload.states[str(source)], payload.states[str(target)], payload.rest.context
                )
            m.d.comb += wire(register.i.p.states, states)
            m.d.comb += wire(register.i.p.rest, payload.rest)
            m.d.comb += [register.i.valid.eq(valid), ready.eq(register.i.ready)]
            payload, valid, ready = register.o.p, register.o.valid, register.o.ready

        for lane in range(self._lanes):
            m.d.comb += wire(self.o.p.states[lane], payload.states[str(lane)])
        for member in ("context", "last", "passenger"):
            m.d.comb += wire(self.o.p[member], payload.rest[member])
        m.d.comb += [self.o.valid.eq(valid), ready.eq(self.o.ready)]
        return m
