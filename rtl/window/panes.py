"""Windows as panes: streams of the one made into streams of the other."""

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.stream.beat import wire
from rtl.window.pane_measure import PaneMeasure
from rtl.window.punctuation import timed


class PaneGate(wiring.Component):
    """Makes streams of windows into streams of panes, one stream behind the other.

    ::

        i --> CLOSED --> MEASURE --> OPEN -----> o, with lengths of panes
                  first item         SWALLOW     size, step, stamp, stride

    What is behind closes panes as it would close windows: so the lengths at ``o`` are those of a
    window of one pane, and the item is otherwise as it came, but for two numbers.

    - ``slack``. The punctuations stay those of the windows, which come a slide at a time; so a pane
      may have to stay open for longer, by what a slide is more than a pane.
    - The ``time`` of the end. Behind, the end of a stream closes what begins at or before its time.
      Here it must close panes up to the end of the last window that has begun, which its
      punctuation says: so its time is a pane before that.

    With range 12, slide 8 and slack 3 a pane is 4, a window 3 panes, and 2 from one to the next:
    ``size`` 3, ``step`` 2. At ``o`` range and slide are 4 and the slack is 3 + 8 - 4 = 7. If the
    last tuple was at 17, the end of the stream comes with the punctuation 17 + 12 = 29, and leaves
    with the time 25. Since a sum of lengths may be longer than the time, ``o`` has one bit more.

    The phases:

    - CLOSED: there is no stream. The first item of the next one waits a cycle, and until nothing
      of the stream before is left inside (``left``), for what is told of that one beside ``o``
      must hold until then.
    - MEASURE: its lengths are others than those before, and are measured
      (:class:`~rtl.window.pane_measure.PaneMeasure`).
    - OPEN: items pass, in the same cycle. The end of the stream waits a cycle first, for its time.
    - SWALLOW: the windows come to too many panes, or not 0 < slide <= range. All items of the
      stream are taken, at full rate, and nothing leaves, not even the end. The next stream is
      looked at by itself.

    The context at ``i`` must stay from a stream's first item to its last, also where there is none
    between them, as a :class:`~rtl.window.punctuation.Punctuator` leaves it.

    Latency 0 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    row : data.StructLayout
        The columns of a tuple.
    width : int
        Bits of the time.
    panes_max : int
        Most panes of a window.

    Members
    -------
    i : In(stream.Signature(timed(row, width)))
    o : Out(stream.Signature(timed(row, width + 1)))
    left : In(1)
        The last pane of the stream that is inside goes on in this cycle, or what is behind has
        swallowed it.
    size, step : Out(unsigned)
        Panes of a window, and from one window to the next.
    stamp : Out(signed(width + 2))
        Time at which the first window ends.
    stride : Out(width)
        From the end of one window to that of the next.
    bad_setting : Out(1)
        High for a cycle when a stream begins that is swallowed here.
    overrun : Out(1)
        High for a cycle for each timely tuple of such a stream.
    swallows : Out(1)
        The item at ``i`` is of such a stream, and not its last.
    ended : Out(1)
        Such a stream comes to its end in this cycle.

    Source: seed 001, sections III and IV; any range, slide and punctuation are ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, *, row, width, panes_max):
        self._width = width
        self._measure = PaneMeasure(panes_max, width)
        super().__init__(
            {
                "i": In(stream.Signature(timed(row, width))),
                "o": Out(stream.Signature(timed(row, width + 1))),
                "left": In(1),
                "size": Out(len(self._measure.size)),
                "step": Out(len(self._measure.step)),
                "stamp": Out(signed(width + 2)),
                "stride": Out(width),
                "bad_setting": Out(1),
                "overrun": Out(1),
                "swallows": Out(1),
                "ended": Out(1),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.measure = measure = self._measure
        item, panes, context = self.i.p, self.o.p.context, self.i.p.context
        finish = Signal(signed(self._width + 2))  # a pane before the punctuation
        slack = Signal(self._width + 1)
        m.d.comb += [
            measure.range.eq(context.range),
            measure.slide.eq(context.slide),
            *wire(self.o.p, item),
            self.o.p.time.eq(Mux(item.last, Mux(finish[-1], 0, finish), item.time)),
            panes.range.eq(measure.pane),
            panes.slide.eq(measure.pane),
            panes.slack.eq(slack),
            self.size.eq(measure.size),
            self.step.eq(measure.step),
        ]
        # Neither needs to be right but when it has been looked at for a cycle.
        m.d.sync += [
            slack.eq(context.slack + context.slide - measure.pane),
            finish.eq(item.punctuation - measure.pane),
        ]
        settled = Signal()  # the end of a stream has been looked at
        m.d.sync += settled.eq(self.i.valid & item.last)
        self._phases(m, measure, settled)
        return m

    def _phases(self, m, measure, settled):
        """Lets streams in, one after the other, or swallows them."""
        item, context = self.i.p, self.i.p.context
        inside = Signal()  # a stream has been let in, and its last pane has not left yet
        with m.If(self.left):
            m.d.sync += inside.eq(0)
        with m.If(~inside):
            m.d.sync += [
                self.stamp.eq(context.start + context.range),
                self.stride.eq(context.slide),
            ]

        def judge():
            with m.If(measure.fits):
                m.d.sync += inside.eq(1)
                m.next = "OPEN"
            with m.Else():
                m.d.comb += self.bad_setting.eq(1)
                m.next = "SWALLOW"

        with m.FSM():
            with m.State("CLOSED"), m.If(self.i.valid & ~inside):
                with m.If(item.changed):
                    m.d.comb += measure.start.eq(1)
                    m.next = "MEASURE"
                with m.Else():  # as the stream before, which was measured
                    judge()
            with m.State("MEASURE"), m.If(~measure.busy):
                judge()
            with m.State("OPEN"):
                m.d.comb += [
                    self.o.valid.eq(self.i.valid & (settled | ~item.last)),
                    self.i.ready.eq(self.o.ready & (settled | ~item.last)),
                ]
                # The last item may stay longer than the last pane, whose making it waits for.
                with m.If(self.o.valid & self.o.ready & item.last):
                    m.next = "CLOSED"
            with m.State("SWALLOW"):
                m.d.comb += [
                    self.i.ready.eq(1),
                    self.overrun.eq(self.i.valid & item.valid),
                    self.swallows.eq(self.i.valid & ~item.last),
                    self.ended.eq(self.i.valid & item.last),
                ]
                with m.If(self.i.valid & item.last):
                    m.next = "CLOSED"
