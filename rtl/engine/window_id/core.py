"""The core of the window-ID engine."""

from amaranth.hdl import Cat, Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.engine.parts.arrivals import Arrivals
from rtl.engine.parts.inside import Inside, ends, offers_end
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.rows import WindowRows
from rtl.stream.beat import beat
from rtl.window.window_id import WindowModules


class WindowId(wiring.Component):
    """Aggregates windows of time over a stream in disorder.

    ::

        i -> arrivals -> N window modules -> rows -> o
             select,     control, aggregate  lower
             punctuate   union

    A row for each window that a punctuation closes, the empty ones too, in the order of the
    windows, each a packet of its own; the end of a stream closes every window that has begun.
    Tuples of a window are combined in the order in which they come.

    One tuple per cycle. ``i`` stalls while a punctuation closes more than one window, for a cycle
    each; at the end of a stream for N + 1 cycles, or as many as it closes windows, if these are
    more; before a stream with other lengths than the one before, and the first, for N + 2; and
    while ``o`` stalls and the queue of rows is full. Streams may follow each other without a gap,
    each with settings of its own; one whose settings do not fit is swallowed whole and counted.

    Latency from a punctuation, or the tuple that makes it, to its first row: 4 cycles, and those of
    the division with averages. Initiation interval 1 cycle.

    Parameters
    ----------
    windows : TimeWindows
    modules : int
        N, windows that may be open at a time.

    Members
    -------
    i : In(stream.Signature(beat(windows.row, 1, windows.settings.layout.size, user)))
        As for :class:`~rtl.engine.parts.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(windows.rows.layout, 1)))
    busy : Out(1)
        A stream whose end was taken has not left with all its rows.
    events : Out(events(counters))
        Tuples dropped: those of the arrivals, and as ``overrun`` also those that are too early for
        every open window, or of a stream whose lengths do not fit the modules.
    errors : Out(errors(windows.flags))
        ``bad_setting``: high for a cycle when a stream began that is swallowed.

    Source: seed 002, section V.
    """

    initiation_interval = 1

    def __init__(self, windows, modules):
        operator = windows.results.operator
        self._arrivals = Arrivals(windows)
        self._modules = WindowModules(
            operator=operator,
            tuples=windows.tuples,
            modules=modules,
            row=windows.values,
            width=windows.time.width,
        )
        self._rows = WindowRows(operator, windows.tuples, windows.rows.layout)
        super().__init__(
            {
                "i": In(self._arrivals.i.signature.flip()),
                "o": Out(stream.Signature(beat(windows.rows.layout, 1))),
                "busy": Out(1),
                **reports(merged_counters(windows.counters, (OVERRUN,)), windows.flags),
            }
        )

    @property
    def latency(self):
        return self._arrivals.latency + self._modules.latency + self._rows.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.arrivals = arrivals = self._arrivals
        m.submodules.modules = modules = self._modules
        m.submodules.rows = rows = self._rows
        closed = modules.o
        wiring.connect(m, wiring.flipped(self.i), arrivals.i)
        wiring.connect(m, arrivals.o, modules.i)
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        m.d.comb += [
            arrivals.swallowed.eq(modules.swallows),
            rows.i.p.state.eq(closed.p.state),
            rows.i.p.end.eq(closed.p.end),
            rows.i.valid.eq(closed.valid & closed.p.valid),
            closed.ready.eq(rows.i.ready | ~closed.p.valid),
        ]
        refused = {"overrun": modules.overrun, "bad_setting": modules.bad_setting}
        gather(m, self, arrivals, refused)
        m.submodules.inside = inside = Inside(2 * self.latency + WindowModules.DEPTH, ways=3)
        m.d.comb += [
            inside.comes.eq(offers_end(self.i)),
            inside.takes.eq(self.i.ready),
            inside.leaves.eq(Cat(arrivals.ended, modules.ended, ends(closed))),
            self.busy.eq(inside.busy | rows.busy),
        ]
        return m
