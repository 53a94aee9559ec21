"""Compresses the values of keys: one value in each cycle, for any codec and any keys."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import value_layout
from rtl.keyed.codec.codecs import entry_of
from rtl.keyed.codec.packer import Packer, packed_layout
from rtl.keyed.codec.symbol_values import returned_value
from rtl.stream.skid import SkidBuffer


def compressed_layout(codec, entries, passenger, restores):
    """Returns the layout of the output: a value's key and the key's blocks.

    Members: those of :func:`~rtl.keyed.codec.packer.packed_layout`; with ``restores`` also
    ``value``, the value that the block ``growing`` returns.
    """
    packed = packed_layout(codec.format, entries, passenger)
    return data.StructLayout({**packed.members, "value": codec.width}) if restores else packed


class Compressor(wiring.Component):
    """Encodes each value, and outputs the block of its key with the value.

    ::

        i --> encoder of the codec --> skid --> Packer --> o

    The symbol of a value depends on the earlier values of its key, and never on the places where
    blocks begin. With ``restores`` the output also has the value that the block returns::

        i --> encoder --> values of symbols --> skid --> Packer --> raw or coded? --> o

    Order is kept. Latency that of the encoder and 7 cycles, and with ``restores`` that of the
    codec's ``restorer``; initiation interval 1 cycle for any keys, the same key in successive
    cycles included. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Codec
    entries : int
        Keys, a power of two of at least 2.
    passenger : ShapeLike
    restores : bool
        True if ``o`` has the ``value`` that the growing block returns for the value.

    Members
    -------
    i : In(stream.Signature(value_layout(codec.format, entries, passenger)))
    o : Out(stream.Signature(compressed_layout(codec, entries, passenger, restores)))

    Source: seed 000, section 3; the returned value is ours.
    """

    initiation_interval = 1

    def __init__(self, codec, entries, passenger=0, *, restores=False):
        entry = entry_of(codec)
        self._encoder = entry.encoder(codec, entries, passenger)
        self._restorer = None
        symbols = self._encoder.o.p.shape()
        if restores:
            self._restorer = entry.restorer(codec, entries, passenger)
            symbols = self._restorer.o.p.shape()
        # Ends the chain of ready, which passes through all stages of the packer.
        self._skid = SkidBuffer(symbols)
        self._packer = Packer(codec.format, entries, symbols.members["passenger"])
        values = value_layout(codec.format, entries, passenger)
        blocks = compressed_layout(codec, entries, passenger, restores)
        super().__init__({"i": In(stream.Signature(values)), "o": Out(stream.Signature(blocks))})

    @staticmethod
    def latency_of(codec, restores=False):
        """Returns the latency, in cycles, without building the component."""
        entry = entry_of(codec)
        restorer = entry.restorer.latency if restores else 0
        return entry.encoder.latency + restorer + SkidBuffer.latency + Packer.latency

    @staticmethod
    def memory_bits_of(codec, entries):
        """Returns the bits of the memories of a compressor without making the compressor."""
        encoder = entry_of(codec).encoder.memory_bits_of(codec, entries)
        return encoder + Packer.memory_bits_of(codec.format, entries)

    @property
    def latency(self):
        restorer = () if self._restorer is None else (self._restorer,)
        parts = (self._encoder, *restorer, self._skid, self._packer)
        return sum(part.latency for part in parts)

    def elaborate(self, platform):
        m = Module()
        m.submodules.encoder = encoder = self._encoder
        m.submodules.packer = packer = self._packer
        wiring.connect(m, wiring.flipped(self.i), encoder.i)
        m.submodules.skid = skid = self._skid
        wiring.connect(m, skid.o, packer.i)
        if self._restorer is None:
            wiring.connect(m, encoder.o, skid.i)
            wiring.connect(m, packer.o, wiring.flipped(self.o))
            return m
        m.submodules.restorer = restorer = self._restorer
        wiring.connect(m, encoder.o, restorer.i)
        wiring.connect(m, restorer.o, skid.i)
        packed = packer.o.p
        o = self.o.p
        names = [name for name in packed.shape().members if name != "passenger"]
        m.d.comb += [
            self.o.valid.eq(packer.o.valid),
            packer.o.ready.eq(self.o.ready),
            *(o[name].eq(packed[name]) for name in names),
            o.passenger.eq(packed.passenger.passenger),
            o.value.eq(returned_value(packed.passenger, packed.growing)),
        ]
        return m
