"""Encodes floating-point values of any size by SZ, in units that follow the values of a key."""

from dataclasses import dataclass

from amaranth.hdl import C, Cat, Mux, Signal, signed
from amaranth.lib import data

from rtl.keyed.codec.block_format import PASSED_ON, BlockFormat
from rtl.keyed.codec.codec import Codec
from rtl.keyed.codec.sz.interval import FLOATS, bound_layout
from rtl.keyed.codec.sz.scaled_interval import (
    SCALE_BITS,
    SCALE_MIN,
    STEP,
    STEP_BITS,
    WORKING,
    WORKING_BITS,
    WORKING_MAX,
    ScaledSzInterval,
)
from rtl.keyed.codec.sz.sz import (
    CONSTANT,
    LINEAR,
    OUTLIER,
    POLYNOMIAL,
    SMALL_BITS,
    SzEncoder,
    kept_differences,
    predictions,
)
from rtl.memory.bank import Bank
from rtl.stream.register import StreamRegister

OUTLIER_BITS = SCALE_BITS + WORKING_BITS
#: The 32 bits of an outlier that mark an escape: scale 0, and the pattern of -2^23, which is no
#: working value.
ESCAPE = 1 << WORKING_BITS - 1


@dataclass(frozen=True)
class ScaledSz(Codec):
    """Encodes a floating-point number x as a working value w in units of the key's *scale*.

    The decompressed value is w * 2^(8 scale - bias - 16), with the bias of the type. Its error is
    at most the bound, which the host sets: the greater of ``relative`` / 65536 * |x| and an
    absolute number. The small part names the first allowed prediction, as in
    :class:`~rtl.keyed.codec.sz.sz.Sz`. Working values within the bound are allowed in the value's
    natural scale and in the scale above; in other scales only 0 is allowed, if the value is at most
    the absolute bound. The *natural scale* is the finest one in which the value and its absolute
    bound have at most 23 bits. The large part of an outlier has a scale in 8 bits and w in 24 bits.
    The key gets this scale. If the key had another scale, the last three working values, a, b and
    c, all become w; else c becomes b, b becomes a, and a becomes w, as after a prediction. If no
    working value is within the bound, the value is an *escape*: scale 0, -2^23 in place of w, and
    the value's own bits.

    The seed of a block is the scale, a, b and c before its first value. So the first value needs
    its whole symbol, too. For instance with a relative bound of 1 %::

        value       1000    1005  1020    1040  1100    1195  2^40
        comes out   1000    1000  1020    1040  1100    1200  2^40
        small       3       0     3       1     3       2     3
        scale       129           129           129           133
        w           128000        130560        140800        32768

    Attributes
    ----------
    width : int
        Bits of a value: 32 or 64.
    stamp_bits : int
        Bits of a block's stamp, see :class:`~rtl.keyed.codec.block_format.BlockFormat`.

    Source: seed 000, sections 2.1 and 3.2; the scales are ours.
    """

    width: int = 64
    stamp_bits: int = 0

    kind = "float"
    working_bits = WORKING_BITS
    scale_bits = SCALE_BITS
    least = -WORKING_MAX
    most = WORKING_MAX

    @property
    def format(self):
        return BlockFormat(
            width=self.width,
            seed_bits=SCALE_BITS + 3 * WORKING_BITS,
            large_max=OUTLIER_BITS + self.width,
            small_bits=SMALL_BITS,
            first_has_large=True,
            error_bound=bound_layout(),
            stamp_bits=self.stamp_bits,
        )

    @property
    def state(self):
        """Layout of a key's scale and its last three working values; ``a`` is the last one."""
        return data.StructLayout(dict.fromkeys("cba", WORKING) | {"scale": SCALE_BITS})

    @property
    def scale_max(self):
        """The coarsest scale, which is the natural scale of the greatest value."""
        return (1 << FLOATS[self.width][1] - STEP_BITS) - 1

    def outlier(self, large):
        """Returns working value and scale of an outlier, and whether it is an escape."""
        outlier = large[-OUTLIER_BITS:]
        number = outlier[:WORKING_BITS].as_signed()
        scale = outlier[WORKING_BITS:]
        return number, scale, outlier == C(ESCAPE, OUTLIER_BITS)

    def scale_of(self, last_values):
        """Returns the scale of the last working values."""
        return last_values.scale

    def power(self, scale, zeros):
        """Returns the biased exponent of a working value with ``zeros`` leading zeros."""
        return Cat(C(STEP - 1, STEP_BITS), scale) - zeros


class ScaledSzEncoder(SzEncoder):
    """Finds the symbol of each value from the scale and the last working values of its key.

    ::

        i --> ScaledSzInterval --> scale and working values --> symbol --> o
              allowed values in    of the key  (a Bank)
              two scales

    The allowed working values in a value's natural scale and in the scale above do not depend on
    earlier values. In other scales only 0 is allowed. So the feedback loop from one value of a key
    to the next has the differences a - b and b - c, the sums of the two predictions, comparisons
    with both ends of the interval, a selection, and a choice by the key's scale.

    Latency that of :class:`~rtl.keyed.codec.sz.scaled_interval.ScaledSzInterval` and 3 cycles.
    Initiation interval 1 cycle.

    Source: seed 000, sections 2.1 and 3.4.1; the scales, and a loop without interleaved keys, are
    ours.
    """

    latency = ScaledSzInterval.latency + Bank.latency + StreamRegister.latency
    _interval_type = ScaledSzInterval

    def _encode(self, m, states, o):
        """Builds the symbol, and stores the scale and the working values after it.

        Every value has the large part of an outlier or of an escape here. `_output` clears it
        behind the register if a prediction fits.
        """
        values = states.o.p.passenger
        item = values.passenger
        natural = values.natural
        symbol = o.symbol
        last = Signal(self._codec.state)
        allowed = Signal(natural.shape())
        is_escape = Signal()
        keeps_scale = Signal()
        leaves_scale = Signal()
        working = Signal(WORKING)
        guesses, fits = self._fits(m, last, allowed)
        m.d.comb += [
            last.eq(states.o.p.entry),
            keeps_scale.eq(self._select(m, last.scale, values, allowed)),
            is_escape.eq(~natural.some),
            leaves_scale.eq(~(fits.any() | keeps_scale)),
            symbol.small.eq(
                Mux(fits[0], CONSTANT, Mux(fits[1], LINEAR, Mux(fits[2], POLYNOMIAL, OUTLIER)))
            ),
            working.eq(Mux(keeps_scale, allowed.nearest, natural.nearest)),
            states.next.scale.eq(Mux(leaves_scale, values.scale, last.scale)),
            states.next.a.eq(working),
            states.next.b.eq(Mux(leaves_scale, natural.nearest, last.a)),
            states.next.c.eq(Mux(leaves_scale, natural.nearest, last.b)),
            states.update.eq(item.valid),
            *(o[name].eq(item[name]) for name in PASSED_ON),
            symbol.value.eq(item.value),
            symbol.large[-OUTLIER_BITS:].eq(
                Mux(
                    keeps_scale,
                    Cat(allowed.nearest, last.scale),
                    Cat(natural.nearest, values.scale),
                )
            ),
            symbol.large_bits.eq(OUTLIER_BITS),
            symbol.seed.eq(last),
            symbol.first.eq(symbol.small),
        ]
        with m.If(item.fresh):
            m.d.comb += last.eq(Cat(C(0, 3 * WORKING_BITS), C(SCALE_MIN, SCALE_BITS)))
        for fit, guess in reversed(list(zip(fits, guesses, strict=True))):
            with m.If(fit):
                m.d.comb += working.eq(guess)
        with m.If(is_escape):
            m.d.comb += [
                states.next.eq(last),
                symbol.large.eq(Cat(item.value, C(ESCAPE, OUTLIER_BITS))),
                symbol.large_bits.eq(OUTLIER_BITS + self._codec.width),
            ]

    def _select(self, m, scale, values, allowed):
        """Selects the allowed working values in the key's scale.

        Returns a bit that is high if an outlier stays in this scale.
        """
        is_natural = Signal()
        is_above = Signal()
        m.d.comb += [
            is_natural.eq(scale == values.scale),
            is_above.eq(scale == values.scale_above),
            allowed.eq(Mux(is_natural, values.natural, Mux(is_above, values.coarse, 0))),
        ]
        with m.If(~(is_natural | is_above)):
            m.d.comb += allowed.some.eq(values.zero)
        return Mux(is_above, values.coarse.some & values.fine, Mux(is_natural, 1, values.zero))

    def _fits(self, m, last, allowed):
        """Returns the predictions, and a mask of the allowed predictions."""
        guesses = [Signal(signed(WORKING_BITS + 4), name=f"guess{k}") for k in range(3)]
        fits = Signal(3)
        predicted = predictions(last, kept_differences(m, last))
        m.d.comb += [
            *(g.eq(p) for g, p in zip(guesses, (last.a, *predicted), strict=True)),
            fits.eq(Cat(allowed.some & (g >= allowed.low) & (g <= allowed.high) for g in guesses)),
        ]
        return guesses, fits
