"""Connects the parts of the window-ID engine: windows of time over a whole stream."""

from amaranth.hdl import Cat, Module
from amaranth.lib import wiring

from rtl.engine.parts.arrivals import Arrivals, time_engine_ports
from rtl.engine.parts.reports import gather
from rtl.engine.parts.rows import WindowRows
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
from rtl.window.window_id import WindowModules


class WindowId(wiring.Component):
    """Aggregates windows of time over a stream in disorder.

    ::

        i -> arrivals -> N window modules -> rows -> o
             select,     control, aggregate  lower
             punctuate   union

    Every window that a punctuation closes produces a row, also an empty window, in the order of the
    windows, each row as its own packet. The end of a stream closes every window that has begun.
    Tuples of a window are combined in the order of their arrival.

    The engine accepts one tuple per cycle. ``i`` stalls

    - while a punctuation closes more than one window, one cycle for each further window;
    - at the end of a stream, for N + 1 cycles, or one cycle per closed window, whichever is longer;
    - before the first stream, and before a stream with another RANGE, SLIDE or SLACK than the
      stream before, for N + 2 cycles;
    - while ``o`` stalls and the queue of rows is full.

    Streams may follow each other without a gap, and each stream may have other settings. A stream
    that needs more than N open windows is swallowed, and its tuples are counted.

    Latency from a punctuation, or the tuple that makes the punctuation, to its first row: 4 cycles,
    plus the division for averages. Initiation interval 1 cycle.

    Parameters
    ----------
    windows : TimeWindows
    modules : int
        N, the number of windows that may be open at a time.

    Members
    -------
    i : In(stream.Signature(beat(windows.row, 1, windows.settings.layout.size, user)))
        See :class:`~rtl.engine.parts.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(windows.rows.layout, 1)))
    busy : Out(1)
        The engine has accepted the end of a stream, but has not sent all of its rows.
    events : Out(events(merged_counters(windows.counters, (OVERRUN,))))
        Dropped tuples. The events of the arrivals; ``overrun`` also counts tuples in a window that
        no module has yet, and tuples of a swallowed stream that are not ``late``.
    errors : Out(errors(windows.flags))
        ``bad_setting``: high for one cycle at the start of a swallowed stream.

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
            width=windows.time_shape.width,
        )
        self._rows = WindowRows(operator, windows.tuples, windows.rows.layout)
        super().__init__(time_engine_ports(windows, self._arrivals))

    @property
    def latency(self):
        return self._arrivals.latency + self._modules.latency + self._rows.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.arrivals = arrivals = self._arrivals
        m.submodules.modules = modules = self._modules
        m.submodules.rows = rows = self._rows
        closed_window = modules.o
        wiring.connect(m, wiring.flipped(self.i), arrivals.i)
        wiring.connect(m, arrivals.o, modules.i)
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        m.d.comb += [
            arrivals.swallowed.eq(modules.swallows),
            rows.i.p.state.eq(closed_window.p.state),
            rows.i.p.end.eq(closed_window.p.end),
            rows.i.valid.eq(closed_window.valid & closed_window.p.valid),
            closed_window.ready.eq(rows.i.ready | ~closed_window.p.valid),
        ]
        swallowed = {"overrun": modules.overrun, "bad_setting": modules.bad_setting}
        gather(m, self, arrivals, swallowed)
        m.submodules.tracker = tracker = StreamTracker(
            2 * self.latency + WindowModules.DEPTH, ways=3
        )
        m.d.comb += [
            tracker.end_offered.eq(offers_end(self.i)),
            tracker.end_accepted.eq(self.i.ready),
            tracker.ends_leaving.eq(
                Cat(arrivals.swallowed_end, modules.swallowed_end, transfers_end(closed_window))
            ),
            self.busy.eq(tracker.busy | rows.busy),
        ]
        return m
