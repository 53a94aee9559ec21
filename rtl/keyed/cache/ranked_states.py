"""Adds the percentiles of cached windows to the states of their lines."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import wire


class RankedStates(wiring.Component):
    """Puts the percentiles of each window into the state of the window's last line with values.

    In all other lines the percentile states are 0, which stands for no value, so the kernels
    combine the lines of the window as usual. A line is held until the next line with values, or the
    window's end, tells whether it is the last one. Lines without values, which windows of time may
    have, are dropped, because the kernels ignore their states. For instance a window of four lines,
    the last of which has no values::

        states         line 0    line 1    line 2    no values, last
        percentiles                                  17
        o                        line 0    line 1    line 2 with 17, last

    A window without any value is one line without values.

    Order is kept. Latency of a window's last line 1 cycle; a last line with values before lines
    without values leaves 1 cycle after the window's end. Every other line leaves in the cycle in
    which the next line with values arrives. Initiation interval 1 cycle. A stall at ``o`` stalls
    both inputs; a last line waits for its percentiles.

    Parameters
    ----------
    plan : CachePlan
        With ``sorting``.

    Members
    -------
    states : In(stream.Signature(plan.read_line))
    percentiles : In(stream.Signature(plan.sorting.percentiles))
        The percentiles of each window.
    o : Out(stream.Signature(plan.state_line))

    Source: ours.
    """

    latency = 1
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
        states = self.states
        percentiles = self.percentiles
        o = self.o
        line = Signal(self._plan.read_line, reset_less=True)
        holds_line = Signal()
        source = line.tuples[0]
        target = o.p.tuples[0]
        empty_end = Signal()  # the arriving line has no values, and ends the held line's window
        leaves = Signal()
        may_load = Signal()
        loads_line = Signal()
        has_values = states.p.valid.any()
        is_last = states.p.last
        m.d.comb += [
            empty_end.eq(~has_values & is_last & holds_line & ~line.last),
            o.valid.eq(holds_line & Mux(line.last, percentiles.valid, states.valid & has_values)),
            leaves.eq(o.valid & o.ready),
            percentiles.ready.eq(leaves & line.last),
            may_load.eq(~holds_line | leaves),
            loads_line.eq((has_values | is_last) & ~empty_end),
            states.ready.eq(may_load | ~loads_line),
            o.p.valid.eq(line.valid),
            o.p.last.eq(line.last),
            *(s for name in source.shape().members for s in wire(target[name], source[name])),
        ]
        with m.If(leaves):
            m.d.sync += holds_line.eq(0)
        with m.If(states.valid & empty_end):
            m.d.sync += line.last.eq(1)
        with m.Elif(states.valid & loads_line & may_load):
            m.d.sync += [holds_line.eq(1), line.eq(states.p)]
        with m.If(line.last):
            for name, members in self._plan.sorting.states_of(percentiles.p).items():
                m.d.comb += [target[name][member].eq(value) for member, value in members.items()]
        return m
