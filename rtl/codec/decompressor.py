"""Decompresses the blocks of windows, whatever the codec."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.base_delta import BaseDelta
from rtl.codec.base_delta_decoder import BaseDeltaDecoder
from rtl.codec.block_format import block_layout, told_layout
from rtl.stream.line import line

#: What decodes the blocks of each codec.
DECODERS = {BaseDelta: BaseDeltaDecoder}


class Decompressor(wiring.Component):
    """Gives the values of windows, line by line, out of their blocks.

    In a window's last line ``error`` is high if its last block had one, or if any of its blocks
    cannot be decoded.

    Order is kept. Latency that of the codec's decoder. Initiation interval 1 cycle. A stall at
    ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(told_layout(passenger))))
    o : Out(stream.Signature(line(codec.width, codec.lanes, passenger=told_layout(passenger))))

    Source: seed 000, section 3.4.
    """

    initiation_interval = 1

    def __init__(self, codec, passenger=0):
        told = told_layout(passenger)
        self._decoder = DECODERS[type(codec)](codec, told)
        super().__init__(
            {
                "i": In(stream.Signature(block_layout(told))),
                "o": Out(stream.Signature(line(codec.width, codec.lanes, passenger=told))),
            }
        )

    @staticmethod
    def latency_of(codec):
        return DECODERS[type(codec)].latency

    @property
    def latency(self):
        return self._decoder.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        wiring.connect(m, wiring.flipped(self.i), decoder.i)
        given, o, broken = decoder.o.p, self.o.p, Signal()
        told = given.passenger.passenger
        wrong = Signal()
        m.d.comb += [
            wrong.eq(broken | given.passenger.error),
            self.o.valid.eq(decoder.o.valid),
            decoder.o.ready.eq(self.o.ready),
            *(o[name].eq(given[name]) for name in ("tuples", "valid", "last")),
            o.passenger.eq(told),
            o.passenger.error.eq(given.last & (told.error | wrong)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += broken.eq(wrong & ~given.last)
        return m
