"""Conversion of SZ's working values to values."""

from amaranth.hdl import C, Cat, Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.sz.interval import FLOATS, WORKING_BITS
from rtl.stream.handshake import handshakes
from rtl.stream.register import StreamRegister
from rtl.stream.zeros import leading_zeros


def working_layout(codec, passenger):
    """Layout of the input of :class:`SzValues`.

    Members: ``is_escape``; ``value``, used if ``is_escape`` is high; ``working``, used otherwise,
    in units of ``scale``; ``passenger``.
    """
    members = {"is_escape": 1, "value": codec.width, "working": signed(codec.working_bits)}
    return data.StructLayout({**members, "scale": codec.scale_bits, "passenger": passenger})


class SzValues(wiring.Component):
    """Computes the value of a working value w; an escape's value passes unchanged.

    The value is w * 2^exponent with the exponent of an Sz, or w units of the item's scale with a
    ScaledSz. The result is exact, because only numbers that the type can represent are working
    values.

    For instance 5 with an exponent of -2 is the double 1.25, in binary 1.01: the leading zeros of w
    define the exponent of the double.

    Order is kept. Latency 2 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i`` when
    both registers are full.

    Parameters
    ----------
    codec : Sz or ScaledSz
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(working_layout(codec, passenger)))
    o : Out(stream.Signature(data.StructLayout(...)))
        ``value`` and ``passenger``.

    Source: ours.
    """

    latency = 2 * StreamRegister.latency
    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        self._codec = codec
        members = {"is_escape": 1, "value": codec.width, "negative": 1, "zero": 1}
        size = {"size": codec.working_bits, "zeros": range(codec.working_bits)}
        others = {"scale": codec.scale_bits, "passenger": passenger}
        self._sized = data.StructLayout({**members, **size, **others})
        output = data.StructLayout({"value": codec.width, "passenger": passenger})
        super().__init__(
            {
                "i": In(stream.Signature(working_layout(codec, passenger))),
                "o": Out(stream.Signature(output)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.sized = sized = StreamRegister(self._sized)
        m.submodules.values = values = StreamRegister(self.o.p.shape())
        m.d.comb += handshakes(self.i, sized, values)
        wiring.connect(m, values.o, wiring.flipped(self.o))
        working = self.i.p
        value = sized.o.p
        size = Signal(self._codec.working_bits)
        m.d.comb += [
            size.eq(abs(working.working)),
            *(
                sized.i.p[name].eq(working[name])
                for name in ("is_escape", "value", "scale", "passenger")
            ),
            sized.i.p.size.eq(size),
            sized.i.p.negative.eq(working.working < 0),
            sized.i.p.zero.eq(size == 0),
            # The count needs a power of two of bits.
            sized.i.p.zeros.eq(leading_zeros(Cat(C(0, WORKING_BITS - len(size)), size))),
            values.i.p.value.eq(Mux(value.is_escape, value.value, self._value_of(value))),
            values.i.p.passenger.eq(value.passenger),
        ]
        return m

    def _value_of(self, value):
        """Returns the value of a working value."""
        codec = self._codec
        if codec.kind != "float":
            shifted = value.size << codec.exponent
            return Mux(value.negative, -shifted, shifted)  # signed, so that no bit is lost
        fraction, exponent, _ = FLOATS[codec.width]
        # The first 1 is shifted to the top and left out, because a float does not store it.
        fraction_bits = (value.size << value.zeros)[: codec.working_bits - 1]
        bits = Cat(C(0, fraction), fraction_bits)[-fraction:]
        power = codec.power(value.scale, value.zeros)[:exponent]
        return Mux(value.zero, 0, Cat(bits, power, value.negative))
