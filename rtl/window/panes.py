"""The gate that turns a stream of windows into a stream of panes."""

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import wire
from rtl.window.pane_measure import PaneMeasure
from rtl.window.punctuation import timed_item


class PaneGate(wiring.Component):
    """Replaces lengths of windows by lengths of panes, so that window modules make panes.

    Tuples pass unchanged, one stream after the other.

    ::

        i --> CLOSED --> MEASURE --> OPEN -----> o, with lengths of panes
                  first item         SWALLOW     size, step, stamp, stride

    The window modules after the gate close panes in the same way as windows. So at ``o`` range and
    slide are the length of a pane, and two further numbers of an item change:

    - ``slack``. The punctuations are still those of the windows and advance by a slide at a time,
      so a pane stays open longer, by the difference between a slide and a pane.
    - The ``time`` of the end of a stream. The window modules close each pane that begins at or
      before this time. They must close all panes of the windows that have begun. The last of these
      panes ends at or before the punctuation of the end, so it begins at or before the punctuation
      minus a pane. This is the new time, or 0 if it would be negative.

    With range 12, slide 8 and slack 3, a pane is 4 long, a window has 3 panes, and a slide has 2
    panes: ``size`` is 3 and ``step`` is 2. At ``o`` range and slide are 4, and the slack is
    3 + 8 - 4 = 7. If the last tuple was at 17, the end of the stream arrives with the punctuation
    17 + 12 = 29, and leaves with the time 25. A sum of lengths may exceed the width of the time, so
    the time at ``o`` has one bit more.

    The phases:

    - CLOSED: no stream is open. The first item of the next stream waits one cycle, and until the
      previous stream has left the engine (``stream_done``), because ``size``, ``step``, ``stamp``
      and ``stride`` must hold until then.
    - MEASURE: range and slide are measured, because a setting differs from the previous stream's
      (:class:`~rtl.window.pane_measure.PaneMeasure`).
    - OPEN: items pass in the same cycle. The end of the stream first waits one cycle, in which its
      time is computed.
    - SWALLOW: a window has too many panes, or 0 < slide <= range is false. All items of the stream
      are accepted, at full rate, and no item leaves, not even the end. The next stream is judged
      anew.

    The context at ``i`` must be constant from the first item of a stream to its last, also in
    cycles without an item, as a :class:`~rtl.window.punctuation.Punctuator` drives it.

    Latency 0 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.
    panes_max : int
        Largest number of panes in a window.

    Members
    -------
    i : In(stream.Signature(timed_item(row, width)))
    o : Out(stream.Signature(timed_item(row, width + 1)))
    stream_done : In(1)
        The last pane of the open stream leaves the window modules in this cycle, or the window
        modules swallow the stream.
    size, step : Out(unsigned)
        Panes in a window and in a slide.
    stamp : Out(signed(width + 2))
        Time at which the first window of the stream ends.
    stride : Out(width)
        Time from the end of one window to the end of the next.
    bad_setting : Out(1)
        High for one cycle at the start of a stream that this component swallows.
    overrun : Out(1)
        High for one cycle for each timely tuple of a swallowed stream.
    swallows : Out(1)
        The item at ``i`` is of a swallowed stream, and not the last item.
    swallowed_end : Out(1)
        The last item of a swallowed stream transfers in this cycle.

    Source: seed 001, sections III and IV; any range, slide and punctuation are ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, *, row, width, panes_max):
        self._width = width
        self._measure = PaneMeasure(panes_max, width)
        super().__init__(
            {
                "i": In(stream.Signature(timed_item(row, width))),
                "o": Out(stream.Signature(timed_item(row, width + 1))),
                "stream_done": In(1),
                "size": Out(len(self._measure.size)),
                "step": Out(len(self._measure.step)),
                "stamp": Out(signed(width + 2)),
                "stride": Out(width),
                "bad_setting": Out(1),
                "overrun": Out(1),
                "swallows": Out(1),
                "swallowed_end": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.measure = measure = self._measure
        item = self.i.p
        pane_context = self.o.p.context
        context = self.i.p.context
        end_time = Signal(signed(self._width + 2))  # punctuation minus a pane
        slack = Signal(self._width + 1)
        m.d.comb += [
            measure.range.eq(context.range),
            measure.slide.eq(context.slide),
            *wire(self.o.p, item),
            self.o.p.time.eq(Mux(item.last, Mux(end_time[-1], 0, end_time), item.time)),
            pane_context.range.eq(measure.pane),
            pane_context.slide.eq(measure.pane),
            pane_context.slack.eq(slack),
            self.size.eq(measure.size),
            self.step.eq(measure.step),
        ]
        # Registers: the first item and the end wait a cycle, so that the registers are up to date.
        m.d.sync += [
            slack.eq(context.slack + context.slide - measure.pane),
            end_time.eq(item.punctuation - measure.pane),
        ]
        settled = Signal()  # the end of a stream has waited a cycle
        m.d.sync += settled.eq(self.i.valid & item.last)
        self._phases(m, measure, settled)
        return m

    def _phases(self, m, measure, settled):
        """Drives the phases: streams enter in turn, or are swallowed."""
        item = self.i.p
        context = self.i.p.context
        stream_inside = Signal()  # a stream has entered, and its last pane has not left yet
        with m.If(self.stream_done):
            m.d.sync += stream_inside.eq(0)
        with m.If(~stream_inside):
            m.d.sync += [
                self.stamp.eq(context.start + context.range),
                self.stride.eq(context.slide),
            ]

        def judge():
            with m.If(measure.fits):
                m.d.sync += stream_inside.eq(1)
                m.next = "OPEN"
            with m.Else():
                m.d.comb += self.bad_setting.eq(1)
                m.next = "SWALLOW"

        with m.FSM():
            with m.State("CLOSED"), m.If(self.i.valid & ~stream_inside):
                with m.If(item.changed):
                    m.d.comb += measure.start.eq(1)
                    m.next = "MEASURE"
                with m.Else():  # the lengths of the previous stream, which are measured
                    judge()
            with m.State("MEASURE"), m.If(~measure.busy):
                judge()
            with m.State("OPEN"):
                m.d.comb += [
                    self.o.valid.eq(self.i.valid & (settled | ~item.last)),
                    self.i.ready.eq(self.o.ready & (settled | ~item.last)),
                ]
                # The window modules take the last item when all panes are closed, so the item may
                # leave after the last pane.
                with m.If(self.o.valid & self.o.ready & item.last):
                    m.next = "CLOSED"
            with m.State("SWALLOW"):
                m.d.comb += [
                    self.i.ready.eq(1),
                    self.overrun.eq(self.i.valid & item.valid),
                    self.swallows.eq(self.i.valid & ~item.last),
                    self.swallowed_end.eq(self.i.valid & item.last),
                ]
                with m.If(self.i.valid & item.last):
                    m.next = "CLOSED"
