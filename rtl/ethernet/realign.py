"""Takes the header off a frame: what comes behind it begins a piece."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import BYTES, flow, piece


class Realign(wiring.Component):
    """Leaves the ``skip`` pieces of a frame out, and some bytes of the first piece after them.

    How many bytes is one of two constants, ``shifts``, chosen by ``choice`` for a whole frame::

        shift 6         held                 next
        in       | h h h h h h 0 1 | 2 3 4 5 6 7 8 9 | . . .
        out                   | 0 1 2 3 4 5 6 7 | 8 9 . . .

    A piece is held until the next one is there, or goes as it is when it is the last; then two
    bytes of it go out with six of the next. With the last one nothing may be left: a piece of no
    bytes tells the end. So the end always comes the same time after the end, which lets parts that
    look at a frame from different sides tell about it at the same time.

    Other fields of a piece go with the piece that is held.

    Latency 2 cycles from a frame's end to its end, initiation interval 1 cycle.

    Parameters
    ----------
    shifts : (int, int)
        Each of 0 to 7.
    more : dict of str to ShapeLike
        Other fields of the pieces.

    Members
    -------
    i : In(flow(piece(skip=1, choice=1, **more)))
        A stream that is never stalled.
    o : Out(flow(piece(**more)))
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, shifts, more):
        shifts = tuple(shifts)
        if len(shifts) != 2 or not all(shift in range(BYTES) for shift in shifts):
            raise ValueError(f"shifts must be two of 0 to {BYTES - 1}, not {shifts!r}")
        self._shifts, self._more = shifts, tuple(more)
        super().__init__(
            {"i": In(flow(piece(skip=1, choice=1, **more))), "o": Out(flow(piece(**more)))}
        )

    def elaborate(self, platform):
        m = Module()
        held = Signal(self.i.p.shape(), reset_less=True)
        holds, begun = Signal(), Signal()
        with m.If(self.i.valid):
            m.d.sync += held.eq(self.i.p)
        m.d.sync += holds.eq(self.i.valid | (holds & ~held.last))

        goes = Signal()
        m.d.comb += goes.eq(holds & (held.last | (self.i.valid & ~held.skip)))
        after = Signal(8 * BYTES)  # the next piece, if it is of this frame
        size, more = Signal(held.size.shape()), Signal(held.size.shape())
        with m.If(~held.skip):
            m.d.comb += size.eq(held.size)
        with m.If(~held.last):
            m.d.comb += [after.eq(self.i.p.data), more.eq(self.i.p.size)]
        both = Cat(Mux(held.skip, 0, held.data), after)
        out = Signal(self.o.p.shape(), reset_less=True)
        valid = Signal()
        ways = [both[8 * shift : 8 * (shift + BYTES)] for shift in self._shifts]
        shift = Array(self._shifts)[held.choice]
        total = Signal(range(2 * BYTES + 1))
        m.d.comb += total.eq(size + more)
        m.d.sync += [
            valid.eq(goes),
            out.data.eq(Mux(held.choice, ways[1], ways[0])),
            out.size.eq(Mux(total <= shift, 0, Mux(total >= shift + BYTES, BYTES, total - shift))),
            out.first.eq(~begun),
            out.last.eq(held.last),
            *(out[name].eq(held[name]) for name in self._more),
        ]
        with m.If(goes):
            m.d.sync += begun.eq(~held.last)
        m.d.comb += [self.o.valid.eq(valid), self.o.p.eq(out)]
        return m
