"""From SZ's working values to values."""

from amaranth.hdl import C, Cat, Module, Mux, Signal
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.sz.interval import FLOATS, WORKING, WORKING_BITS
from rtl.stream.register import StreamRegister
from rtl.stream.zeros import leading_zeros


def worked_layout(codec, passenger):
    """Layout of a value before it is one: if it is its ``own`` the ``value``, else ``working``."""
    members = {"own": 1, "value": codec.width, "working": WORKING}
    return data.StructLayout({**members, "passenger": passenger})


class SzValues(wiring.Component):
    """Gives w * 2^exponent for a working value w: exact, as what has no place is no working value.

    For instance 5 with an exponent of -2, as a double: 1.25, which is 1.01 in binary, so the
    leading zeros of w say what its exponent is.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Sz
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(worked_layout(codec, passenger)))
    o : Out(stream.Signature(data.StructLayout(...)))
        ``value`` and ``passenger``.

    Source: ours.
    """

    latency = 2 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        members = {"own": 1, "value": codec.width, "negative": 1, "zero": 1}
        size = {"size": WORKING_BITS, "zeros": range(WORKING_BITS), "passenger": passenger}
        self._sized = data.StructLayout({**members, **size})
        gives = data.StructLayout({"value": codec.width, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(worked_layout(codec, passenger))),
                "o": Out(stream.Signature(gives)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.sized = sized = StreamRegister(self._sized)
        m.submodules.given = given = StreamRegister(self.o.p.shape())
        for source, target in (self.i, sized.i), (sized.o, given.i):
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        wiring.connect(m, given.o, wiring.flipped(self.o))
        working, value = self.i.p, sized.o.p
        size = Signal(WORKING_BITS)
        m.d.comb += [
            size.eq(abs(working.working)),
            *(sized.i.p[name].eq(working[name]) for name in ("own", "value", "passenger")),
            sized.i.p.size.eq(size),
            sized.i.p.negative.eq(working.working < 0),
            sized.i.p.zero.eq(size == 0),
            sized.i.p.zeros.eq(leading_zeros(size)),
            given.i.p.value.eq(Mux(value.own, value.value, self._worked(value))),
            given.i.p.passenger.eq(value.passenger),
        ]
        return m

    def _worked(self, value):
        """What a working value stands for."""
        codec = self._codec
        if codec.kind != "float":
            moved = value.size << codec.exponent
            return Mux(value.negative, -moved, moved)  # with its sign, so as wide as need be
        fraction, exponent, _ = FLOATS[codec.width]
        # Its first bit on top; that one is not written.
        on_top = (value.size << value.zeros)[: WORKING_BITS - 1]
        bits = Cat(C(0, fraction), on_top)[-fraction:]
        bias = (1 << exponent - 1) - 1
        power = (bias + codec.exponent + WORKING_BITS - 1 - value.zeros)[:exponent]
        return Mux(value.zero, 0, Cat(bits, power, value.negative))
