"""The core of the pane engine."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.engine.arrivals import Arrivals
from rtl.engine.rows import WindowRows
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

    Members
    -------
    i : In(stream.Signature(beat(tuple_layout, 1, settings_layout.size, user)))
        As for :class:`~rtl.engine.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(parameters.row_layout, 1)))
    bad_setting : Out(1)
        High for a cycle when a stream begins whose settings are not allowed, or need more modules
        or panes.
    dropped : Out(StructLayout of the members of ``parameters.dropped``)
        Tuples dropped in a cycle: ``late``; ``overrun``, too early for every open pane, or of a
        stream that is swallowed; and, if the query can drop them, ``nan`` and ``filtered``.

    Source: seed 001, sections III and IV, with the out-of-order panes of seed 002.
    """

    initiation_interval = 1

    def __init__(self, parameters):
        row, width = parameters.value_layout, parameters.time.width
        self._arrivals = Arrivals(parameters)
        self._gate = PaneGate(row=row, width=width, panes_max=parameters.panes)
        self._modules = WindowModules(
            operator=parameters.operator,
            tuples=parameters.tuples_max,
            modules=parameters.modules,
            row=row,
            width=width + 1,
        )
        self._level = parameters.level
        self._rows = WindowRows(parameters)
        dropped = dict.fromkeys(parameters.dropped, 1)
        super().__init__(
            {
                "i": In(self._arrivals.i.signature.flip()),
                "o": Out(stream.Signature(beat(parameters.row_layout, 1))),
                "bad_setting": Out(1),
                "dropped": Out(data.StructLayout(dropped)),
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
        pane = modules.o
        m.d.comb += [
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
            self.bad_setting.eq(modules.bad_setting),
            arrivals.swallowed.eq(modules.swallows),
            self.dropped.overrun.eq(modules.overrun),
        ]
        for name in ("late", "nan", "filtered"):
            if name in self.dropped.shape().members:
                m.d.comb += self.dropped[name].eq(arrivals.dropped[name])
        wiring.connect(m, rows.o, wiring.flipped(self.o))
        return m
