"""XOR with the value before: the lossless codec for floating point."""

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

LEADING_BITS, LENGTH_BITS = 5, 6
WINDOW_BITS = LEADING_BITS + LENGTH_BITS
MOST_LEADING, MOST_LENGTH = (1 << LEADING_BITS) - 1, 1 << LENGTH_BITS
#: In place of a window of meaningful bits where there has been none.
NO_WINDOW = MOST_LEADING << LENGTH_BITS


@dataclass(frozen=True)
class Xor(ChangeCodec):
    """Symbols of a value, after its XOR with the one before.

    - Nothing differs: ``0``.
    - What differs lies in the *window* of meaningful bits of an earlier symbol: ``10``, and the
      bits of the window.
    - Else ``11``, 5 bits with the leading zeros, 31 at most, 6 with the length of the new window,
      of which 64 is 0, and its bits.

    All are large parts. The seed of a block is its first value, 5 bits with the leading zeros of
    the window that holds from there, and 6 with its length: 31 and 0 if there has been none yet,
    for no window has 31 and 64.

    For instance 10.5 to 9.5 differs in 2 bits behind 13 that do not: ``11``, 01101, 000010, 11.
    Then 9.5 to 11.5 in one of those: ``10``, 10.

    Attributes
    ----------
    width : int
        Of a value: 32 or 64.
    stamp_bits : int
        Of its blocks, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: seed 000, section 2.1 and figures 4 and 9.
    """

    width: int = 64
    stamp_bits: int = 0

    @property
    def format(self):
        seed, large = self.width + WINDOW_BITS, 2 + WINDOW_BITS + self.width
        stamp = self.stamp_bits
        return BlockFormat(width=self.width, seed_bits=seed, large_max=large, stamp_bits=stamp)

    @property
    def window(self):
        """Layout of a window: its ``leading`` and ``trailing`` zeros, and whether it is ``known``.

        With 31 leading zeros it may have more of them.
        """
        return data.StructLayout(
            {"leading": LEADING_BITS, "trailing": range(self.width), "known": 1}
        )

    @property
    def held(self):
        """Layout of the window in a block: its zeros, ``length``, and ``again``: so many bits has a
        symbol that uses it."""
        length, again = range(MOST_LENGTH + 1), range(MOST_LENGTH + 3)
        return data.StructLayout({"leading": LEADING_BITS, "length": length, "again": again})

    def began(self, seed):
        length = _length(seed[:LENGTH_BITS])
        return {"leading": seed[LENGTH_BITS:], "length": length, "again": length + 2}

    @property
    def number(self):
        """Layout of where bits belong: behind how many zeros, and how many they are."""
        return data.StructLayout({"leading": LEADING_BITS, "length": range(MOST_LENGTH + 1)})

    @property
    def as_they_are(self):
        return {"leading": 0, "length": self.width}

    @property
    def nothing(self):
        """No bits."""
        return {"length": 0}

    def symbol(self, m, rest, held):
        """As a dict of what :func:`~rtl.keyed.codec.change_decoder.symbol_layout` has."""
        width, anew = self.width, Signal()
        told = rest[-2 - WINDOW_BITS : -2]
        whole = Signal(range(2 + WINDOW_BITS + MOST_LENGTH + 1))
        with m.Switch(told[:LENGTH_BITS]):  # a table, as an adder would be in the longest path
            for length in range(1 << LENGTH_BITS):
                with m.Case(length):
                    m.d.comb += whole.eq(2 + WINDOW_BITS + (length or MOST_LENGTH))
        leading, length = Signal(LEADING_BITS), Signal(range(MOST_LENGTH + 1))
        m.d.comb += anew.eq(rest[-1] & rest[-2])
        m.d.comb += [
            leading.eq(Mux(anew, told[LENGTH_BITS:], held.leading)),
            length.eq(Mux(anew, _length(told[:LENGTH_BITS]), held.length)),
        ]
        return {
            "length": Mux(anew, whole, held.again),
            "bits": Mux(anew, rest[: -2 - WINDOW_BITS][-width:], rest[:-2][-width:]),
            "number": {"leading": leading, "length": length},
            "anew": anew,
            "held": {"leading": leading, "length": length, "again": length + 2},
            "wrong": leading + length > width,
        }

    def difference(self, m, bits, number):
        """The bits with zeros before and behind them."""
        behind = (
            C((1 << self.width) - 1, self.width) >> number.length
        )  # comparisons would be carry chains
        return (bits & ~behind) >> number.leading

    def changed(self, value, difference):
        return value ^ difference


def _length(told):
    return Mux(told == 0, MOST_LENGTH, told)


class XorEncoder(Encoder):
    """Finds the symbol of each value from the value before and the window of the key.

    ::

        i --> value before --> XOR --> its zeros --> window of the key --> symbol --> o
              (a Bank)                               (a Bank)

    The two banks do not depend on each other, nor on the fill of blocks. So each bank is a loop of
    its own, and values of one key may come in successive cycles.

    Latency 8 cycles. Initiation interval 1 cycle.

    Source: seed 000, sections 2.1 and 3.4.1.
    """

    latency = 2 * Bank.latency + 4 * StreamRegister.latency

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        value = self.i.p.shape()
        self._known = data.StructLayout({"goes": value, "different": codec.width})
        zeros = {"leading": LEADING_BITS, "trailing": range(codec.width)}
        self._counted = data.StructLayout({**self._known.members, **zeros})
        kind = {"same": 1, "within": 1, "window": codec.window}
        self._chosen = data.StructLayout({**self._known.members, **kind})
        self._befores = Bank(codec.width, entries, value)
        self._windows = Bank(codec.window, entries, self._counted)

    @staticmethod
    def memory_bits_of(codec, entries):
        return sum(Bank.memory_bits_of(e, entries) for e in (codec.width, codec.window))

    def elaborate(self, platform):
        m = Module()
        m.submodules.befores, m.submodules.windows = befores, windows = self._befores, self._windows
        m.submodules.differs = differs = StreamRegister(self._known)
        m.submodules.counted = counted = StreamRegister(self._counted)
        m.submodules.chosen = chosen = StreamRegister(self._chosen)
        m.submodules.symbols = symbols = StreamRegister(self.o.p.shape())
        for source, target in (
            (self.i, befores.i),
            (befores.o, differs.i),
            (differs.o, counted.i),
            (counted.o, windows.i),
            (windows.o, chosen.i),
            (chosen.o, symbols.i),
        ):
            m.d.comb += [target.valid.eq(source.valid), source.ready.eq(target.ready)]
        wiring.connect(m, symbols.o, wiring.flipped(self.o))
        came = befores.o.p.passenger
        different, zeros = differs.o.p.different, counted.i.p
        m.d.comb += [
            befores.i.p.index.eq(self.i.p.entry),
            befores.i.p.passenger.eq(self.i.p),
            befores.next.eq(came.value),
            befores.update.eq(came.valid),
            differs.i.p.goes.eq(came),
            differs.i.p.different.eq(came.value ^ befores.o.p.entry),
            zeros.goes.eq(differs.o.p.goes),
            zeros.different.eq(different),
            zeros.leading.eq(self._at_most(leading_zeros(different))),
            zeros.trailing.eq(trailing_zeros(different)),
            windows.i.p.index.eq(counted.o.p.goes.entry),
            windows.i.p.passenger.eq(counted.o.p),
        ]
        self._choose(m, windows, chosen.i.p)
        self._encode(m, chosen.o.p, symbols.i.p)
        return m

    def _at_most(self, leading):
        return Mux(leading > MOST_LEADING, MOST_LEADING, leading)

    def _choose(self, m, windows, o):
        """Which kind of symbol it is, and the window behind it."""
        found, window = windows.o.p.passenger, windows.o.p.entry
        goes, behind, changes = found.goes, o.window, Signal()
        inside = (found.leading >= window.leading) & (found.trailing >= window.trailing)
        m.d.comb += [
            o.goes.eq(goes),
            o.different.eq(found.different),
            o.same.eq(~found.different.any()),
            o.within.eq(window.known & inside),
            changes.eq(~(o.same | o.within | goes.fresh)),
            behind.known.eq((window.known | changes) & ~goes.fresh),
            behind.leading.eq(Mux(changes, found.leading, window.leading)),
            behind.trailing.eq(Mux(changes, found.trailing, window.trailing)),
            windows.next.eq(behind),
            windows.update.eq(goes.valid),
        ]

    def _encode(self, m, i, o):
        """The symbol of that kind."""
        goes, width, symbol = i.goes, self._codec.width, o.symbol
        length, bits, told = Signal(range(width + 1)), Signal(width), Signal(WINDOW_BITS)
        m.d.comb += [
            length.eq(width - i.window.leading - i.window.trailing),
            bits.eq(i.different << i.window.leading),
            # Highest bits first: a number is told from its last one.
            told.eq(Mux(i.window.known, Cat(length[:LENGTH_BITS], i.window.leading), NO_WINDOW)),
            *(o[name].eq(goes[name]) for name in ALONG),
            symbol.value.eq(goes.value),
            symbol.seed.eq(Cat(told, goes.value)),
        ]
        with m.If(i.same):
            m.d.comb += symbol.large_bits.eq(1)
        with m.Elif(i.within):
            m.d.comb += [
                symbol.large.eq(Cat(C(0, WINDOW_BITS), bits, C(0b10, 2))),
                symbol.large_bits.eq(2 + length),
            ]
        with m.Else():
            m.d.comb += [
                symbol.large.eq(Cat(bits, told, C(0b11, 2))),
                symbol.large_bits.eq(2 + WINDOW_BITS + length),
            ]


ENTRY = CodecEntry(
    name="xor",
    summary="what differs from the value before, for any",
    codec=Xor,
    encoder=XorEncoder,
    decoder=ChangeDecoder,
    takes_floats=True,
    block_steps=change_steps,
    usual_steps=usual_change_steps,
)
