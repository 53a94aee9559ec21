"""Splits lines into pieces of fewer lanes, for consumers with fewer lanes."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, Value
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.network.plan import log2
from rtl.stream.line import line
from rtl.stream.register import StreamRegister


class LinePieces(wiring.Component):
    """Outputs each line as pieces of ``fewer`` lanes, leaving out pieces without a valid lane.

    A line without valid lanes becomes one empty piece, so every window keeps its end. For example
    the line ``. . . 3  4 5 6 7  8 . . .  . . . .`` of 16 lanes becomes three pieces of 4 lanes:
    ``. . . 3``, ``4 5 6 7`` and ``8 . . .``; the third piece has the line's ``last``.

    Order is kept. Latency 1 cycle; initiation interval the number of pieces that a line outputs, at
    least 1 cycle. While a line is inside, ``i`` stalls with ``o``, in the same cycle, and until the
    line's last piece leaves. The pieces of a line are found as the line arrives, so ``i.ready``
    depends on registers and ``o.ready`` only.

    Parameters
    ----------
    shape : ShapeLike
        Shape of a value.
    lanes, fewer : int
        Powers of two.
    passenger : ShapeLike
        Shape of the data that a line carries; every piece has a copy.

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
        self._fewer = fewer
        self._pieces = lanes // fewer
        self._line = line(shape, lanes, passenger=passenger)
        super().__init__(
            {
                "i": In(stream.Signature(self._line)),
                "o": Out(stream.Signature(line(shape, fewer, passenger=passenger))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.held = register = StreamRegister(self._line)
        source = register.o.p
        o = self.o.p
        pieces = range(self._pieces)
        remaining = Signal(len(pieces))  # bit k: piece k of the stored line has not left
        final = Signal()  # at most one piece remains
        chosen = Signal(len(pieces))  # one-hot: the piece at ``o``
        following = Signal(len(pieces))
        lanes = [slice(k * self._fewer, (k + 1) * self._fewer) for k in pieces]
        with m.If(self.i.ready):
            m.d.comb += following.eq(Cat(self.i.p.valid[part].any() for part in lanes))
        with m.Else():
            m.d.comb += following.eq(remaining & ~chosen)
        with m.If(self.i.ready | self.o.ready):
            m.d.sync += [remaining.eq(following), final.eq(~_several(following))]
        m.d.comb += [
            register.i.p.eq(self.i.p),
            register.i.valid.eq(self.i.valid),
            self.i.ready.eq(register.i.ready),
            register.o.ready.eq(self.o.ready & final),
            chosen.eq(Cat(remaining[k] & ~remaining[:k].any() for k in pieces)),
            o.last.eq(source.last & final),
            o.valid.eq(self._chosen(chosen, [source.valid[part] for part in lanes])),
            self.o.valid.eq(register.o.valid),
        ]
        for lane in range(self._fewer):
            values = [Value.cast(source.tuples[k * self._fewer + lane]) for k in pieces]
            m.d.comb += Value.cast(o.tuples[lane]).eq(self._chosen(chosen, values))
        if "passenger" in o.shape().members:
            m.d.comb += Value.cast(o.passenger).eq(Value.cast(source.passenger))
        return m

    @staticmethod
    def _chosen(chosen, values):
        """Returns the value whose bit in ``chosen`` is high, or 0 if no bit is high."""
        value_or = 0
        for bit, value in zip(chosen, values, strict=True):
            value_or |= Mux(bit, value, 0)
        return value_or


def _several(bits):
    """Returns a bit: more than one of ``bits`` is high. A tree of halves keeps paths short."""
    if len(bits) == 1:
        return C(0, 1)
    low = bits[: len(bits) // 2]
    high = bits[len(bits) // 2 :]
    return _several(low) | _several(high) | (low.any() & high.any())
