"""Builds the core of the pane engine: aggregates of panes, combined to windows."""

from amaranth.hdl import Cat, Module
from amaranth.lib import wiring

from rtl.engine.parts.arrivals import Arrivals, time_engine_ports
from rtl.engine.parts.reports import gather
from rtl.engine.parts.rows import WindowRows
from rtl.engine.parts.stream_tracker import StreamTracker, offers_end, transfers_end
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

    A *pane* is a piece of time as long as the greatest common divisor of RANGE and SLIDE, so a
    window and a slide have whole numbers of panes: with RANGE 12 and SLIDE 8 panes of 4, windows of
    3 panes, and a new window every 2 panes. Exactly one pane covers a tuple and receives the tuple.
    Panes close in order, and each window is the aggregate of its panes; N_PLQ panes are open at a
    time. Every window that a punctuation closes produces a row, also an empty window, in the order
    of the windows, each row as its own packet. The end of a stream closes every window that has
    begun. Tuples of a pane are combined in the order of their arrival, and panes in the order of
    time.

    The engine accepts one tuple per cycle. ``i`` stalls

    - while a punctuation closes more than one pane, one cycle for each further pane. If SLIDE is
      more than one pane, every closed window stalls ``i``, for 3 cycles if SLIDE has 4 panes;
    - at the end of a stream, until its last pane is complete. Let W be the panes of a window, and y
      the time from the last punctuation to the greatest time so far, in whole panes, less than
      N_PLQ without overruns: at most max(N_PLQ, W + y) + 4 cycles. For instance with N_PLQ 10,
      RANGE 40, SLIDE 10, and 99 units of time after the last punctuation: max(10, 4 + 9) + 4 = 17
      cycles;
    - before the first stream, and before a stream with another RANGE, SLIDE or SLACK than the
      stream before, for up to N_PLQ + 4 cycles plus one for each pane of a window;
    - while ``o`` stalls and no buffer has room;
    - with a sequential window level, while the pane buffer is full of unread panes.

    Streams may follow each other without a gap, and each stream may have other settings. A stream
    is swallowed, and its tuples are counted, if SLIDE is 0 or above RANGE, if a window has more
    than ``panes`` panes, or if (SLACK + SLIDE) / pane, rounded up, is more than N_PLQ.

    Latency from a punctuation, or the tuple that makes the punctuation, to its first row: 6 cycles
    with two-stacks, 7 with a sequential window level that has already read the other panes of the
    window, plus the division for averages. Initiation interval 1 cycle.

    Parameters
    ----------
    windows : TimeWindows
    modules : int
        N_PLQ, the number of panes that may be open at a time.
    panes : int
        Number of panes of the largest window, a power of two.
    window_level : str
        A key of :data:`LEVELS`.

    Members
    -------
    i : In(stream.Signature(beat(windows.row, 1, windows.settings.layout.size, user)))
        See :class:`~rtl.engine.parts.arrivals.Arrivals`.
    o : Out(stream.Signature(beat(windows.rows.layout, 1)))
    busy : Out(1)
        The engine has accepted the end of a stream, but has not sent all of its rows.
    events : Out(events(counters))
        Dropped tuples. The events of the arrivals; ``overrun`` also counts tuples whose time lies
        after every open pane, and tuples of a stream whose lengths do not fit the modules or
        the panes, except those that are ``late``.
    errors : Out(errors(windows.flags))
        ``bad_setting``: high for one cycle at the start of a swallowed stream.

    Source: seed 001, sections III and IV, with the out-of-order panes of seed 002.
    """

    initiation_interval = 1

    def __init__(self, windows, modules, panes, window_level):
        operator = windows.results.operator
        tuples = windows.tuples
        width = windows.time_shape.width
        self._arrivals = Arrivals(windows)
        self._gate = PaneGate(row=windows.values, width=width, panes_max=panes)
        self._modules = WindowModules(
            operator=operator,
            tuples=tuples,
            modules=modules,
            row=windows.values,
            width=width + 1,  # the gate adds one bit to the time
        )
        self._level = LEVELS[window_level](
            operator=operator, tuples=tuples, items_max=panes, stamp=width + 2
        )
        self._rows = WindowRows(operator, tuples, windows.rows.layout)
        super().__init__(time_engine_ports(windows, self._arrivals))

    @property
    def closed_panes(self):
        """The stream of panes into the window level, for observation."""
        return self._modules.o

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
            gate.stream_done.eq((pane.valid & pane.ready & pane.p.last) | modules.bad_setting),
            rows.i.p.state.eq(level.o.p.state),
            rows.i.p.end.eq(level.o.p.stamp),
            rows.i.valid.eq(level.o.valid),
            level.o.ready.eq(rows.i.ready),
        ]
        # The bits of gate and modules are never high in the same cycle, because the gate admits the
        # next stream only when the modules have ended the stream before. So OR loses no event.
        pane_reports = {
            "overrun": gate.overrun | modules.overrun,
            "bad_setting": gate.bad_setting | modules.bad_setting,
        }
        gather(m, self, arrivals, pane_reports)
        m.submodules.tracker = tracker = StreamTracker(
            2 * self.latency + WindowModules.DEPTH, ways=4
        )
        m.d.comb += [
            tracker.end_offered.eq(offers_end(self.i)),
            tracker.end_accepted.eq(self.i.ready),
            tracker.ends_leaving.eq(
                Cat(
                    arrivals.swallowed_end,
                    gate.swallowed_end,
                    modules.swallowed_end,
                    transfers_end(pane),
                )
            ),
            self.busy.eq(tracker.busy | level.busy | rows.busy),
        ]
        return m
