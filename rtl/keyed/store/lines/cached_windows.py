"""Collects windows from lines, and puts the lines of cached windows between them."""

from amaranth.hdl import Module, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import Out

from rtl.keyed.codec.line_states import LineStates


class CachedWindows(wiring.Component):
    """Collects windows from the levels of memory and from the cache, as states of their lines.

    ::

        windows, lines --> collector --> LineStates --> merger --> o
                                                          ^
        cached -------------------------------------------+

    The cache sends the state of the aggregates over a line of up to 256 values, so the kernels
    combine states. The lines of the other windows become states here, too. A cached window comes
    from the collector as a single line with ``cached`` in the description of its window, and the
    merger replaces this line by the lines from the cache. For instance with ``sum``, lines of 4
    values, and a cache with lines of 8::

        values of a window     . . . 1 | 2 3 4 5 | 6
        o, from memory         1, then 14, then 6, last
        o, from the cache      21, last      (1 + 2 + ... + 6 in one line of 8)

    Order is kept. Latency that of the collector, and of
    :class:`~rtl.keyed.codec.line_states.LineStates`. Initiation interval 1 cycle for a line. A
    stall at ``o`` stalls ``cached``, and the other inputs when the stages between are full.

    Parameters
    ----------
    plan : KeyedPlan
        Its store is a CachedLineStore.
    collector : WindowLines, TimeLines or PassingCollector

    Members
    -------
    windows : In(stream.Signature(window_layout(plan.line, plan.window_info)))
    lines : In(stream.Signature(marked_line()))
        Lines from memory, for the collector.
    cached : In(stream.Signature(plan.store.cache.state_line))
    o : Out(stream.Signature(plan.window_line))
    started : Out(stream.Signature(plan.pivots.started)), or none
    verdicts : In(stream.Signature(plan.pivots.verdict, always_ready=True)), or none
    counts_pass, busy : Out(1), or none
        With pivots, those of the collector.

    Source: seed 000, section 3.4.4.
    """

    initiation_interval = 1

    def __init__(self, plan, collector):
        self._collector = collector
        cache = plan.store.cache
        line_info = collector.o.p.shape().members["passenger"].members
        self._states = LineStates(
            cache.fold,
            cache.fold.row,
            plan.line.items,
            data.StructLayout({**line_info, "cached": 1}),
        )
        self._merger = cache.merger(self._states.o.p.shape())
        self._has_pivots = plan.pivots is not None
        ports = collector.signature.members
        names = ("started", "verdicts", "counts_pass", "busy") if self._has_pivots else ()
        super().__init__(
            {name: ports[name] for name in names}
            | {
                "windows": ports["windows"],
                "lines": ports["lines"],
                "cached": self._merger.signature.members["states"],
                "o": Out(stream.Signature(plan.window_line)),
            }
        )

    @staticmethod
    def latency_after_collector_of(plan):
        """Returns the latency after the collector, in cycles, without building the component."""
        return LineStates.latency_of(plan.line.items)

    @property
    def latency(self):
        return self._collector.latency + self._states.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.collector = collector = self._collector
        m.submodules.states = states = self._states
        m.submodules.merger = merger = self._merger
        wiring.connect(m, wiring.flipped(self.windows), collector.windows)
        wiring.connect(m, wiring.flipped(self.lines), collector.lines)
        wiring.connect(m, states.o, merger.i)
        wiring.connect(m, wiring.flipped(self.cached), merger.states)
        if self._has_pivots:
            wiring.connect(m, collector.started, wiring.flipped(self.started))
            wiring.connect(m, wiring.flipped(self.verdicts), collector.verdicts)
            m.d.comb += [
                self.counts_pass.eq(collector.counts_pass),
                self.busy.eq(collector.busy),
                states.pivots.eq(collector.o.p.passenger.pivots),
            ]
        line = collector.o.p
        entered = states.i.p
        source = merger.o.p
        o = self.o.p
        line_info = line.passenger
        window_info = line.passenger.passenger
        m.d.comb += [
            states.i.valid.eq(collector.o.valid),
            collector.o.ready.eq(states.i.ready),
            *(
                Value.cast(entered.tuples[lane]).eq(Value.cast(line.tuples[lane]))
                for lane in range(len(line.valid))
            ),
            *(entered[name].eq(line[name]) for name in ("valid", "last")),
            *(entered.passenger[name].eq(line_info[name]) for name in line_info.shape().members),
            # The end of a stream is an empty item of its own. If its step closed a cached window,
            # the item has ``cached``, too, but no lines in the cache.
            entered.passenger.cached.eq(window_info.cached & ~window_info.end),
            self.o.valid.eq(merger.o.valid),
            merger.o.ready.eq(self.o.ready),
            *(o[name].eq(source[name]) for name in ("tuples", "valid", "last")),
            *(o.passenger[name].eq(source.passenger[name]) for name in o.passenger.shape().members),
        ]
        return m
