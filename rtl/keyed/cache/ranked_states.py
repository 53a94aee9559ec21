"""Adds the percentiles of cached windows to the states of their lines."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import wire


class RankedStates(wiring.Component):
    """Puts the percentiles of each window into the state of the window's last line.

    The other lines have the percentile states of no value, so the kernels combine the lines as
    those of any window. For instance a window of three lines::

        states         line    line    line, last
        percentiles                    17
        o              line    line    line with 17, last

    Order is kept. Latency 0 cycles, initiation interval 1 cycle. A stall at ``o`` stalls both
    inputs; a last line waits for its percentiles.

    Parameters
    ----------
    plan : CachePlan
        With ``sorting``.

    Members
    -------
    states : In(stream.Signature(plan.read_line))
    percentiles : In(stream.Signature(plan.sorting.percentiles))
        One for each window.
    o : Out(stream.Signature(plan.state_line))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        super().__init__(
            {
                "states": In(stream.Signature(plan.read_line)),
                "percentiles": In(stream.Signature(plan.sorting.percentiles)),
                "o": Out(stream.Signature(plan.state_line)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        states, percentiles, o = self.states, self.percentiles, self.o
        source, target = states.p.tuples[0], o.p.tuples[0]
        m.d.comb += [
            o.valid.eq(states.valid & (~states.p.last | percentiles.valid)),
            states.ready.eq(o.ready & (~states.p.last | percentiles.valid)),
            percentiles.ready.eq(o.ready & states.valid & states.p.last),
            o.p.valid.eq(states.p.valid),
            o.p.last.eq(states.p.last),
            *(s for name in source.shape().members for s in wire(target[name], source[name])),
        ]
        with m.If(states.p.last):
            for name, members in self._plan.sorting.states_of(percentiles.p).items():
                m.d.comb += [target[name][member].eq(value) for member, value in members.items()]
        return m
