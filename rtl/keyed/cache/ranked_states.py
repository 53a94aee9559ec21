"""Adds the percentiles of cached windows to the states of their lines."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import wire


class RankedStates(wiring.Component):
    """Puts the percentiles of each window into the state of the window's last line with values.

    The other lines have the percentile states of no value, so the kernels combine the lines as
    those of any window. A line is held until the next line with values, or the window's end, tells
    whether it is the last one. Lines without values, which windows of time may have, are dropped,
    because the kernels ignore their states. For instance a window of four lines, the last of which
    has no values::

        states         line 0    line 1    line 2    no values, last
        percentiles                                  17
        o                        line 0    line 1    line 2 with 17, last

    A window without any value is one line without values.

    Order is kept. Latency from a last line to ``o`` 1 cycle, or 2 cycles if the line has no values;
    another line leaves with the next one. Initiation interval 1 cycle, and a cycle more for a last
    line without values. A stall at ``o`` stalls both inputs; a last line waits for its percentiles.

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
        states, percentiles, o = self.states, self.percentiles, self.o
        line, holds_line = Signal(self._plan.read_line, reset_less=True), Signal()
        source, target = line.tuples[0], o.p.tuples[0]
        ends_window = Signal()  # the held line is its window's last line with values
        leaves, is_free, is_held = Signal(), Signal(), Signal()
        has_values, is_last = states.p.valid.any(), states.p.last
        m.d.comb += [
            ends_window.eq(~has_values & is_last & holds_line & ~line.last),
            o.valid.eq(holds_line & Mux(line.last, percentiles.valid, states.valid & has_values)),
            leaves.eq(o.valid & o.ready),
            percentiles.ready.eq(leaves & line.last),
            is_free.eq(~holds_line | leaves),
            is_held.eq((has_values | is_last) & ~ends_window),
            states.ready.eq(is_free | ~is_held),
            o.p.valid.eq(line.valid),
            o.p.last.eq(line.last),
            *(s for name in source.shape().members for s in wire(target[name], source[name])),
        ]
        with m.If(leaves):
            m.d.sync += holds_line.eq(0)
        with m.If(states.valid & ends_window):
            m.d.sync += line.last.eq(1)
        with m.Elif(states.valid & is_held & is_free):
            m.d.sync += [holds_line.eq(1), line.eq(states.p)]
        with m.If(line.last):
            for name, members in self._plan.sorting.states_of(percentiles.p).items():
                m.d.comb += [target[name][member].eq(value) for member, value in members.items()]
        return m
