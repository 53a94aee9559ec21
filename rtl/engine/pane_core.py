"""The core of the pane engine."""

from amaranth.hdl import Module
from amaranth.lib import wiring

from rtl.engine.timed_core import TimedCore
from rtl.window.panes import PaneGate
from rtl.window.sequential import Sequential
from rtl.window.sliding import Sliding

#: The window levels by name.
LEVELS = {"two-stacks": Sliding, "sequential": Sequential}


class Pane(TimedCore):
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

    def __init__(self, parameters):
        width = parameters.time.width
        super().__init__(parameters, width=width + 1)  # as the gate gives it
        self._gate = PaneGate(row=parameters.value_layout, width=width, panes_max=parameters.panes)
        self._level = parameters.level

    @property
    def latency(self):
        parts = self._arrivals, self._gate, self._modules, self._level, self._rows
        return sum(part.latency for part in parts)

    def elaborate(self, platform):
        m = Module()
        self._frame(m)
        m.submodules.gate = gate = self._gate
        m.submodules.level = level = self._level
        wiring.connect(m, self._arrivals.o, gate.i)
        wiring.connect(m, gate.o, self._modules.i)
        pane, rows = self._modules.o, self._rows
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
            gate.left.eq((pane.valid & pane.ready & pane.p.last) | self.bad_setting),
            rows.i.p.state.eq(level.o.p.state),
            rows.i.p.end.eq(level.o.p.stamp),
            rows.i.valid.eq(level.o.valid),
            level.o.ready.eq(rows.i.ready),
        ]
        return m
