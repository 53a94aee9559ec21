"""Decompresses the blocks of windows, whatever the codec."""

from amaranth.hdl import Module, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.codec.block_format import block_layout, told_layout
from rtl.codec.codecs import kind_of
from rtl.codec.decoder_pool import DecoderPool
from rtl.codec.line_states import LineStates
from rtl.stream.line import line


class Decompressor(wiring.Component):
    """Gives what is in the blocks of windows, a line for each block.

    That are the values of a block, or with a ``fold`` the one state that it makes of them: inside
    of each decoder, where these are serial and there is a pool of them, or behind the decoder. In
    a window's last line ``error`` is high if its last block had one, or if any of its blocks cannot
    be decoded.

    Order is kept. Latency that of the codec's decoder, and of
    :class:`~rtl.codec.line_states.LineStates`, or of the pool. Initiation interval 1 cycle, or that
    of the pool. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta, Xor, Grid or Sz
    fold : Fold or None
        Always with a serial codec.
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
        told, kind = told_layout(passenger), kind_of(codec)
        self._states = None
        if kind.serial:
            self._decoder = DecoderPool(kind.decoder, codec, fold, told)
        else:
            self._decoder = kind.decoder(codec, told)
        if fold is None:
            given = line(codec.width, codec.lanes, passenger=told)
        else:
            given = line(fold.states, 1, passenger=told)
        if fold is not None and not kind.serial:
            beside = self._decoder.o.p.shape().members["passenger"]
            self._states = LineStates(fold, codec.width, codec.lanes, beside)
        super().__init__(
            {"i": In(stream.Signature(block_layout(told))), "o": Out(stream.Signature(given))}
        )

    @staticmethod
    def latency_of(codec, fold=None):
        """That of a block of one step, where it takes steps."""
        kind = kind_of(codec)
        if kind.serial:
            return DecoderPool.latency_of(kind.decoder)
        behind = 0 if fold is None else LineStates.latency_of(codec.lanes)
        return kind.decoder.latency + behind

    @property
    def latency(self):
        return self._decoder.latency + (0 if self._states is None else self._states.latency)

    def elaborate(self, platform):
        m = Module()
        m.submodules.decoder = decoder = self._decoder
        wiring.connect(m, wiring.flipped(self.i), decoder.i)
        source = decoder.o
        if self._states is not None:
            m.submodules.states = self._states
            wiring.connect(m, decoder.o, self._states.i)
            source = self._states.o
        given, o, broken = source.p, self.o.p, Signal()
        told = given.passenger.passenger
        wrong = Signal()
        m.d.comb += [
            wrong.eq(broken | given.passenger.error),
            self.o.valid.eq(source.valid),
            source.ready.eq(self.o.ready),
            *(o[name].eq(given[name]) for name in ("tuples", "valid", "last")),
            o.passenger.eq(told),
            o.passenger.error.eq(given.last & (told.error | wrong)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += broken.eq(wrong & ~given.last)
        return m
