"""Finds the panes of a window: the greatest common divisor of RANGE and SLIDE, by subtraction."""

from amaranth.hdl import Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.utils import bits_for


class PaneMeasure(wiring.Component):
    """Finds the pane, the greatest common divisor of range and slide, and counts both in panes.

    The component runs Euclid's algorithm by subtraction, one step per cycle. The pair (a, b)
    starts as (range, slide); each step subtracts the smaller number from the greater, until both
    equal the pane. At all times

        range = p a + q b   and   slide = r a + t b

    with whole numbers p, q, r, t, which are updated with the pair. So when a = b, p + q and r + t
    are range and slide in panes. With range 12 and slide 8::

        a    b    p  q  p + q   r  t  r + t
        12   8    1  0    1     0  1    1
        4    8    1  1    2     0  1    1      12 = 1 * 4 + 1 * 8
        4    4    2  1    3     1  1    2      12 = 3 * 4, 8 = 2 * 4

    The sums never decrease, and the algorithm stops when a window has more than ``panes_max``
    panes. The measurement takes at most ``panes_max + 1`` cycles of ``busy``, and ``range / slide``
    cycles if slide divides range and the window fits: 3 cycles in the table, 2 for 12 and 6.

    Parameters
    ----------
    panes_max : int
        Largest number of panes in a window.
    width : int
        Bits of range and slide.

    Members
    -------
    start : In(1)
        Starts a measurement of ``range`` and ``slide``; ends a measurement that is under way.
    range, slide : In(width)
        Sampled with ``start``.
    busy : Out(1)
        High from the cycle after ``start`` to the end of the measurement; stays low if
        0 < slide <= range is false.
    fits : Out(1)
        0 < slide <= range, and a window has at most ``panes_max`` panes. Valid while ``busy`` is
        low, from the cycle after ``start`` on; low before the first measurement.
    pane : Out(width)
        Length of a pane. Like ``size`` and ``step``, valid while ``fits`` is high.
    size, step : Out(unsigned)
        Range and slide in panes.

    Source: seed 001, section III (the size of panes); the algorithm is ours.
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
        a = Signal.like(self.range, reset_less=True)
        b = Signal.like(self.range, reset_less=True)
        p = Signal(count, reset_less=True)
        q = Signal(count, reset_less=True)
        r = Signal(count, reset_less=True)
        t = Signal(count, reset_less=True)
        size = Signal(count, reset_less=True)
        step = Signal(count, reset_less=True)
        a_minus_b = Signal(len(a) + 1)
        b_minus_a = Signal(len(a) + 1)
        m.d.comb += [
            a_minus_b.eq(a - b),
            b_minus_a.eq(b - a),
            self.pane.eq(a),
            self.size.eq(size),
            self.step.eq(step),
        ]
        with m.If(self.start):
            lengths_valid = self.slide.any() & (self.slide <= self.range)
            m.d.sync += [
                self.busy.eq(lengths_valid),
                self.fits.eq(0),
                a.eq(self.range),
                b.eq(self.slide),
            ]
            m.d.sync += [p.eq(1), q.eq(0), r.eq(0), t.eq(1), size.eq(1), step.eq(1)]
        with m.Elif(self.busy):
            with m.If(~a_minus_b.any() | (size > self._panes_max)):
                m.d.sync += [self.busy.eq(0), self.fits.eq(size <= self._panes_max)]
            with m.Elif(a_minus_b[-1]):
                m.d.sync += [b.eq(b_minus_a), p.eq(p + q), r.eq(r + t)]
                m.d.sync += [size.eq(size + q), step.eq(step + t)]
            with m.Else():
                m.d.sync += [a.eq(a_minus_b), q.eq(q + p), t.eq(t + r)]
                m.d.sync += [size.eq(size + p), step.eq(step + r)]
        return m
