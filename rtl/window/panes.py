"""Windows as panes: what RANGE and SLIDE of a stream are in panes, found before it begins."""

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for

from rtl.stream.beat import wire
from rtl.window.punctuation import timed


class PaneMeasure(wiring.Component):
    """Finds the pane, the greatest common divisor of range and slide, and counts both in panes.

    Euclid's algorithm by subtraction, one in a cycle, of a pair (a, b) that begins as (range,
    slide). Beside it are kept the whole numbers with range = p a + q b and slide = r a + t b: so
    when a = b at last, that is the pane, and p + q and r + t are the lengths in panes. Their sums
    only grow; if a window comes to more than ``panes_max`` panes it is given up. So it takes up to
    ``panes_max + 1`` cycles, ``range / slide`` if that is whole.

    Parameters
    ----------
    panes_max : int
        Most panes of a window.
    width : int
        Bits of range and slide.

    Members
    -------
    start : In(1)
        Takes ``range`` and ``slide``.
    range, slide : In(width)
    busy : Out(1)
        From the cycle after ``start`` to the end of the work.
    fits : Out(1)
        0 < slide <= range, in at most ``panes_max`` panes. Good when not busy, as all that follows.
    pane : Out(width)
    size, step : Out(unsigned)
        Range and slide in panes.

    Source: seed 001, section III (the size of panes); the way to it is ours.
    """

    def __init__(self, panes_max, width):
        self._panes_max = panes_max
        super().__init__(
            {
                "start": In(1),
                "range": In(width),
                "slide": In(width),
                "busy": Out(1),
                "fits": Out(1),
                "pane": Out(width),
                "size": Out(bits_for(panes_max)),
                "step": Out(bits_for(panes_max)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        count = bits_for(2 * self._panes_max)
        a, b = (Signal.like(self.range, name=n, reset_less=True) for n in "ab")
        p, q, r, t = (Signal(count, name=n, reset_less=True) for n in "pqrt")
        size, step = (Signal(count, name=n, reset_less=True) for n in ("sum_range", "sum_slide"))
        excess, lack = (Signal(len(a) + 1, name=n) for n in ("excess", "lack"))
        m.d.comb += [
            excess.eq(a - b),
            lack.eq(b - a),
            self.pane.eq(a),
            self.size.eq(size),
            self.step.eq(step),
        ]
        with m.If(self.start):
            sane = self.slide.any() & (self.slide <= self.range)
            m.d.sync += [self.busy.eq(sane), self.fits.eq(0), a.eq(self.range), b.eq(self.slide)]
            m.d.sync += [p.eq(1), q.eq(0), r.eq(0), t.eq(1), size.eq(1), step.eq(1)]
        with m.Elif(self.busy):
            with m.If(~excess.any() | (size > self._panes_max)):
                m.d.sync += [self.busy.eq(0), self.fits.eq(size <= self._panes_max)]
            with m.Elif(excess[-1]):
                m.d.sync += [b.eq(lack), p.eq(p + q), r.eq(r + t)]
                m.d.sync += [size.eq(size + q), step.eq(step + t)]
            with m.Else():
                m.d.sync += [a.eq(excess), q.eq(q + p), t.eq(t + r)]
                m.d.sync += [size.eq(size + p), step.eq(step + r)]
        return m


class PaneGate(wiring.Component):
    """Makes streams of windows into streams of panes, one stream behind the other.

    ::

        i --> wait for the stream before --> o, with lengths of panes
              measure, if lengths differ     size, step, stamp, stride

    Once the gate is open items pass as they are, in the same cycle, but for their lengths, which
    are those of a window of one pane: so that what comes behind closes panes. The punctuations stay
    those of the windows, which come a slide at a time: so ``slack`` grows by what a slide is longer
    than a pane. The end of the stream closes panes up to the end of the last window that has begun;
    so its time is a pane before its punctuation. Since a sum of lengths may be longer than the
    time, ``o`` has one bit more.

    The first item of a stream waits a cycle, and until the last pane of the stream before has gone
    on (``left``); if its lengths are others, also for the measure (:class:`PaneMeasure`). So what
    is told of the stream beside holds until its last pane. The end of a stream waits a cycle.
    Settings with too many panes get a slide of 0, which nothing takes.

    The context at ``i`` must stay from a stream's first item to its last, also where there is none
    between them, as a :class:`~rtl.window.punctuation.Punctuator` leaves it.

    Latency 0 cycles, initiation interval 1 cycle.

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
        The last pane of the stream that is inside goes on in this cycle, or it was swallowed.
    size, step : Out(unsigned)
        Panes of a window, and from one window to the next.
    stamp : Out(signed(width + 2))
        Time at which the first window ends.
    stride : Out(width)
        From the end of one window to that of the next.

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
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.measure = measure = self._measure
        item, panes = self.i.p, self.o.p.context
        opened, settled = Signal(), Signal()
        finish = Signal(signed(self._width + 2))  # a pane before the punctuation
        slack = Signal(self._width + 1)
        m.d.comb += [
            self.o.valid.eq(self.i.valid & opened & (settled | ~item.last)),
            self.i.ready.eq(self.o.ready & opened & (settled | ~item.last)),
            *wire(self.o.p, item),
            self.o.p.time.eq(Mux(item.last, Mux(finish[-1], 0, finish), item.time)),
            panes.range.eq(measure.pane),
            panes.slide.eq(Mux(measure.fits, measure.pane, 0)),
            panes.slack.eq(slack),
            self.size.eq(measure.size),
            self.step.eq(measure.step),
        ]
        # None of these needs to be right but when it has been looked at for a cycle.
        m.d.sync += [
            slack.eq(item.context.slack + item.context.slide - measure.pane),
            finish.eq(item.punctuation - measure.pane),
            settled.eq(self.i.valid & item.last & ~self.i.ready),
        ]
        self._open(m, measure, opened)
        return m

    def _open(self, m, measure, opened):
        """Lets streams in, one after the other."""
        context = self.i.p.context
        inside = Signal()  # a stream has not left yet
        measured = Signal()
        free = Signal()  # for the next stream, which is there
        m.d.comb += [
            free.eq(self.i.valid & ~opened & ~inside & ~measure.busy),
            measure.start.eq(free & self.i.p.changed & ~measured),
            measure.range.eq(context.range),
            measure.slide.eq(context.slide),
        ]
        with m.If(self.left):
            m.d.sync += inside.eq(0)
        with m.If(measure.start):
            m.d.sync += measured.eq(1)
        with m.Elif(free):
            m.d.sync += [
                opened.eq(1),
                inside.eq(1),
                measured.eq(0),
                self.stamp.eq(context.start + context.range),
                self.stride.eq(context.slide),
            ]
        # The last item may stay longer than the last pane, whose making is all that it waits for.
        with m.If(self.i.valid & self.i.ready & self.i.p.last):
            m.d.sync += opened.eq(0)
