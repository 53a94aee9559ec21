"""XOR with the value before: the lossless codec for floating point."""

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

LEADING_BITS = 5
LENGTH_BITS = 6
WINDOW_BITS = LEADING_BITS + LENGTH_BITS
MOST_LEADING = (1 << LEADING_BITS) - 1
MOST_LENGTH = 1 << LENGTH_BITS
#: Code of a window in a seed before the first window.
NO_WINDOW = MOST_LEADING << LENGTH_BITS


@dataclass(frozen=True)
class Xor(ChangeCodec):
    """Encodes a value by its XOR with the value before, as one of three symbols.

    - The XOR is 0: ``0``.
    - All 1 bits of the XOR lie in the *window* of meaningful bits of an earlier symbol: ``10``, and
      the bits of the window.
    - Otherwise ``11``, 5 bits with the leading zeros (31 at most), 6 bits with the length of the
      new window (64 is coded as 0), and the bits of the window.

    All symbols are large parts. The seed of a block is its first value, 5 bits with the leading
    zeros of the window after the value, and 6 bits with its length. Without a window yet the seed
    has 31 and 0, because no window has 31 leading zeros and 64 bits.

    For instance 10.5 and 9.5 differ in 2 bits after 13 equal bits: ``11``, 01101, 000010, 11. Then
    9.5 and 11.5 differ in one bit of the window: ``10``, 10.

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    stamp_bits : int
        Bits of a block's stamp, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: seed 000, section 2.1 and figures 4 and 9.
    """

    width: int = 64
    stamp_bits: int = 0

    @property
    def format(self):
        seed = self.width + WINDOW_BITS
        large = 2 + WINDOW_BITS + self.width
        stamp = self.stamp_bits
        return BlockFormat(width=self.width, seed_bits=seed, large_max=large, stamp_bits=stamp)

    @property
    def window(self):
        """Layout of a window: its ``leading`` and ``trailing`` zeros; ``defined`` is low at first.

        31 stands for 31 leading zeros or more.
        """
        return data.StructLayout(
            {"leading": LEADING_BITS, "trailing": range(self.width), "defined": 1}
        )

    @property
    def state(self):
        """Layout of a decoder's window.

        ``leading`` zeros, ``length``, and ``reuse_length``, the length of a symbol ``10`` with the
        bits of the window: ``length + 2``.
        """
        length = range(MOST_LENGTH + 1)
        reuse_length = range(MOST_LENGTH + 3)
        return data.StructLayout(
            {"leading": LEADING_BITS, "length": length, "reuse_length": reuse_length}
        )

    def first_state(self, seed):
        length = _length(seed[:LENGTH_BITS])
        return {"leading": seed[LENGTH_BITS:], "length": length, "reuse_length": length + 2}

    @property
    def position(self):
        """Layout of the position of bits: the leading zeros before them, and their number."""
        return data.StructLayout({"leading": LEADING_BITS, "length": range(MOST_LENGTH + 1)})

    @property
    def value_position(self):
        return {"leading": 0, "length": self.width}

    @property
    def zero_position(self):
        """Position of no bits."""
        return {"length": 0}

    def symbol(self, m, undecoded, state):
        width = self.width
        changes_state = Signal()
        window_code = undecoded[-2 - WINDOW_BITS : -2]
        symbol_length = Signal(range(2 + WINDOW_BITS + MOST_LENGTH + 1))
        with m.Switch(
            window_code[:LENGTH_BITS]
        ):  # a table, as an adder would be in the longest path
            for length in range(1 << LENGTH_BITS):
                with m.Case(length):
                    m.d.comb += symbol_length.eq(2 + WINDOW_BITS + (length or MOST_LENGTH))
        leading = Signal(LEADING_BITS)
        length = Signal(range(MOST_LENGTH + 1))
        m.d.comb += changes_state.eq(undecoded[-1] & undecoded[-2])
        m.d.comb += [
            leading.eq(Mux(changes_state, window_code[LENGTH_BITS:], state.leading)),
            length.eq(Mux(changes_state, _length(window_code[:LENGTH_BITS]), state.length)),
        ]
        return {
            "length": Mux(changes_state, symbol_length, state.reuse_length),
            "bits": Mux(
                changes_state, undecoded[: -2 - WINDOW_BITS][-width:], undecoded[:-2][-width:]
            ),
            "position": {"leading": leading, "length": length},
            "changes_state": changes_state,
            "state": {"leading": leading, "length": length, "reuse_length": length + 2},
            "invalid": leading + length > width,
        }

    def difference(self, m, bits, position):
        """Returns the bits with zeros above and below."""
        # A shift of a constant, because comparisons would be carry chains.
        window_after = C((1 << self.width) - 1, self.width) >> position.length
        return (bits & ~window_after) >> position.leading

    def changed(self, value, difference):
        return value ^ difference


def _length(window_code):
    return Mux(window_code == 0, MOST_LENGTH, window_code)


class XorEncoder(ChangeEncoder):
    """Finds the symbol of each value from the value before and the window of the key.

    ::

        i --> value before --> XOR --> its zeros --> window of the key --> symbol --> o
              (a Bank)                               (a Bank)

    Latency 8 cycles. Initiation interval 1 cycle.

    Source: seed 000, sections 2.1 and 3.4.1.
    """

    latency = 2 * Bank.latency + 4 * StreamRegister.latency

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        value = self.i.p.shape()
        self._xored = data.StructLayout({"item": value, "xor": codec.width})
        zeros = {"leading": LEADING_BITS, "trailing": range(codec.width)}
        self._counted = data.StructLayout({**self._xored.members, **zeros})
        choice = {"unchanged": 1, "fits_window": 1, "window": codec.window}
        self._chosen = data.StructLayout({**self._xored.members, **choice})
        self._windows = Bank(codec.window, entries, self._counted)

    @staticmethod
    def memory_bits_of(codec, entries):
        return sum(Bank.memory_bits_of(e, entries) for e in (codec.width, codec.window))

    def elaborate(self, platform):
        m = Module()
        differs, counted, windows, chosen, symbols = self._connect(
            m,
            differs=self._xored,
            counted=self._counted,
            windows=self._windows,
            chosen=self._chosen,
            symbols=self.o.p.shape(),
        ).values()
        item, previous = self._read_previous(m)
        xor = differs.o.p.xor
        zeros = counted.i.p
        m.d.comb += [
            differs.i.p.item.eq(item),
            differs.i.p.xor.eq(item.value ^ previous),
            zeros.item.eq(differs.o.p.item),
            zeros.xor.eq(xor),
            zeros.leading.eq(self._limited(leading_zeros(xor))),
            zeros.trailing.eq(trailing_zeros(xor)),
            windows.i.p.index.eq(counted.o.p.item.entry),
            windows.i.p.passenger.eq(counted.o.p),
        ]
        self._choose(m, windows, chosen.i.p)
        self._encode(m, chosen.o.p, symbols.i.p)
        return m

    def _limited(self, leading):
        return Mux(leading > MOST_LEADING, MOST_LEADING, leading)

    def _choose(self, m, windows, o):
        """Selects the kind of the symbol, and stores the window after the symbol."""
        counted = windows.o.p.passenger
        window = windows.o.p.entry
        item = counted.item
        window_after = o.window
        changes = Signal()
        fits = (counted.leading >= window.leading) & (counted.trailing >= window.trailing)
        m.d.comb += [
            o.item.eq(item),
            o.xor.eq(counted.xor),
            o.unchanged.eq(~counted.xor.any()),
            o.fits_window.eq(window.defined & fits),
            changes.eq(~(o.unchanged | o.fits_window | item.fresh)),
            window_after.defined.eq((window.defined | changes) & ~item.fresh),
            window_after.leading.eq(Mux(changes, counted.leading, window.leading)),
            window_after.trailing.eq(Mux(changes, counted.trailing, window.trailing)),
            windows.next.eq(window_after),
            windows.update.eq(item.valid),
        ]

    def _encode(self, m, i, o):
        """Builds the symbol of the selected kind."""
        item = i.item
        width = self._codec.width
        symbol = o.symbol
        length = Signal(range(width + 1))
        bits = Signal(width)
        window_code = Signal(WINDOW_BITS)
        m.d.comb += [
            length.eq(width - i.window.leading - i.window.trailing),
            bits.eq(i.xor << i.window.leading),
            # The first bit of a symbol is the highest one, and Cat begins with the lowest.
            window_code.eq(
                Mux(i.window.defined, Cat(length[:LENGTH_BITS], i.window.leading), NO_WINDOW)
            ),
            *(o[name].eq(item[name]) for name in PASSED_ON),
            symbol.value.eq(item.value),
            symbol.seed.eq(Cat(window_code, item.value)),
        ]
        with m.If(i.unchanged):
            m.d.comb += symbol.large_bits.eq(1)
        with m.Elif(i.fits_window):
            m.d.comb += [
                symbol.large.eq(Cat(C(0, WINDOW_BITS), bits, C(0b10, 2))),
                symbol.large_bits.eq(2 + length),
            ]
        with m.Else():
            m.d.comb += [
                symbol.large.eq(Cat(bits, window_code, C(0b11, 2))),
                symbol.large_bits.eq(2 + WINDOW_BITS + length),
            ]


ENTRY = CodecEntry(
    name="xor",
    summary="bits that differ from the value before, for any numbers",
    codec=Xor,
    encoder=XorEncoder,
    decoder=ChangeDecoder,
    takes_floats=True,
    block_steps=change_steps,
    usual_steps=usual_change_steps,
)
