"""Differences to a base: the lossless codec for integers and fixed point."""

from dataclasses import dataclass

from amaranth.hdl import Cat, Module, Mux, Signal
from amaranth.lib import wiring

from rtl.keyed.codec.block_format import BLOCK_BITS, PASSED_ON, BlockFormat
from rtl.keyed.codec.codec import Codec, Encoder
from rtl.memory.bank import Bank
from rtl.stream.order import equal
from rtl.stream.register import StreamRegister


@dataclass(frozen=True)
class BaseDelta(Codec):
    """Encodes a value as its difference to an earlier value, a *delta* of ``delta_bits``.

    The earlier value is the *base*. A value that is too far from the base becomes the next base.
    Its delta is the *demarcation*, the greatest number, which no other value has as its delta.
    Deltas are small parts, bases are large parts. The seed of a block is the base of its first
    value. With deltas of 8 bits in two's complement, -128 to 126, and 127 as demarcation::

        value    50  51  52  320         330
        base     50          320 (D)
        delta    0   1   2   127 is D    10

    Differences are modulo 2^``width``, so the codec is the same for signed and unsigned values.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    delta_bits : int
        Less than ``width``.
    stamp_bits : int
        Bits of a block's stamp, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: seed 000, sections 2.1 and 3.2, figures 3, 8 and 10.
    """

    width: int = 64
    delta_bits: int = 8
    stamp_bits: int = 0

    @property
    def format(self):
        width = self.width
        return BlockFormat(
            width=width,
            seed_bits=width,
            large_max=width,
            small_bits=self.delta_bits,
            stamp_bits=self.stamp_bits,
        )

    @property
    def demarcation(self):
        return (1 << self.delta_bits - 1) - 1

    @property
    def slots(self):
        """Maximum count of values in a block, reached if the seed is the only base."""
        return (BLOCK_BITS - self.format.head_bits - self.width) // self.delta_bits

    @property
    def bases(self):
        """Maximum count of bases in a block: its seed, and one base for each demarcation."""
        return 1 + self.slots * self.delta_bits // (self.width + self.delta_bits)

    @property
    def lanes(self):
        """Maximum count of values in a block, rounded up to a power of two, such as 64."""
        return 1 << (self.slots - 1).bit_length()


class BaseDeltaEncoder(Encoder):
    """Finds the symbol of each value from the base of the value's key.

    Latency 3 cycles. Initiation interval 1 cycle.

    Source: seed 000, section 3.3.
    """

    latency = Bank.latency + StreamRegister.latency

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        # The bank computes the delta while it fetches the base, a cycle before its output.
        self._bases = Bank(codec.width, entries, self.i.p.shape(), note=self._near)

    @staticmethod
    def memory_bits_of(codec, entries):
        return Bank.memory_bits_of(codec.width, entries)

    def _near(self, base, item):
        """Returns the delta, and above the delta a bit that is high if the delta is valid."""
        delta = (item.value - base)[: self._codec.width]
        bits = self._codec.delta_bits
        sign = delta[bits - 1 :]
        small = equal(sign[1:], sign[:-1])
        return Cat(delta[:bits], small & (delta[:bits] != self._codec.demarcation))

    def elaborate(self, platform):
        m = Module()
        m.submodules.bases = bases = self._bases
        m.submodules.symbols = symbols = StreamRegister(self.o.p.shape())
        wiring.connect(m, symbols.o, wiring.flipped(self.o))
        item = bases.o.p.passenger
        o = symbols.i.p
        near = Signal()
        base = Signal(self._codec.width)
        delta = bases.note[: self._codec.delta_bits]
        symbol = o.symbol
        m.d.comb += [
            bases.i.valid.eq(self.i.valid),
            self.i.ready.eq(bases.i.ready),
            bases.i.p.index.eq(self.i.p.entry),
            bases.i.p.passenger.eq(self.i.p),
            symbols.i.valid.eq(bases.o.valid),
            bases.o.ready.eq(symbols.i.ready),
            near.eq(bases.note[-1] & ~item.fresh),
            base.eq(Mux(near, bases.o.p.entry, item.value)),
            bases.next.eq(base),
            bases.update.eq(item.valid),
            *(o[name].eq(item[name]) for name in PASSED_ON),
            symbol.value.eq(item.value),
            symbol.seed.eq(base),
            symbol.large.eq(Mux(near, 0, item.value)),
            symbol.large_bits.eq(Mux(near, 0, self._codec.width)),
            symbol.small.eq(Mux(near, delta, self._codec.demarcation)),
            symbol.first.eq(Mux(near, delta, 0)),
        ]
        return m
