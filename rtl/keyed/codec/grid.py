"""Differences to the value before, on a grid: a lossless codec for any numbers."""

from dataclasses import dataclass

from amaranth.hdl import C, Cat, Module, Mux, Signal
from amaranth.lib import data

from rtl.keyed.codec.block_format import PASSED_ON, BlockFormat
from rtl.keyed.codec.block_steps import change_steps, usual_change_steps
from rtl.keyed.codec.change_decoder import ChangeCodec, ChangeDecoder
from rtl.keyed.codec.change_encoder import ChangeEncoder
from rtl.keyed.codec.codec import CodecEntry
from rtl.memory.bank import Bank
from rtl.stream.register import StreamRegister
from rtl.stream.zeros import leading_zeros, trailing_zeros

GRID_BITS = 6
LENGTH_BITS = 6
HEADER_BITS = 3 + GRID_BITS + LENGTH_BITS
MOST_LENGTH = 1 << LENGTH_BITS
#: Bits of the number in a symbol that begins with 10.
SHORT = 3
#: Bits of the number in a symbol that begins with 110.
MIDDLE = 6


@dataclass(frozen=True)
class Grid(ChangeCodec):
    """Encodes a value by its difference to the value before, modulo 2^``width``.

    The *grid* of a key is the number of zeros that decoder and encoder assume at the lower end of a
    difference, 0 at the key's first value. The bits above are n, a signed whole number: the
    difference is n * 2^grid.

    - The difference is 0: ``0``.
    - n has 3 bits, two's complement, or less: ``10``, and n in 3 bits.
    - n has 6 bits or less: ``110``, and n in 6 bits.
    - Otherwise, or if the grid is too coarse: ``111``, 6 bits with the new grid, 6 bits with the
      length of n on the new grid (64 is coded as 0), and n. The new grid is the number of zeros of
      the difference, ``width`` - 6 at most.

    A symbol has a large part only. The seed of a block is its first value and, in the 6 bits below
    it, the grid that holds after this value. For instance 10.5 to 9.5 is -2^49, so ``111``, 110001,
    000001, 1: the grid is 49. Then 9.5 to 11.5 is 2^50, which is 2 on the grid: ``10``, 010.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    stamp_bits : int
        Bits of a block's stamp, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: ours.
    """

    width: int = 64
    stamp_bits: int = 0

    @property
    def format(self):
        seed = self.width + GRID_BITS
        large = HEADER_BITS + self.width
        stamp = self.stamp_bits
        return BlockFormat(width=self.width, seed_bits=seed, large_max=large, stamp_bits=stamp)

    @property
    def state(self):
        return data.StructLayout({"grid": GRID_BITS})

    def first_state(self, seed):
        return {"grid": seed}

    @property
    def position(self):
        """Layout of the position of n: the zeros below n, and the bits of n."""
        return data.StructLayout({"grid": GRID_BITS + 1, "length": range(MOST_LENGTH + 1)})

    @property
    def value_position(self):
        return {"grid": 0, "length": self.width}

    @property
    def zero_position(self):
        """Position with all bits below the grid."""
        return {"grid": MOST_LENGTH}

    def symbol(self, m, undecoded, state):
        width = self.width
        # The first bit of a symbol is the highest one.
        is_longer = undecoded[-2]
        changes_state = Signal()
        symbol_length = Signal(range(HEADER_BITS + MOST_LENGTH + 1))
        grid = Signal(GRID_BITS)
        length = Signal(range(MOST_LENGTH + 1))
        code = undecoded[-HEADER_BITS:-3]
        after_header = undecoded[:-HEADER_BITS][-width:]
        with m.Switch(code[:LENGTH_BITS]):  # a table, as an adder would be in the longest path
            for length_code in range(1 << LENGTH_BITS):
                with m.Case(length_code):
                    m.d.comb += symbol_length.eq(HEADER_BITS + (length_code or MOST_LENGTH))
        is_full_length = code[:LENGTH_BITS] == 0
        short_bits = Mux(is_longer, undecoded[:-3][-MIDDLE:], undecoded[:-2][-MIDDLE:])
        m.d.comb += [
            changes_state.eq(undecoded[-1] & is_longer & undecoded[-3]),
            grid.eq(Mux(changes_state, code[LENGTH_BITS:], state.grid)),
            length.eq(Mux(is_longer, MIDDLE, SHORT)),
        ]
        with m.If(changes_state):
            m.d.comb += length.eq(Mux(is_full_length, MOST_LENGTH, code[:LENGTH_BITS]))
        return {
            "length": Mux(changes_state, symbol_length, Mux(is_longer, 3 + MIDDLE, 2 + SHORT)),
            "bits": Cat(
                after_header[:-MIDDLE], Mux(changes_state, after_header[-MIDDLE:], short_bits)
            ),
            "position": {"grid": grid, "length": length},
            "changes_state": changes_state,
            "state": {"grid": grid},
            "invalid": grid + length > width,
        }

    def difference(self, m, bits, position):
        """Returns the difference: n at the grid, with copies of its sign above and zeros below.

        The highest bit of ``bits`` is the first bit of n, and bits of later symbols may follow n.
        So ``bits`` move down until n ends at the grid, and all bits below the grid are removed. For
        instance n = 010 on the grid 49 of doubles moves down by 64 - 49 - 3 = 12 bits, to 2^50.
        """
        shift = Signal(range(self.width))
        m.d.comb += shift.eq(self.width - position.grid - position.length)
        above_grid = Cat(position.grid <= bit for bit in range(self.width))
        return (bits.as_signed() >> shift) & above_grid

    def changed(self, value, difference):
        return (value + difference)[: self.width]


class GridEncoder(ChangeEncoder):
    """Finds the symbol of each value from the value before and the grid of the key.

    ::

        i --> value before --> difference --> zeros below, --> grid of the key --> symbol --> o
              (a Bank)                        sign above       (a Bank)

    Latency 9 cycles. Initiation interval 1 cycle. A stall at ``o`` stalls ``i``.

    Source: ours.
    """

    latency = 2 * Bank.latency + 5 * StreamRegister.latency

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        width = codec.width
        value = self.i.p.shape()
        self._read = data.StructLayout({"item": value, "previous": width})
        self._differs = data.StructLayout({"item": value, "difference": width})
        # Zeros at the lower end of the difference, and the lowest bit that is a copy of the sign.
        ends = {"zeros": range(width), "sign": range(width)}
        self._counted = data.StructLayout({**self._differs.members, **ends})
        choice = {"unchanged": 1, "short": 1, "middle": 1, "grid": GRID_BITS}
        self._chosen = data.StructLayout({**self._counted.members, **choice})
        # The bank compares with the grid during the fetch, so the result is in a register when the
        # difference is offered.
        self._grids = Bank(GRID_BITS, entries, self._counted, note=self._lengths_that_fit)

    @staticmethod
    def memory_bits_of(codec, entries):
        return sum(Bank.memory_bits_of(e, entries) for e in (codec.width, GRID_BITS))

    def _lengths_that_fit(self, grid, counted):
        """Returns two bits: n fits the short length, and n fits the middle length.

        n is a whole number on the grid if the difference has at least as many zeros as the grid.
        Then its bits are those from the grid up to the lowest copy of the sign, which must be at
        most :data:`SHORT` or :data:`MIDDLE` bits. So if n fits the short length, both bits are 1.
        """
        return Cat(
            (counted.zeros >= grid) & (counted.sign < grid + bits) for bits in (SHORT, MIDDLE)
        )

    def elaborate(self, platform):
        m = Module()
        read, differs, counted, grids, chosen, symbols = self._connect(
            m,
            read=self._read,
            differs=self._differs,
            counted=self._counted,
            grids=self._grids,
            chosen=self._chosen,
            symbols=self.o.p.shape(),
        ).values()
        item, previous = self._read_previous(m)
        m.d.comb += [
            read.i.p.item.eq(item),
            read.i.p.previous.eq(previous),
            differs.i.p.item.eq(read.o.p.item),
            differs.i.p.difference.eq(read.o.p.item.value - read.o.p.previous),
            grids.i.p.index.eq(counted.o.p.item.entry),
            grids.i.p.passenger.eq(counted.o.p),
        ]
        self._count(m, differs.o.p, counted.i.p)
        self._choose(m, grids, chosen.i.p)
        self._encode(m, chosen.o.p, symbols.i.p)
        return m

    def _count(self, m, i, o):
        """Finds the lowest 1 of the difference, and the lowest bit of its sign."""
        width = self._codec.width
        max_shift = self._codec.width - MIDDLE
        unlike_sign = Signal(width)
        zeros = Signal(range(width))
        sign = i.difference[-1].replicate(width - 1)
        m.d.comb += [
            # Bit k + 1 is 1 if bit k of the difference is no copy of the sign; bit 0 is always 1.
            unlike_sign.eq(Cat(C(1, 1), i.difference[:-1] ^ sign)),
            zeros.eq(trailing_zeros(i.difference)),
            o.item.eq(i.item),
            o.difference.eq(i.difference),
            o.zeros.eq(Mux(zeros > max_shift, max_shift, zeros)),
            # The width is a power of two, so ~n is width - 1 - n: the lowest copy of the sign.
            o.sign.eq(~leading_zeros(unlike_sign)),
        ]

    def _choose(self, m, grids, o):
        """Selects the kind of the symbol, and stores the grid after the symbol."""
        counted = grids.o.p.passenger
        grid = grids.o.p.entry
        keeps_grid = Signal()
        m.d.comb += [
            *(o[name].eq(counted[name]) for name in ("item", "difference", "zeros", "sign")),
            o.unchanged.eq(~counted.difference.any()),
            Cat(o.short, o.middle).eq(grids.note),
            keeps_grid.eq(o.unchanged | o.middle),  # a short n is a middle one, too
            o.grid.eq(Mux(counted.item.fresh, 0, Mux(keeps_grid, grid, counted.zeros))),
            grids.next.eq(o.grid),
            grids.update.eq(counted.item.valid),
        ]

    def _encode(self, m, i, o):
        """Builds the symbol of the selected kind."""
        item = i.item
        width = self._codec.width
        symbol = o.symbol
        length = Signal(range(width + 1))
        bits = Signal(width)
        short_n = Signal(MIDDLE)
        large = len(symbol.large)
        m.d.comb += [
            length.eq(i.sign - i.zeros + 1),
            bits.eq(i.difference << ~i.sign),  # n at the top: ~sign is width - 1 - sign
            short_n.eq(i.difference >> i.grid),
            *(o[name].eq(item[name]) for name in PASSED_ON),
            symbol.value.eq(item.value),
            symbol.seed.eq(Cat(i.grid, item.value)),
        ]
        with m.If(i.unchanged):
            m.d.comb += symbol.large_bits.eq(1)
        with m.Elif(i.short):
            code = Cat(short_n[:SHORT], C(0b10, 2))
            m.d.comb += [
                symbol.large.eq(code << large - len(code)),
                symbol.large_bits.eq(len(code)),
            ]
        with m.Elif(i.middle):
            code = Cat(short_n, C(0b110, 3))
            m.d.comb += [
                symbol.large.eq(code << large - len(code)),
                symbol.large_bits.eq(len(code)),
            ]
        with m.Else():
            grid = Cat(i.zeros, C(0, GRID_BITS))[:GRID_BITS]
            m.d.comb += [
                # The first bit of a symbol is the highest one, and Cat begins with the lowest.
                symbol.large.eq(Cat(bits, length[:LENGTH_BITS], grid, C(0b111, 3))),
                symbol.large_bits.eq(HEADER_BITS + length),
            ]


ENTRY = CodecEntry(
    name="grid",
    summary="the difference to the value before without its zeros, for any numbers",
    codec=Grid,
    encoder=GridEncoder,
    decoder=ChangeDecoder,
    takes_floats=True,
    block_steps=change_steps,
    usual_steps=usual_change_steps,
)
