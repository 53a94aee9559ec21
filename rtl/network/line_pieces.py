"""Lines in pieces: from many lanes to few, for who takes no more at a time."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.stream.line import line
from rtl.stream.register import StreamRegister


class LinePieces(wiring.Component):
    """Gives each line in pieces of ``fewer`` lanes, those in which a lane is valid.

    A line without any is given as one piece, its last, so every window keeps its end. For instance
    the line ``. . . 3  4 5 6 7  8 . . .  . . . .`` of 16 lanes in pieces of 4: ``. . . 3``,
    ``4 5 6 7``, ``8 . . .``, and ``last`` with the third if it is with the line.

    Order is kept. Latency 1 cycle, initiation interval the pieces of a line, at least 1 cycle. A
    stall at ``o`` stalls ``i`` in the same cycle, and so do pieces that are left. How many these
    are is found as the line comes in, so nothing of it is in front of ``i.ready``.

    Parameters
    ----------
    shape : ShapeLike
        A value.
    lanes, fewer : int
        Powers of two.
    passenger : ShapeLike
        The same with all pieces of a line.

    Members
    -------
    i : In(stream.Signature(line(shape, lanes, passenger=passenger)))
    o : Out(stream.Signature(line(shape, fewer, passenger=passenger)))

    Source: ours; seed 000, section 4.1, sorts the values of compressed windows.
    """

    latency = StreamRegister.latency
    initiation_interval = 1

    def __init__(self, shape, lanes, fewer, passenger=0):
        if log2(lanes) < log2(fewer):
            raise ValueError(f"fewer must be at most lanes, {lanes}, not {fewer}")
        self._fewer, self._pieces = fewer, lanes // fewer
        self._line = line(shape, lanes, passenger=passenger)
        super().__init__(
            {
                "i": In(stream.Signature(self._line)),
                "o": Out(stream.Signature(line(shape, fewer, passenger=passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.held = held = StreamRegister(self._line)
        source, o, pieces = held.o.p, self.o.p, range(self._pieces)
        # Of the line that is held: the pieces that are left, and whether there is one at most.
        left, final = Signal(len(pieces)), Signal()
        chosen, following = Signal(len(pieces)), Signal(len(pieces))
        lanes = [slice(k * self._fewer, (k + 1) * self._fewer) for k in pieces]
        with m.If(self.i.ready):
            m.d.comb += following.eq(Cat(self.i.p.valid[part].any() for part in lanes))
        with m.Else():
            m.d.comb += following.eq(left & ~chosen)
        with m.If(self.i.ready | self.o.ready):
            m.d.sync += [left.eq(following), final.eq(~_several(following))]
        m.d.comb += [
            held.i.p.eq(self.i.p),
            held.i.valid.eq(self.i.valid),
            self.i.ready.eq(held.i.ready),
            held.o.ready.eq(self.o.ready & final),
            chosen.eq(Cat(left[k] & ~left[:k].any() for k in pieces)),
            o.last.eq(source.last & final),
            o.valid.eq(self._chosen(chosen, [source.valid[part] for part in lanes])),
            self.o.valid.eq(held.o.valid),
        ]
        for lane in range(self._fewer):
            values = [Value.cast(source.tuples[k * self._fewer + lane]) for k in pieces]
            m.d.comb += Value.cast(o.tuples[lane]).eq(self._chosen(chosen, values))
        if "passenger" in o.shape().members:
            m.d.comb += Value.cast(o.passenger).eq(Value.cast(source.passenger))
        return m

    @staticmethod
    def _chosen(chosen, values):
        """That one of the values whose bit is high; without any 0."""
        found = 0
        for bit, value in zip(chosen, values, strict=True):
            found |= Mux(bit, value, 0)
        return found


def _several(bits):
    """Whether more than one is high: by halves, so that no bit waits for all before it."""
    if len(bits) == 1:
        return C(0, 1)
    low, high = bits[: len(bits) // 2], bits[len(bits) // 2 :]
    return _several(low) | _several(high) | (low.any() & high.any())
