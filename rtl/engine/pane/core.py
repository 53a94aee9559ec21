"""The core of the pane engine."""

from amaranth.hdl import Cat, Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.contract.counters import OVERRUN, merged_counters
from rtl.engine.parts.arrivals import Arrivals
from rtl.engine.parts.inside import Inside, ends, offers_end
from rtl.engine.parts.reports import gather, reports
from rtl.engine.parts.rows import WindowRows
from rtl.stream.beat import beat
from rtl.window.panes import PaneGate
from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding
from rtl.window.window_id import WindowModules

#: The window levels by name.
LEVELS = {"two-stacks": Sliding, "sequential": Sequential}


class Pane(wiring.Component):
    """Aggregates windows of time over a stream in disorder, in two levels.

    ::

        i -> arrivals -> pane gate -> N_PLQ pane modules -> window level -> rows -> o
             select,     range,       control, aggregate    pane buffer,    lower
             punctuate   slide in     union                 all panes of
                         panes                              a window

    A tuple goes to the one pane that covers it; panes are closed in order, and each window is the
    aggregate of its panes. A row for each window that a punctuation closes, the empty ones too, in
    the order of the windows, each a packet of its own; the end of a stream closes every window that
    has begun. Tuples of a pane are combined in the order in which they come, panes in that of time.

    One tuple per cycle. ``i`` stalls while a punctuation closes more than one pane, for a cycle
    each: so it does when SLIDE is more than a pane. At the end of a stream it stalls for as many
    cycles as a window has panes, or N_PLQ + 1, if these are more, until the last pane is made;
    before a stream with other lengths than the one before, and the first, up to N_PLQ + 4 and one
    for each pane of a window, and while ``o`` stalls and there is no more room. With a sequential
    window level it also stalls when the pane buffer is full of panes that are still to be read.
    Streams may follow each other without a gap, each with settings of its own; one whose settings
    do not fit is swallowed whole and counted.

    Latency from a punctuation, or the tuple that makes it, to its first row: 6 cycles with
    two-stacks, 7 with a sequential window level, if the other panes of the window have been read by
    then, and those of the division with averages. Initiation interval 1 cycle.

    Parameters
    ----------
    windows : TimeWindows
    modules : int
        N_PLQ, panes that may be open at a time.
    panes : int
        Panes of the largest window, a power of two.
    window_level : str
        One of :data:`LEVELS`.

    Members
    -------
    i : In(stream.Signature(beat(windows.row, 1, windows.settings.layout.size, user)))
        As for :class:`~rtl.engine.parts.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(windows.rows.layout, 1)))
    busy : Out(1)
        A stream whose end was taken has not left with all its rows.
    events : Out(events(counters))
        Tuples dropped: those of the arrivals, and as ``overrun`` also those that are too early for
        every open pane, or of a stream whose lengths do not fit the modules or the panes.
    errors : Out(errors(windows.flags))
        ``bad_setting``: high for a cycle when a stream began that is swallowed.

    Source: seed 001, sections III and IV, with the out-of-order panes of seed 002.
    """

    initiation_interval = 1

    def __init__(self, windows, modules, panes, window_level):
        operator, tuples, width = windows.results.operator, windows.tuples, windows.time.width
        self._arrivals = Arrivals(windows)
        self._gate = PaneGate(row=windows.values, width=width, panes_max=panes)
        self._modules = WindowModules(
            operator=operator,
            tuples=tuples,
            modules=modules,
            row=windows.values,
            width=width + 1,  # as the gate gives it
        )
        self._level = LEVELS[window_level](
            operator=operator, tuples=tuples, items_max=panes, stamp=width + 2
        )
        self._rows = WindowRows(operator, tuples, windows.rows.layout)
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
        parts = self._arrivals, self._gate, self._modules, self._level, self._rows
        return sum(part.latency for part in parts)

    def elaborate(self, platform):
        m = Module()
        m.submodules.arrivals = arrivals = self._arrivals
        m.submodules.gate = gate = self._gate
        m.submodules.modules = modules = self._modules
        m.submodules.level = level = self._level
        m.submodules.rows = rows = self._rows
        wiring.connect(m, wiring.flipped(self.i), arrivals.i)
        wiring.connect(m, arrivals.o, gate.i)
        wiring.connect(m, gate.o, modules.i)
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        pane = modules.o
        m.d.comb += [
            arrivals.swallowed.eq(gate.swallows | modules.swallows),
            level.i.p.state.eq(pane.p.state),
            level.i.p.valid.eq(pane.p.valid),
            level.i.p.last.eq(pane.p.last),
            level.i.valid.eq(pane.valid),
            pane.ready.eq(level.i.ready),
            level.size.eq(gate.size),
            level.slide.eq(gate.step),
            level.stamp.eq(gate.stamp),
            level.stride.eq(gate.stride),
            gate.left.eq((pane.valid & pane.ready & pane.p.last) | modules.bad_setting),
            rows.i.p.state.eq(level.o.p.state),
            rows.i.p.end.eq(level.o.p.stamp),
            rows.i.valid.eq(level.o.valid),
            level.o.ready.eq(rows.i.ready),
        ]
        swallowed = {  # by gate or modules: never by both at a time, each lets one stream in
            "overrun": gate.overrun | modules.overrun,
            "bad_setting": gate.bad_setting | modules.bad_setting,
        }
        gather(m, self, arrivals, swallowed)
        m.submodules.inside = inside = Inside(2 * self.latency + WindowModules.DEPTH, ways=4)
        m.d.comb += [
            inside.comes.eq(offers_end(self.i)),
            inside.takes.eq(self.i.ready),
            inside.leaves.eq(Cat(arrivals.ended, gate.ended, modules.ended, ends(pane))),
            self.busy.eq(inside.busy | level.busy | rows.busy),
        ]
        return m
