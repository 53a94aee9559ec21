"""SZ for floating point of any size: the unit of the working values follows the values of a key.

Source: seed 000, sections 2.1 and 3.2, for the predictions; the scales are ours.
"""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from golden.codecs.codec import Codec
from golden.codecs.predictions import (
    BOUND_BITS,
    OUTLIER,
    SMALL_BITS,
    interval,
    predictions,
    signed,
)
from golden.codecs.symbols import Bits, BrokenBlockError, Reader, Symbol
from query.types import Type

WORKING_BITS, SCALE_BITS = 24, 8
#: Greatest working value.
WORKING_MAX = (1 << WORKING_BITS - 1) - 1
#: Replaces an outlier's scale and working value, and precedes a value's own bits.
ESCAPE = 1 << WORKING_BITS - 1
#: The unit of a scale is 2^8 times as large as the unit of the scale below, so a scale is the upper
#: bits of an exponent, without its lowest STEP_BITS bits.
STEP_BITS = 3
#: Finest scale: the units of the scales below are subnormal.
SCALE_MIN = 3
#: A key in the scale above a value's natural scale keeps this scale at an outlier only if the
#: outlier has at least 2^12 of its units; else the key changes to the natural scale.
COARSE_BITS = 12
#: Parameters of floats by width: struct's letters, fraction bits, and the exponent's bias.
_FLOATS = {64: ("<d", "<Q", 52, 1023), 32: ("<f", "<I", 23, 127)}


class State(NamedTuple):
    """Scale of a key, and its last three working values; ``a`` is the last."""

    scale: int
    a: int
    b: int
    c: int


@dataclass(frozen=True)
class ScaledSz(Codec):
    """Encodes a floating-point number x as a working value w in units of the key's *scale* k.

    The decoder restores w * 2^(8 k - bias - 16), where the bias is 1023 for doubles and 127 for
    floats of 32 bits. Working values have 23 bits and a sign; scales are from 3 to 255 (to 31 for
    floats of 32 bits). The distance of a restored value from x is never more than the *bound*, the
    greater of ``relative`` / 65536 * |x| and the absolute bound A. In units of a scale A is rounded
    down to a whole number.

    The *natural* scale n of x is the finest one in which the greater of |x| and A is less than 2^23
    units. In scales n and n + 1 the working values within the bound are allowed. In any scale 0 is
    allowed, too, if \\|x| <= A. No other working value is allowed.

    The first of the three predictions of :class:`~golden.codecs.sz.Sz` that is allowed in the key's
    scale becomes w, and the small part 0, 1 or 2 names it. Otherwise the value is an outlier: its
    small part is 3, and its large part is the scale in 8 bits and w in 24 bits, two's complement,
    where w is the allowed working value that is nearest to x / unit, of two the upper one. The
    outlier keeps the key's scale k if a working value is allowed in k, unless k = n + 1 and the
    greater of |x| and A is less than 2^12 units. Otherwise its scale is n.

    After a value w is the new a, a the new b, and b the new c. After an outlier with another scale
    w is the new a, b and c, and the scale is the key's. If no working value is allowed in scale n,
    the value is an escape: its large part is 0 in 8 bits, -2^23 in 24 bits, and the value's own
    bits, and the state stays the same. Before a key's first value the scale is 3, and a, b and c
    are 0.

    The seed of a block is the scale, a, b and c before the block's first value, whose symbol is
    complete.

    For instance with 1 %, where 1000 is 128,000 units of 2^-7, and 2^40 is 2^15 units of 2^25::

        value       1000    1005  1020    1040  1100    1195  2^40
        restored    1000    1000  1020    1040  1100    1200  2^40
        small       3       0     3       1     3       2     3
        scale       129           129           129           133
        w           128000        130560        140800        32768

    Attributes
    ----------
    relative : int
        Bound relative to the value, in 1 / 65536: 655 is just under 1 %.
    absolute : int
        Absolute bound as a floating-point number without its sign: the upper 31 bits of a double,
        or the bits of a float of 32 bits. A subnormal number counts as 0.
    """

    relative: int = 655
    absolute: int = 0

    kind = "float"
    lossy = True
    initial = State(SCALE_MIN, 0, 0, 0)

    @classmethod
    def for_column(
        cls, type_: Type, options: Mapping[str, Any], settings: Mapping[str, int]
    ) -> Self:
        """Returns the codec for a type of floating point, with both settings of the bound."""
        return cls(type_.width, settings["relative"], settings["absolute"])

    def __post_init__(self) -> None:
        absolute_max = (self._power_max << self._bound_fraction) - 1
        for name, high in (("relative", (1 << BOUND_BITS) - 1), ("absolute", absolute_max)):
            if not 0 <= (value := getattr(self, name)) <= high:
                raise ValueError(f"{name} must be from 0 to {high}, not {value}")

    def step(self, state: State, value: int) -> tuple[State, Symbol]:
        """Returns the state after a value, and the value's symbol."""
        natural = self.natural(value)
        if natural is None or (natural_interval := self.interval(value, natural)) is None:
            large = Bits(ESCAPE, SCALE_BITS + WORKING_BITS) + Bits(value, self.width)
            return state, Symbol(large, Bits(OUTLIER, SMALL_BITS))
        interval = self.interval(value, state.scale)
        if interval is not None:
            low, nearest, high = interval
            for small, working in enumerate(predictions(*state[1:])):
                if low <= working <= high:
                    new_state = State(state.scale, working, state.a, state.b)
                    return new_state, Symbol(small=Bits(small, SMALL_BITS))
            if state.scale != natural + 1 or self._is_fine(value, state.scale):
                new_state = State(state.scale, nearest, state.a, state.b)
                return new_state, self._outlier(new_state)
        _, nearest, _ = natural_interval
        new_state = State(natural, nearest, nearest, nearest)
        return new_state, self._outlier(new_state)

    def seed(self, before: State, after: State) -> Bits:
        """Returns the scale and the three working values before a block's first value."""
        seed = Bits(before.scale, SCALE_BITS)
        for working in before[1:]:
            seed += _working_bits(working)
        return seed

    def restore(self, state: State, symbol: Symbol, value: int) -> int:
        """Returns the restored value of a symbol, given the state after the symbol."""
        is_escape = symbol.large.length > SCALE_BITS + WORKING_BITS
        return value if is_escape else self.pattern(state.a, state.scale)

    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on; raises BrokenBlockError."""
        scale = reader.large(SCALE_BITS)
        a, b, c = (signed(reader.large(WORKING_BITS), WORKING_BITS) for _ in range(3))
        values = []
        for _ in range(count):
            small = reader.small(SMALL_BITS)
            new_scale = scale
            if small != OUTLIER:
                working = predictions(a, b, c)[small]
            elif (large := reader.large(SCALE_BITS + WORKING_BITS)) == ESCAPE:
                values.append(reader.large(self.width))
                continue
            else:
                new_scale = large >> WORKING_BITS
                working = signed(large & (1 << WORKING_BITS) - 1, WORKING_BITS)
            if not SCALE_MIN <= new_scale <= self.scale_max or abs(working) > WORKING_MAX:
                raise BrokenBlockError("no value has such a working value")
            if new_scale == scale:
                a, b, c = working, a, b
            else:
                scale, a, b, c = new_scale, working, working, working
            values.append(self.pattern(working, scale))
        return values

    @property
    def scale_max(self) -> int:
        """Coarsest scale: the natural scale of the greatest value."""
        return self._power_max >> STEP_BITS

    def unit(self, scale: int) -> int:
        """Returns the exponent of the unit of a scale."""
        return (scale << STEP_BITS) - _FLOATS[self.width][3] - (1 << STEP_BITS + 1)

    def natural(self, value: int) -> int | None:
        """Returns the natural scale of a value; None for NaN and infinities."""
        power = self._power(value)
        if power == self._power_max:
            return None
        return max((max(power, self._absolute_power) + 1) >> STEP_BITS, SCALE_MIN)

    def interval(self, value: int, scale: int) -> tuple[int, int, int] | None:
        """Returns the least, nearest and greatest allowed working value of a finite value.

        The three are exact. Returns None if no working value is allowed. For instance 1000 with a
        bound of 9.99 has 126,721, 128,000 and 129,279 in scale 129, and 496, 500 and 504 in 130.
        """
        natural = self.natural(value)
        assert natural is not None
        if natural <= scale <= natural + 1:
            numerator, denominator = self._in_units(value, scale)
            absolute = self._absolute_in_units(scale)
            bound = max(self.relative * abs(numerator), absolute * denominator << BOUND_BITS)
            within = interval(numerator, denominator, bound, -WORKING_MAX, WORKING_MAX)
            if within is not None:
                return within
        return (0, 0, 0) if self._zero_is_allowed(value) else None

    def pattern(self, working: int, scale: int) -> int:
        """Returns the value that a decoder restores for a working value."""
        real, pattern, _, _ = _FLOATS[self.width]
        number = math.ldexp(working, self.unit(scale))
        return struct.unpack(pattern, struct.pack(real, number))[0]

    @property
    def _power_max(self):
        """Biased exponent of NaN and of the infinities."""
        return (1 << self.width - 1 - _FLOATS[self.width][2]) - 1

    @property
    def _bound_fraction(self):
        """Fraction bits of the absolute bound."""
        return _FLOATS[self.width][2] - (self.width - 32)

    @property
    def _absolute_power(self):
        """Biased exponent of the absolute bound; 0 for a bound of 0."""
        return self.absolute >> self._bound_fraction

    def _power(self, value):
        """Returns the biased exponent of a value."""
        return value >> _FLOATS[self.width][2] & self._power_max

    def _in_units(self, value, scale):
        """Returns a finite value as an exact fraction (numerator, denominator) of units."""
        _, _, fraction_bits, bias = _FLOATS[self.width]
        power = self._power(value)
        number = value & (1 << fraction_bits) - 1 | (power > 0) << fraction_bits
        number = -number if value >> self.width - 1 else number
        up = max(power, 1) - bias - fraction_bits - self.unit(scale)
        return number << max(up, 0), 1 << max(-up, 0)

    def _absolute_in_units(self, scale):
        """Returns the absolute bound in units of a scale, rounded down."""
        if not self._absolute_power:
            return 0
        numerator, denominator = self._in_units(self.absolute << self.width - 32, scale)
        return numerator // denominator

    def _zero_is_allowed(self, value):
        """Returns True if the size of a value is at most the absolute bound."""
        absolute = self.absolute << self.width - 32 if self._absolute_power else 0
        return value & (1 << self.width - 1) - 1 <= absolute

    def _is_fine(self, value, scale):
        """Returns True if value or bound have at least 2^12 units of the scale."""
        power = max(self._power(value), self._absolute_power)
        return power - _FLOATS[self.width][3] - self.unit(scale) >= COARSE_BITS

    def _outlier(self, state):
        """Returns the symbol of an outlier, from the state after it."""
        large = Bits(state.scale, SCALE_BITS) + _working_bits(state.a)
        return Symbol(large, Bits(OUTLIER, SMALL_BITS))


def _working_bits(working):
    return Bits(working & (1 << WORKING_BITS) - 1, WORKING_BITS)
