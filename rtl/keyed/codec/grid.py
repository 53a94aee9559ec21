"""Differences to the value before, on a grid: a lossless codec for any numbers."""

from dataclasses import dataclass

from amaranth.hdl import C, Cat, Module, Mux, Signal
from amaranth.lib import data, wiring

from rtl.keyed.codec.block_format import ALONG, BlockFormat
from rtl.keyed.codec.block_steps import change_steps, usual_change_steps
from rtl.keyed.codec.change_decoder import ChangeCodec, ChangeDecoder
from rtl.keyed.codec.codec import CodecEntry, Encoder
from rtl.memory.bank import Bank
from rtl.stream.register import StreamRegister
from rtl.stream.zeros import leading_zeros, trailing_zeros

GRID_BITS, LENGTH_BITS = 6, 6
TOLD_BITS = 3 + GRID_BITS + LENGTH_BITS
MOST_LENGTH = 1 << LENGTH_BITS
#: Bits of numbers that are told by 10, and by 110.
SHORT, MIDDLE = 3, 6


@dataclass(frozen=True)
class Grid(ChangeCodec):
    """Symbols of a value, after its difference to the one before, modulo 2^``width``.

    The *grid* is how many zeros are known at its lower end, 0 at first. What is above them is n, a
    whole number with a sign.

    - There is no difference: ``0``.
    - n has 3 bits, two's complement, or less: ``10``, and n in 3 bits.
    - n has 6 bits or less: ``110``, and n in 6 bits.
    - Else, or if the grid is too coarse: ``111``, 6 bits with the grid from here, all zeros of the
      difference but no more than ``width`` - 6, 6 with the length of n there, of which 64 is 0, and
      n.

    All are large parts. The seed of a block is its first value, and 6 bits with the grid that holds
    from there. For instance 10.5 to 9.5 is -2^49, so ``111``, 110001, 000001, 1: the grid is 49.
    Then 9.5 to 11.5 is 2^50, which is 2 there: ``10``, 010.

    Attributes
    ----------
    width : int
        Of a value: 32 or 64.
    stamp_bits : int
        Of its blocks, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: ours.
    """

    width: int = 64
    stamp_bits: int = 0

    @property
    def format(self):
        seed, large = self.width + GRID_BITS, TOLD_BITS + self.width
        stamp = self.stamp_bits
        return BlockFormat(width=self.width, seed_bits=seed, large_max=large, stamp_bits=stamp)

    @property
    def held(self):
        return data.StructLayout({"grid": GRID_BITS})

    def began(self, seed):
        return {"grid": seed}

    @property
    def number(self):
        """Layout of where a number belongs: above how many zeros, and its bits."""
        return data.StructLayout({"grid": GRID_BITS + 1, "length": range(MOST_LENGTH + 1)})

    @property
    def as_they_are(self):
        return {"grid": 0, "length": self.width}

    @property
    def nothing(self):
        """All bits are below the grid."""
        return {"grid": MOST_LENGTH}

    def symbol(self, m, rest, held):
        """As a dict of what :func:`~rtl.keyed.codec.change_decoder.symbol_layout` has."""
        width, more = self.width, rest[-2]
        anew, whole = Signal(), Signal(range(TOLD_BITS + MOST_LENGTH + 1))
        grid, length = Signal(GRID_BITS), Signal(range(MOST_LENGTH + 1))
        told, behind = rest[-TOLD_BITS:-3], rest[:-TOLD_BITS][-width:]
        with m.Switch(told[:LENGTH_BITS]):  # a table, as an adder would be in the longest path
            for given in range(1 << LENGTH_BITS):
                with m.Case(given):
                    m.d.comb += whole.eq(TOLD_BITS + (given or MOST_LENGTH))
        none = told[:LENGTH_BITS] == 0
        first = Mux(more, rest[:-3][-MIDDLE:], rest[:-2][-MIDDLE:])
        m.d.comb += [
            anew.eq(rest[-1] & more & rest[-3]),
            grid.eq(Mux(anew, told[LENGTH_BITS:], held.grid)),
            length.eq(Mux(more, MIDDLE, SHORT)),
        ]
        with m.If(anew):
            m.d.comb += length.eq(Mux(none, MOST_LENGTH, told[:LENGTH_BITS]))
        return {
            "length": Mux(anew, whole, Mux(more, 3 + MIDDLE, 2 + SHORT)),
            "bits": Cat(behind[:-MIDDLE], Mux(anew, behind[-MIDDLE:], first)),
            "number": {"grid": grid, "length": length},
            "anew": anew,
            "held": {"grid": grid},
            "wrong": grid + length > width,
        }

    def difference(self, m, bits, number):
        """The number with its sign before it, and zeros behind it."""
        down = Signal(range(self.width))
        m.d.comb += down.eq(self.width - number.grid - number.length)
        kept = Cat(number.grid <= bit for bit in range(self.width))
        return (bits.as_signed() >> down) & kept

    def changed(self, value, difference):
        return (value + difference)[: self.width]


class GridEncoder(Encoder):
    """Finds the symbol of each value from the value before and the grid of the key.

    ::

        i --> value before --> difference --> its ends --> grid of the key --> symbol --> o
              (a Bank)                                     (a Bank)

    The two banks do not depend on each other, nor on the fill of blocks. So each bank is a loop of
    its own, and values of one key may come in successive cycles.

    Latency 9 cycles. Initiation interval 1 cycle.

    Source: ours.
    """

    latency = 2 * Bank.latency + 5 * StreamRegister.latency

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        width, value = codec.width, self.i.p.shape()
        self._known = data.StructLayout({"goes": value, "before": width})
        self._differs = data.StructLayout({"goes": value, "difference": width})
        # Zeros at its lower end, and the place of its sign, if it has no bit more than it needs.
        ends = {"zeros": range(width), "sign": range(width)}
        self._counted = data.StructLayout({**self._differs.members, **ends})
        kind = {"same": 1, "short": 1, "middle": 1, "grid": GRID_BITS}
        self._chosen = data.StructLayout({**self._counted.members, **kind})
        self._befores = Bank(width, entries, value)
        # The comparison with the grid is made as soon as a difference is offered.
        self._grids = Bank(GRID_BITS, entries, self._counted, note=self._fits)

    @staticmethod
    def memory_bits_of(codec, entries):
        return sum(Bank.memory_bits_of(e, entries) for e in (codec.width, GRID_BITS))

    def _fits(self, grid, found):
        """Whether it is a number of a short length there, and whether of a middle one."""
        return Cat((found.zeros >= grid) & (found.sign < grid + bits) for bits in (SHORT, MIDDLE))

    def elaborate(self, platform):
        m = Module()
        m.submodules.befores, m.submodules.grids = befores, grids = self._befores, self._grids
        m.submodules.known = known = StreamRegister(self._known)
        m.submodules.differs = differs = StreamRegister(self._differs)
        m.submodules.counted = counted = StreamRegister(self._counted)
        m.submodules.chosen = chosen = StreamRegister(self._chosen)
        m.submodules.symbols = symbols = StreamRegister(self.o.p.shape())
        for source, target in (
            (self.i, befores.i),
            (befores.o, known.i),
            (known.o, differs.i),
            (differs.o, counted.i),
            (counted.o, grids.i),
            (grids.o, chosen.i),
            (chosen.o, symbols.i),
        ):
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        wiring.connect(m, symbols.o, wiring.flipped(self.o))
        came = befores.o.p.passenger
        m.d.comb += [
            befores.i.p.index.eq(self.i.p.entry),
            befores.i.p.passenger.eq(self.i.p),
            befores.next.eq(came.value),
            befores.update.eq(came.valid),
            known.i.p.goes.eq(came),
            known.i.p.before.eq(befores.o.p.entry),
            differs.i.p.goes.eq(known.o.p.goes),
            differs.i.p.difference.eq(known.o.p.goes.value - known.o.p.before),
            grids.i.p.index.eq(counted.o.p.goes.entry),
            grids.i.p.passenger.eq(counted.o.p),
        ]
        self._count(m, differs.o.p, counted.i.p)
        self._choose(m, grids, chosen.i.p)
        self._encode(m, chosen.o.p, symbols.i.p)
        return m

    def _count(self, m, i, o):
        """Where the difference ends; above its sign are copies of that alone."""
        width, most = self._codec.width, self._codec.width - MIDDLE
        copies, zeros = Signal(width), Signal(range(width))
        sign = i.difference[-1].replicate(width - 1)
        m.d.comb += [
            copies.eq(Cat(C(1, 1), i.difference[:-1] ^ sign)),
            zeros.eq(trailing_zeros(i.difference)),
            o.goes.eq(i.goes),
            o.difference.eq(i.difference),
            o.zeros.eq(Mux(zeros > most, most, zeros)),
            o.sign.eq(~leading_zeros(copies)),
        ]

    def _choose(self, m, grids, o):
        """Which kind of symbol it is, and the grid behind it."""
        found, grid = grids.o.p.passenger, grids.o.p.entry
        keeps = Signal()
        m.d.comb += [
            *(o[name].eq(found[name]) for name in ("goes", "difference", "zeros", "sign")),
            o.same.eq(~found.difference.any()),
            Cat(o.short, o.middle).eq(grids.note),
            keeps.eq(o.same | o.middle),
            o.grid.eq(Mux(found.goes.fresh, 0, Mux(keeps, grid, found.zeros))),
            grids.next.eq(o.grid),
            grids.update.eq(found.goes.valid),
        ]

    def _encode(self, m, i, o):
        """The symbol of that kind."""
        goes, width, symbol = i.goes, self._codec.width, o.symbol
        length, bits, number = Signal(range(width + 1)), Signal(width), Signal(MIDDLE)
        large = len(symbol.large)
        m.d.comb += [
            length.eq(i.sign - i.zeros + 1),
            bits.eq(i.difference << ~i.sign),
            number.eq(i.difference >> i.grid),
            *(o[name].eq(goes[name]) for name in ALONG),
            symbol.value.eq(goes.value),
            symbol.seed.eq(Cat(i.grid, goes.value)),
        ]
        with m.If(i.same):
            m.d.comb += symbol.large_bits.eq(1)
        with m.Elif(i.short):
            told = Cat(number[:SHORT], C(0b10, 2))
            m.d.comb += [
                symbol.large.eq(told << large - len(told)),
                symbol.large_bits.eq(len(told)),
            ]
        with m.Elif(i.middle):
            told = Cat(number, C(0b110, 3))
            m.d.comb += [
                symbol.large.eq(told << large - len(told)),
                symbol.large_bits.eq(len(told)),
            ]
        with m.Else():
            grid = Cat(i.zeros, C(0, GRID_BITS))[:GRID_BITS]
            m.d.comb += [
                # Highest bits first: a number is told from its last one.
                symbol.large.eq(Cat(bits, length[:LENGTH_BITS], grid, C(0b111, 3))),
                symbol.large_bits.eq(TOLD_BITS + length),
            ]


ENTRY = CodecEntry(
    name="grid",
    summary="the difference to it without its zeros, for any",
    codec=Grid,
    encoder=GridEncoder,
    decoder=ChangeDecoder,
    takes_floats=True,
    block_steps=change_steps,
    usual_steps=usual_change_steps,
)
