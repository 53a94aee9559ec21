"""Removes the header of each frame, so that the bytes after the header begin a piece."""

from amaranth.hdl import Array, Cat, Module, Mux, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.piece import BYTES, flow, piece


class Realign(wiring.Component):
    """Drops the first pieces of each frame, and the first bytes of the piece after them.

    The bytes of pieces with ``skip`` are dropped; if the last piece of a frame has ``skip``, the
    frame ends in a piece without bytes. ``choice`` selects the number of bytes to drop after these
    pieces, ``shifts[choice]``; it is constant over a frame's pieces without ``skip``. For
    instance a header of 14 bytes is a piece with ``skip`` and a shift of 6 bytes::

        shift 6         stored               next
        in       | h h h h h h 0 1 | 2 3 4 5 6 7 8 9 | . . .
        out                   | 0 1 2 3 4 5 6 7 | 8 9 . . .

    A piece is stored until the next piece arrives. Then the last two bytes of the stored piece go
    out with the first six bytes of the next piece. The last piece of a frame does not wait. If all
    of its bytes have gone out with the piece before, a piece without bytes marks the end. So **the
    end always goes out 2 cycles after the input's end**, and the other parts that examine the same
    frame need only a constant delay to report in the same cycle.

    The other fields of the stored piece go out with its bytes.

    Latency 2 cycles from a frame's end at ``i`` to its end at ``o``. Initiation interval 1 cycle.

    Parameters
    ----------
    shifts : (int, int)
        Bytes to drop for ``choice`` 0 and for ``choice`` 1: each from 0 to 7.
    fields : dict of str to ShapeLike
        Other fields of the pieces.

    Members
    -------
    i : In(flow(piece(skip=1, choice=1, **fields)))
        A stream that is never stalled.
    o : Out(flow(piece(**fields)))
    """

    latency = 2
    initiation_interval = 1

    def __init__(self, shifts, fields):
        shifts = tuple(shifts)
        if len(shifts) != 2 or not all(shift in range(BYTES) for shift in shifts):
            raise ValueError(f"shifts must be two of 0 to {BYTES - 1}, not {shifts!r}")
        self._shifts = shifts
        self._fields = tuple(fields)
        super().__init__(
            {"i": In(flow(piece(skip=1, choice=1, **fields))), "o": Out(flow(piece(**fields)))}
        )

    def elaborate(self, platform):
        m = Module()
        stored = Signal(self.i.p.shape(), reset_less=True)
        has_stored = Signal()
        in_frame = Signal()
        with m.If(self.i.valid):
            m.d.sync += stored.eq(self.i.p)
        m.d.sync += has_stored.eq(self.i.valid | (has_stored & ~stored.last))

        stored_leaves = Signal()
        m.d.comb += stored_leaves.eq(has_stored & (stored.last | (self.i.valid & ~stored.skip)))
        next_data = Signal(8 * BYTES)  # the next piece, if it belongs to this frame
        size = Signal(stored.size.shape())
        next_size = Signal(stored.size.shape())
        with m.If(~stored.skip):
            m.d.comb += size.eq(stored.size)
        with m.If(~stored.last):
            m.d.comb += [next_data.eq(self.i.p.data), next_size.eq(self.i.p.size)]
        two_pieces = Cat(Mux(stored.skip, 0, stored.data), next_data)
        out = Signal(self.o.p.shape(), reset_less=True)
        valid = Signal()
        shifted = [two_pieces[8 * shift : 8 * (shift + BYTES)] for shift in self._shifts]
        shift = Array(self._shifts)[stored.choice]
        total = Signal(range(2 * BYTES + 1))
        m.d.comb += total.eq(size + next_size)
        m.d.sync += [
            valid.eq(stored_leaves),
            out.data.eq(Mux(stored.choice, shifted[1], shifted[0])),
            out.size.eq(Mux(total <= shift, 0, Mux(total >= shift + BYTES, BYTES, total - shift))),
            out.first.eq(~in_frame),
            out.last.eq(stored.last),
            *(out[name].eq(stored[name]) for name in self._fields),
        ]
        with m.If(stored_leaves):
            m.d.sync += in_frame.eq(~stored.last)
        m.d.comb += [self.o.valid.eq(valid), self.o.p.eq(out)]
        return m
