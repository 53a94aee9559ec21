"""The panes of a window: what RANGE and SLIDE have in common, found without a division."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


class PaneMeasure(wiring.Component):
    """Finds the pane, the greatest common divisor of range and slide, and counts both in panes.

    Euclid's algorithm by subtraction, one in a cycle: of a pair (a, b) that begins as (range,
    slide) the less is taken from the greater, until both are the pane. Always

        range = p a + q b   and   slide = r a + t b

    with whole numbers p, q, r, t, which are kept beside the pair. So when a = b at last, p + q and
    r + t are the lengths in panes. With range 12 and slide 8::

        a    b    p  q  p + q   r  t  r + t
        12   8    1  0    1     0  1    1
        4    8    1  1    2     0  1    1      12 = 1 * 4 + 1 * 8
        4    4    2  1    3     1  1    2      12 = 3 * 4, 8 = 2 * 4

    The sums only grow; if a window comes to more than ``panes_max`` panes it is given up. So it
    takes up to ``panes_max + 1`` cycles, ``range / slide`` if that is whole.

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
