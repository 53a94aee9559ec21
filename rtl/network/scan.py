"""Prefix scan over the lanes of a beat."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import covers, plan
from rtl.stream.beat import build, split, wire
from rtl.stream.register import StreamRegister


def scan_payload(operator, lanes, tuples, passenger):
    """Layout of a scan's streams.

    Members: ``states`` (array of ``lanes`` states of up to ``tuples`` tuples), ``context`` (the
    operator's), ``last`` (end of the stream) and ``passenger`` (passes through unchanged).
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
    """Combines, in each beat, the states of lanes 0 to i into the state of lane i.

    Beats are independent; :class:`~rtl.network.rolling.RollingScan` continues over beats.
    ``combine`` receives the lower lane on the left and need not commute. A state inside is only as
    wide as the number of its tuples requires: a count over 2 lanes has 2 bits.

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
        Shape of the data that each beat carries.

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
        self._shape = shape
        self._passenger = passenger
        inner = scan_payload(operator, lanes, 1, passenger)
        outer = scan_payload(operator, lanes, lanes, passenger)
        super().__init__({"i": In(stream.Signature(inner)), "o": Out(stream.Signature(outer))})

    @staticmethod
    def latency_of(lanes, shape="sklansky"):
        """Latency in cycles: the levels of the network."""
        return len(plan(shape, lanes))

    @property
    def latency(self):
        return self.latency_of(self._lanes, self._shape)

    def _level_payload(self, cover):
        """Returns the layout of a level's register; ``cover`` has the tuples per lane."""
        states = {str(lane): self._operator.state(tuples) for lane, tuples in enumerate(cover)}
        side = {"context": self._operator.context, "last": 1, "passenger": self._passenger}
        return data.StructLayout(
            {"states": data.StructLayout(states), "rest": data.StructLayout(side)}
        )

    def elaborate(self, platform):
        m = Module()
        states = split(m, self.i.p.states, "state", deep=True)
        source = self.i
        side = self.i.p
        for k, (level, cover) in enumerate(
            zip(self._plan, covers(self._plan, self._lanes), strict=True)
        ):
            register = m.submodules[f"level{k}"] = StreamRegister(self._level_payload(cover))
            combined = build(m, register.i.p.states, f"combined{k}", deep=True)
            left = {target: states[lane] for lane, target in level}
            for lane in range(self._lanes):
                state = states[lane]
                if lane in left:
                    state = self._operator.combine(left[lane], state, side.context)
                m.d.comb += wire(combined[str(lane)], state)
            m.d.comb += wire(register.i.p.rest, side)
            m.d.comb += [register.i.valid.eq(source.valid), source.ready.eq(register.i.ready)]
            states = split(m, register.o.p.states, f"level{k}_state", deep=True)
            states = list(states.values())
            source = register.o
            side = register.o.p.rest

        out = build(m, self.o.p.states, "out", deep=True)
        for lane in range(self._lanes):
            m.d.comb += wire(out[lane], states[lane])
        for member in ("context", "last", "passenger"):
            m.d.comb += self.o.p[member].eq(side[member])
        m.d.comb += [self.o.valid.eq(source.valid), source.ready.eq(self.o.ready)]
        return m
