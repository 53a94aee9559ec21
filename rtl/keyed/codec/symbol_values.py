"""Adds to the symbols of an encoder the values that decompressed blocks return."""

from amaranth.hdl import Module, Mux
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import BLOCK_BITS, MARK, MARK_BITS, symbol_layout


def restored_layout(width, passenger, *, lossy):
    """Returns the layout of a symbol's passenger with the values that blocks return.

    Members: ``exact``, the value of ``width`` bits before encoding, which a raw block returns;
    ``coded``, the value that a coded block returns, of 0 bits unless the codec is ``lossy``;
    ``passenger``, the symbol's passenger at the encoder.
    """
    values = {"exact": width, "coded": width if lossy else 0}
    return data.StructLayout({**values, "passenger": passenger})


def returned_value(restored, block):
    """Returns the value that ``block`` returns for a symbol, out of a ``restored_layout``.

    The value is ``coded`` if the codec is lossy and the block is coded, else ``exact``. For
    instance with SZ and a bound of 1 % the value 1005 after 1000 comes out of a coded block as
    1000, and out of a raw block as 1005.
    """
    if not len(restored.coded):
        return restored.exact
    is_coded = block[BLOCK_BITS - MARK_BITS :] == MARK
    return Mux(is_coded, restored.coded, restored.exact)


class ExactSymbols(wiring.Component):
    """Adds to each symbol its own value, which every block of a lossless codec returns.

    Order is kept. Latency 0 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Codec
        A lossless codec.
    entries : int
        Keys, a power of two of at least 2.
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(symbol_layout(codec.format, entries, passenger)))
    o : Out(stream.Signature(symbol_layout(codec.format, entries, restored_layout(...))))

    Source: ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, codec, entries, passenger=0):
        restored = restored_layout(codec.width, passenger, lossy=False)
        super().__init__(
            {
                "i": In(stream.Signature(symbol_layout(codec.format, entries, passenger))),
                "o": Out(stream.Signature(symbol_layout(codec.format, entries, restored))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        symbol = self.i.p
        o = self.o.p
        names = [name for name in symbol.shape().members if name != "passenger"]
        m.d.comb += [
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            *(o[name].eq(symbol[name]) for name in names),
            o.passenger.exact.eq(symbol.symbol.value),
            o.passenger.passenger.eq(symbol.passenger),
        ]
        return m
