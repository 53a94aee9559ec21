"""Compressor of the values of keys: one value in a cycle for any codec and any keys."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import value_layout
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.packer import Packer, packed_layout
from rtl.stream.skid import SkidBuffer


class Compressor(wiring.Component):
    """Encodes each value, and outputs the block of its key with the value.

    ::

        i --> encoder of the codec --> skid --> Packer --> o

    The symbol of a value depends on the earlier values of its key, and never on the bounds of
    blocks. Order is kept. Latency that of the encoder and 7 cycles, initiation interval 1 cycle for
    any keys, the same key in successive cycles included. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Codec
    entries : int
        Keys, a power of two of at least 2.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(value_layout(codec.format, entries, passenger)))
    o : Out(stream.Signature(packed_layout(codec.format, entries, passenger)))

    Source: seed 000, section 3.
    """

    initiation_interval = 1

    def __init__(self, codec, entries, passenger=0):
        self._encoder = entry_of(codec).encoder(codec, entries, passenger)
        # Ends the chain of ready, which passes through all stages of the packer.
        self._skid = SkidBuffer(self._encoder.o.p.shape())
        self._packer = Packer(codec.format, entries, passenger)
        values = value_layout(codec.format, entries, passenger)
        blocks = packed_layout(codec.format, entries, passenger)
        super().__init__({"i": In(stream.Signature(values)), "o": Out(stream.Signature(blocks))})

    @staticmethod
    def latency_of(codec):
        return entry_of(codec).encoder.latency + SkidBuffer.latency + Packer.latency

    @staticmethod
    def memory_bits_of(codec, entries):
        """Returns the bits of the memories of a compressor without making the compressor."""
        encoder = entry_of(codec).encoder.memory_bits_of(codec, entries)
        return encoder + Packer.memory_bits_of(codec.format, entries)

    @property
    def latency(self):
        return self._encoder.latency + self._skid.latency + self._packer.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.encoder, m.submodules.packer = encoder, packer = self._encoder, self._packer
        wiring.connect(m, wiring.flipped(self.i), encoder.i)
        m.submodules.skid = skid = self._skid
        wiring.connect(m, encoder.o, skid.i)
        wiring.connect(m, skid.o, packer.i)
        wiring.connect(m, packer.o, wiring.flipped(self.o))
        return m
