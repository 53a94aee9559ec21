"""Predictions within a bound: the lossy codec for integers, fixed and floating point."""

from dataclasses import dataclass

from amaranth.hdl import C, Cat, Module, Mux, Signal, signed
from amaranth.lib import data

from rtl.keyed.codec.block_format import PASSED_ON, BlockFormat
from rtl.keyed.codec.codec import Codec, Encoder
from rtl.keyed.codec.sz.interval import (
    FLOATS,
    WORKING,
    WORKING_BITS,
    SzInterval,
    bound_layout,
)
from rtl.memory.bank import Bank
from rtl.stream.register import StreamRegister

SMALL_BITS = 2
CONSTANT, LINEAR, POLYNOMIAL, OUTLIER = range(4)
#: -ESCAPE is -2^31, which marks an escape in place of an outlier: no working value is -2^31.
ESCAPE = 1 << WORKING_BITS - 1
#: Bits of the greatest working value, by the width of a float. A signed working value of 32 bits
#: has 31; a float of 32 bits has only 24 significant bits.
_SIZES = {64: 31, 32: 24}
#: Range of the exponent by the width of a float: every working value is a float, and no working
#: value but 0 is subnormal.
EXPONENTS = {64: (-1022, 993), 32: (-126, 104)}


@dataclass(frozen=True)
class Sz(Codec):
    """Encodes a real number x as a *working value* w, a whole number.

    The decompressed value is w * 2^``exponent``. Its error is at most the bound, which the host
    sets: the greater of ``relative`` / 65536 * |x| and ``absolute`` * 2^``exponent``. Three
    predictions follow from the last three working values, a (the last), b and c. The small part
    names the first prediction within the bound:

    - 0, constant: a
    - 1, linear: 2a - b
    - 2, polynomial: 3a - 3b + c
    - 3, outlier, no prediction: the large part has the nearest working value, in 32 bits. If no
      working value is within the bound, the value is an *escape*: -2^31 and the value's own bits.

    The seed of a block is a, b and c before its first value, so the first value has its whole
    symbol. For instance with 1 %::

        value       1000  1005  1020  1040  1100  1195  2^40
        comes out   1000  1000  1020  1040  1100  1200  2^40
        small       3     0     3     1     3     2     3
        large       1000        1020        1100        -2^31, 2^40

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    kind : str
        Type of a value: ``signed``, ``unsigned`` or ``float``.
    exponent : int
        Exponent of the unit of a working value: the unit is 2^``exponent``. For integers 0 to
        ``width`` - 1, for floats -1022 to 993, or with 32 bits -126 to 104.
    bits : int or None
        Bits of an integer type that is narrower than ``width``: decompressed values fit the type.
    stamp_bits : int
        Bits of a block's stamp, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: seed 000, sections 2.1 and 3.2, figures 5 and 8; whole numbers in place of floating
    point are ours.
    """

    width: int = 64
    kind: str = "signed"
    exponent: int = 0
    bits: int | None = None
    stamp_bits: int = 0

    working_bits = WORKING_BITS
    scale_bits = 0

    @property
    def format(self):
        return BlockFormat(
            width=self.width,
            seed_bits=3 * WORKING_BITS,
            large_max=WORKING_BITS + self.width,
            small_bits=SMALL_BITS,
            first_has_large=True,
            error_bound=bound_layout(),
            stamp_bits=self.stamp_bits,
        )

    @property
    def state(self):
        """Layout of the last three working values; ``a`` is the last one."""
        return data.StructLayout(dict.fromkeys("cba", WORKING))

    @property
    def least(self):
        """The least working value whose value fits the type."""
        if self.kind == "float":
            return -self.most
        in_type = 1 << (self.bits or self.width) - 1 >> self.exponent
        return -min(in_type, ESCAPE - 1) if self.kind == "signed" else 0

    @property
    def most(self):
        """The greatest working value whose value fits the type."""
        if self.kind == "float":
            return (1 << _SIZES[self.width]) - 1
        bits = (self.bits or self.width) - (self.kind == "signed")
        return min((1 << bits) - 1 >> self.exponent, ESCAPE - 1)

    def outlier(self, large):
        """Returns working value and scale of an outlier, and whether it is an escape.

        ``large`` begins, at its top, with the large part of the outlier.
        """
        number = large[-WORKING_BITS:].as_signed()
        return number, C(0, 0), number == -ESCAPE

    def scale_of(self, last_values):
        """Returns the scale of the last working values: there is none."""
        return C(0, 0)

    def power(self, scale, zeros):
        """Returns the biased exponent of a float's working value with so many leading zeros."""
        bias = (1 << FLOATS[self.width][1] - 1) - 1
        return bias + self.exponent + WORKING_BITS - 1 - zeros


def predictions(state, differences=None):
    """Returns the linear and the polynomial prediction, as wide as their sums.

    ``differences`` are a - b and b - c, if the caller has their signals.
    """
    a = state.a
    b = state.b
    c = state.c
    last, before = differences or (a - b, b - c)
    return a + last, a + (last << 1) - before


def kept_differences(m, state):
    """Returns a - b and b - c, as signals for :func:`predictions`.

    The attribute ``keep`` gives each difference a carry chain of its own. Without it Yosys merges
    both into one sum of four terms, which makes the loop of a key a LUT deeper.
    """
    pairs = {"last_difference": (state.a, state.b), "difference_before": (state.b, state.c)}
    signals = [Signal(signed(WORKING_BITS + 1), name=name, attrs={"keep": 1}) for name in pairs]
    m.d.comb += [s.eq(x - y) for s, (x, y) in zip(signals, pairs.values(), strict=True)]
    return signals


class SzEncoder(Encoder):
    """Finds the symbol of each value from the last three working values of the value's key.

    ::

        i --> SzInterval --> working values of the key --> symbol --> o
              working values  (a Bank)
              within the bound

    The interval does not depend on earlier values, so only the sums of two predictions, comparisons
    with the two ends of the interval and a selection are left in the loop of a key.

    Latency that of :class:`~rtl.keyed.codec.sz.interval.SzInterval` and 3 cycles.
    Initiation interval 1 cycle.

    Source: seed 000, sections 2.1 and 3.4.1; a loop without interleaved keys is ours.
    """

    latency = SzInterval.latency + Bank.latency + StreamRegister.latency
    _interval_type = SzInterval

    def __init__(self, codec, entries, passenger=0):
        super().__init__(codec, entries, passenger)
        self._interval = self._interval_type(codec, self.i.p.shape())
        self._states = Bank(codec.state, entries, self._interval.o.p.shape())

    @staticmethod
    def memory_bits_of(codec, entries):
        return Bank.memory_bits_of(codec.state, entries)

    def elaborate(self, platform):
        m = Module()
        m.submodules.interval = interval = self._interval
        m.submodules.states = states = self._states
        m.submodules.symbols = symbols = StreamRegister(self.o.p.shape())
        m.d.comb += [
            interval.i.valid.eq(self.i.valid),
            self.i.ready.eq(interval.i.ready),
            interval.i.p.value.eq(self.i.p.value),
            interval.i.p.bound.eq(self.i.p.bound),
            interval.i.p.passenger.eq(self.i.p),
            states.i.valid.eq(interval.o.valid),
            interval.o.ready.eq(states.i.ready),
            states.i.p.index.eq(interval.o.p.passenger.entry),
            states.i.p.passenger.eq(interval.o.p),
            symbols.i.valid.eq(states.o.valid),
            states.o.ready.eq(symbols.i.ready),
        ]
        self._encode(m, states, symbols.i.p)
        self._output(m, symbols.o)
        return m

    def _output(self, m, symbols):
        """Drives the output with the symbols, and clears the large part unless it is an outlier.

        The large part is cleared after the register, because the small part is the last result of
        the loop of a key.
        """
        symbol = self.o.p.symbol
        m.d.comb += [
            self.o.valid.eq(symbols.valid),
            symbols.ready.eq(self.o.ready),
            self.o.p.eq(symbols.p),
        ]
        with m.If(symbols.p.symbol.small != OUTLIER):
            m.d.comb += [symbol.large.eq(0), symbol.large_bits.eq(0)]

    def _encode(self, m, states, o):
        """Builds the symbol, and stores the working values after it.

        Every value has the large part of an outlier or of an escape here. `_output` clears it
        behind the register if a prediction fits.
        """
        bounds = states.o.p.passenger
        item = bounds.passenger
        width = self._codec.width
        last_values = Signal(self._codec.state)
        working = Signal(WORKING)
        linear, polynomial = predictions(last_values, kept_differences(m, last_values))
        guesses = [Signal(signed(WORKING_BITS + 4), name=f"guess{k}") for k in range(3)]
        fits = Signal(3)
        symbol = o.symbol
        is_escape = Signal()
        m.d.comb += [
            last_values.eq(Mux(item.fresh, 0, states.o.p.entry)),
            *(g.eq(p) for g, p in zip(guesses, (last_values.a, linear, polynomial), strict=True)),
            fits.eq(Cat(bounds.some & (g >= bounds.low) & (g <= bounds.high) for g in guesses)),
            symbol.small.eq(
                Mux(fits[0], CONSTANT, Mux(fits[1], LINEAR, Mux(fits[2], POLYNOMIAL, OUTLIER)))
            ),
            working.eq(bounds.nearest),
            is_escape.eq(~bounds.some),
            states.next.a.eq(Mux(is_escape, last_values.a, working)),
            states.next.b.eq(Mux(is_escape, last_values.b, last_values.a)),
            states.next.c.eq(Mux(is_escape, last_values.c, last_values.b)),
            states.update.eq(item.valid),
            *(o[name].eq(item[name]) for name in PASSED_ON),
            symbol.value.eq(item.value),
            symbol.large[-WORKING_BITS:].eq(bounds.nearest),
            symbol.large_bits.eq(WORKING_BITS),
            symbol.seed.eq(last_values),
            symbol.first.eq(symbol.small),
        ]
        for fit, guess in reversed(list(zip(fits, guesses, strict=True))):
            with m.If(fit):
                m.d.comb += working.eq(guess)
        with m.If(is_escape):
            m.d.comb += [
                symbol.large.eq(Cat(item.value, C(ESCAPE, WORKING_BITS))),
                symbol.large_bits.eq(WORKING_BITS + width),
            ]
