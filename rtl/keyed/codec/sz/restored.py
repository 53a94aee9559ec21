"""Computes the values that coded blocks of SZ return, from the symbols of the encoder."""

from amaranth.hdl import Module, Mux, Signal, signed
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.keyed.codec.block_format import symbol_layout
from rtl.keyed.codec.symbol_values import restored_layout
from rtl.keyed.codec.sz.sz import CONSTANT, LINEAR, OUTLIER, predictions
from rtl.keyed.codec.sz.values import SzValues, working_layout
from rtl.stream.handshake import handshakes
from rtl.stream.register import StreamRegister

#: Bits by which a prediction may be longer than a working value.
_GUESS_BITS = 4


class RestoredSymbols(wiring.Component):
    """Adds to each symbol of SZ the value that a coded block returns for it.

    ::

        i --> prediction, or large part --> register --> SzValues --> o
              of the symbol                 working value

    A symbol alone determines its working value: the seed has the last working values of the key,
    the small part names the prediction, and the large part has the working value of an outlier. So
    the value does not depend on where blocks begin. The component does not know whether the block
    becomes raw, and so returns the exact value: the block's first value decides. For instance with
    a seed of a = 1000, b = 990::

        small part    0, constant    1, linear    3, outlier of 1100    3, escape
        coded         1000           1010         1100                  the exact value

    Order is kept. Latency 3 cycles, initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Parameters
    ----------
    codec : Sz or ScaledSz
    entries : int
    passenger : ShapeLike

    Members
    -------
    i : In(stream.Signature(symbol_layout(codec.format, entries, passenger)))
    o : Out(stream.Signature(symbol_layout(codec.format, entries, restored_layout(...))))

    Source: ours.
    """

    latency = StreamRegister.latency + SzValues.latency
    initiation_interval = 1

    def __init__(self, codec, entries, passenger=0):
        symbols = symbol_layout(codec.format, entries, passenger)
        restored = restored_layout(codec.width, passenger, lossy=True)
        self._codec = codec
        self._register = StreamRegister(working_layout(codec, symbols))
        self._values = SzValues(codec, symbols)
        super().__init__(
            {
                "i": In(stream.Signature(symbols)),
                "o": Out(stream.Signature(symbol_layout(codec.format, entries, restored))),
            }
        )

    def elaborate(self, platform):
        m = Module()
        m.submodules.register = register = self._register
        m.submodules.values = values = self._values
        m.d.comb += [*handshakes(self.i, register, values), values.i.p.eq(register.o.p)]
        self._decode(m, self.i.p, register.i.p)
        symbol = values.o.p.passenger
        o = self.o.p
        names = [name for name in symbol.shape().members if name != "passenger"]
        m.d.comb += [
            self.o.valid.eq(values.o.valid),
            values.o.ready.eq(self.o.ready),
            *(o[name].eq(symbol[name]) for name in names),
            o.passenger.exact.eq(symbol.symbol.value),
            o.passenger.coded.eq(values.o.p.value),
            o.passenger.passenger.eq(symbol.passenger),
        ]
        return m

    def _decode(self, m, item, target):
        """Finds the working value of a symbol, and the scale of the working value."""
        codec = self._codec
        symbol = item.symbol
        last_values = data.View(codec.state, symbol.seed)
        linear, polynomial = predictions(last_values)
        number, scale, is_escape = codec.outlier(symbol.large)
        is_outlier = Signal()
        guess = Signal(signed(codec.working_bits + _GUESS_BITS))
        m.d.comb += [
            is_outlier.eq(symbol.small == OUTLIER),
            guess.eq(
                Mux(
                    symbol.small == CONSTANT,
                    last_values.a,
                    Mux(symbol.small == LINEAR, linear, polynomial),
                )
            ),
            target.is_escape.eq(is_outlier & is_escape),
            target.value.eq(symbol.value),
            target.working.eq(Mux(is_outlier, number, guess)),
            target.scale.eq(Mux(is_outlier, scale, codec.scale_of(last_values))),
            target.passenger.eq(item),
        ]
