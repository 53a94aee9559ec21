"""Decompresses the blocks of windows, whatever the codec."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.base_delta import BaseDelta
from rtl.codec.base_delta_decoder import BaseDeltaDecoder
from rtl.codec.block_format import block_layout, told_layout
from rtl.codec.decoder_pool import DecoderPool
from rtl.codec.sz import Sz
from rtl.codec.sz_decoder import SzDecoder
from rtl.codec.xor import Xor
from rtl.codec.xor_decoder import XorDecoder
from rtl.stream.line import line

#: What decodes the blocks of each codec: all values of a block at once, or one after the other.
PARALLEL = {BaseDelta: BaseDeltaDecoder}
SERIAL = {Xor: XorDecoder, Sz: SzDecoder}


class Decompressor(wiring.Component):
    """Gives what is in the blocks of windows, a line for each block.

    That are the values of a block, or with a serial decoder, of which there is a pool, the one
    state that the ``fold`` makes of them. In a window's last line ``error`` is high if its last
    block had one, or if any of its blocks cannot be decoded.

    Order is kept. Latency that of the codec's decoder, or of the pool. Initiation interval 1 cycle,
    or that of the pool. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta, Xor or Sz
    fold : Fold or None
        With a serial codec, and only then.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(block_layout(told_layout(passenger))))
    o : Out(stream.Signature(line(..., passenger=told_layout(passenger))))
        Of values, ``codec.lanes`` of them, or of one of the states ``fold.states``.

    Source: seed 000, section 3.4.
    """

    initiation_interval = 1

    def __init__(self, codec, fold=None, passenger=0):
        told = told_layout(passenger)
        if fold is None:
            self._decoder = PARALLEL[type(codec)](codec, told)
            given = line(codec.width, codec.lanes, passenger=told)
        else:
            self._decoder = DecoderPool(SERIAL[type(codec)], codec, fold, told)
            given = line(fold.states, 1, passenger=told)
        super().__init__(
            {"i": In(stream.Signature(block_layout(told))), "o": Out(stream.Signature(given))}
        )

    @staticmethod
    def latency_of(codec):
        """That of a block of one step, where it takes steps."""
        if type(codec) in SERIAL:
            return DecoderPool.latency_of(SERIAL[type(codec)])
        return PARALLEL[type(codec)].latency

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
