"""Compresses the values of keys: one in a cycle, whatever the codec and the keys."""

from amaranth.hdl import Module
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import value_layout
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.packer import Packer, packed_layout
from rtl.stream.skid import SkidBuffer


class Compressor(wiring.Component):
    """Codes each value, and shows the block of its key with it.

    ::

        i --> encoder of the codec --> skid --> Packer --> o

    What a value's symbol is depends on the values of its key before it, and never on where blocks
    begin. Order is kept. Latency that of the encoder and 7 cycles, initiation interval 1 cycle, for
    any keys, the same one in successive cycles included. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : BaseDelta, Xor, Grid or Sz
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
        # Ends the chain of ready, which goes through all of the packer's stages before.
        self._skid = SkidBuffer(self._encoder.o.p.shape())
        self._packer = Packer(codec.format, entries, passenger)
        goes = value_layout(codec.format, entries, passenger)
        shown = packed_layout(codec.format, entries, passenger)
        super().__init__({"i": In(stream.Signature(goes)), "o": Out(stream.Signature(shown))})

    @staticmethod
    def latency_of(codec):
        return entry_of(codec).encoder.latency + SkidBuffer.latency + Packer.latency

    @staticmethod
    def memory_bits_of(codec, entries):
        """Bits of the memories of such a compressor, without making one."""
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
