"""A collector of windows whose lines pass the kernels until the percentiles are found."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import Out

from rtl.keyed.pivot.window_passes import WindowPasses


class PassingCollector(wiring.Component):
    """Collects windows, and sends each with its pivots until all percentiles are found.

    ::

        windows, lines --> collector --> WindowPasses --> o

    Order is kept. The latency is the sum of the latencies of the collector and of
    :class:`~rtl.keyed.pivot.window_passes.WindowPasses`. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : PivotPlan
    collector : WindowLines or TimeLines

    Members
    -------
    windows, lines : In(...)
        Ports of the collector, unchanged. The next four members are ports of WindowPasses.
    o : Out(stream.Signature(plan.passing(...)))
    started : Out(stream.Signature(plan.started))
    verdicts : In(stream.Signature(plan.verdict, always_ready=True))
    counts_pass : Out(1)
    busy : Out(1)
        WindowPasses has a window; windows that are still in the collector do not count.

    Source: ours.
    """

    initiation_interval = 1

    def __init__(self, plan, collector):
        self._collector = collector
        self._passes = WindowPasses(plan, collector.o.p.shape())
        inner = collector.signature.members
        outer = self._passes.signature.members
        super().__init__(
            {
                **{name: inner[name] for name in ("windows", "lines")},
                **{name: outer[name] for name in ("o", "started", "verdicts", "counts_pass")},
                "busy": Out(1),
            }
        )

    @property
    def latency(self):
        return self._collector.latency + self._passes.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.collector = collector = self._collector
        m.submodules.passes = passes = self._passes
        wiring.connect(m, wiring.flipped(self.windows), collector.windows)
        wiring.connect(m, wiring.flipped(self.lines), collector.lines)
        wiring.connect(m, collector.o, passes.i)
        wiring.connect(m, passes.o, wiring.flipped(self.o))
        wiring.connect(m, passes.started, wiring.flipped(self.started))
        wiring.connect(m, wiring.flipped(self.verdicts), passes.verdicts)
        m.d.comb += [self.counts_pass.eq(passes.counts_pass), self.busy.eq(passes.busy)]
        return m
