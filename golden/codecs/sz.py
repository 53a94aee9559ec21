"""Encodes values by predictions within a bound: the lossy codec for all types of numbers.

Source: seed 000, sections 2.1 and 3.2, figures 5 and 8 (SZ, IPDPS 2016, with its predictions, but
with outliers as numbers of 32 bits).
"""

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from golden.codecs.codec import Codec
from golden.codecs.predictions import (
    BOUND_BITS,
    OUTLIER,
    SMALL_BITS,
    interval,
    predictions,
    signed,
)
from golden.codecs.scaled_sz import ScaledSz
from golden.codecs.symbols import Bits, BrokenBlockError, Reader, Symbol
from query.types import Type

State = tuple[int, int, int]
WORKING_BITS = 32
#: Replaces an outlier's working value, and precedes a value's own bits.
ESCAPE = 1 << WORKING_BITS - 1
#: Parameters of floats by width: struct's letters, the magnitude bits of a working value, and the
#: exponents with which no working value but 0 is subnormal or infinite.
_FLOATS = {64: ("<d", "<Q", 31, (-1022, 993)), 32: ("<f", "<I", 24, (-126, 104))}


@dataclass(frozen=True)
class Sz(Codec):
    """Encodes a value, a real number x, as a *working value* w, a whole number.

    The decoder restores w * 2^``exponent``. Its distance from x is never more than the *bound*, the
    greater of ``relative`` / 65536 * |x| and ``absolute`` * 2^``exponent``. So the working values
    that may represent x form an interval, restricted to the working values of the value's type.
    Three predictions follow from the last three working values a (the last), b and c. The first
    prediction in the interval becomes w, and the small part of 2 bits names this prediction:

    - 0, constant: a
    - 1, linear: 2a - b
    - 2, polynomial: 3a - 3b + c
    - 3, outlier: no prediction lies in the interval. The large part holds the nearest working
      value in 32 bits, two's complement: w = floor(x / 2^``exponent`` + 1/2), the upper of two
      equally near values.

    Then w is the new a, a the new b, and b the new c. If no working value may represent x, the
    value is an *escape*: its small part is 3, and its large part holds -2^31, which is no working
    value, and the value's own bits. The decoder restores an escape exactly, and a, b and c stay the
    same. They are 0 before a key's first value.

    The seed of a block is a, b and c before the block's first value, whose symbol is complete.

    For instance with 1 %::

        value       1000  1005  1020  1040  1100  1195  2^40
        restored    1000  1000  1020  1040  1100  1200  2^40
        small       3     0     3     1     3     2     3
        large       1000        1020        1100        -2^31, 2^40

    Attributes
    ----------
    kind : str
        Type of a value: ``signed``, ``unsigned`` or ``float``.
    exponent : int
        Exponent of the unit of a working value. The unit is 2^``exponent`` times 1 for integers (0
        to ``width`` - 1), and times 1.0 for floats (-1022 to 993, or with 32 bits -126 to 104).
    relative : int
        Bound relative to the value, in 1 / 65536: 655 is just under 1 %.
    absolute : int
        Bound of small values, in working values.
    bits : int or None
        Width of the type of integers, if it is less than ``width``: restored values fit this type.

    Notes
    -----
    Working values have at most 31 bits and a sign. For floats of 32 bits they have 24 bits and a
    sign, so that every working value is a float. NaN and the infinities are escapes. -0.0 is
    restored as 0.0.
    """

    kind: str = "signed"
    exponent: int = 0
    relative: int = 655
    absolute: int = 0
    bits: int | None = None

    #: The state is a, b and c.
    initial = (0, 0, 0)
    lossy = True

    @classmethod
    def for_column(
        cls, type_: Type, options: Mapping[str, Any], settings: Mapping[str, int]
    ) -> "Sz | ScaledSz":
        """Returns the codec with the option ``exponent`` and both settings of the bound.

        With the exponent ``adaptive``, the default for floating point, each key has a scale.
        """
        if options["exponent"] == "adaptive":
            return ScaledSz.for_column(type_, options, settings)
        return cls(
            width=32 if type_.width <= 32 else 64,
            kind="float" if type_.floating else "signed" if type_.signed else "unsigned",
            exponent=options["exponent"],
            relative=settings["relative"],
            absolute=settings["absolute"],
            bits=None if type_.floating else type_.width,
        )

    def __post_init__(self) -> None:
        if self.kind not in ("signed", "unsigned", "float"):
            raise ValueError(f"kind must be signed, unsigned or float, not {self.kind}")
        low_exponent, high_exponent = (
            _FLOATS[self.width][3] if self.kind == "float" else (0, self.width - 1)
        )
        for name, low, high in (
            ("exponent", low_exponent, high_exponent),
            ("relative", 0, (1 << BOUND_BITS) - 1),
            ("absolute", 0, (1 << WORKING_BITS - 1) - 1),
        ):
            if not low <= getattr(self, name) <= high:
                value = getattr(self, name)
                raise ValueError(f"{name} must be from {low} to {high}, not {value}")

    def step(self, state: State, value: int) -> tuple[State, Symbol]:
        """Returns the state after a value, and the value's symbol."""
        interval = self.interval(value)
        if interval is None:
            large = Bits(ESCAPE, WORKING_BITS) + Bits(value, self.width)
            return state, Symbol(large, Bits(OUTLIER, SMALL_BITS))
        low, nearest, high = interval
        for small, working in enumerate(predictions(*state)):
            if low <= working <= high:
                return (working, *state[:2]), Symbol(small=Bits(small, SMALL_BITS))
        large = Bits(nearest & (1 << WORKING_BITS) - 1, WORKING_BITS)
        return (nearest, *state[:2]), Symbol(large, Bits(OUTLIER, SMALL_BITS))

    def seed(self, before: State, after: State) -> Bits:
        """Returns the three working values before a block's first value."""
        a, b, c = (Bits(w & (1 << WORKING_BITS) - 1, WORKING_BITS) for w in before)
        return a + b + c

    def restore(self, state: State, symbol: Symbol, value: int) -> int:
        """Returns the restored value of a symbol, given the state after the symbol."""
        is_escape = symbol.large.length > WORKING_BITS
        return value if is_escape else self.pattern(state[0])

    def decode(self, reader: Reader, count: int) -> list[int]:
        """Returns the values of a block, read from its seed on; raises BrokenBlockError."""
        a, b, c = (signed(reader.large(WORKING_BITS), WORKING_BITS) for _ in range(3))
        state = a, b, c
        values = []
        for _ in range(count):
            small = reader.small(SMALL_BITS)
            if small != OUTLIER:
                working = predictions(*state)[small]
            elif (large := reader.large(WORKING_BITS)) == ESCAPE:
                values.append(reader.large(self.width))
                continue
            else:
                working = signed(large, WORKING_BITS)
            if not self.working_min <= working <= self.working_max:
                raise BrokenBlockError("no value has such a working value")
            state = (working, *state[:2])
            values.append(self.pattern(working))
        return values

    @property
    def working_min(self) -> int:
        """Least working value that represents a value of the type."""
        if self.kind == "float":
            return -self.working_max
        in_type = 1 << (self.bits or self.width) - 1 >> self.exponent
        return -min(in_type, (1 << WORKING_BITS - 1) - 1) if self.kind == "signed" else 0

    @property
    def working_max(self) -> int:
        """Greatest working value that represents a value of the type."""
        if self.kind == "float":
            return (1 << _FLOATS[self.width][2]) - 1
        bits = (self.bits or self.width) - (self.kind == "signed")
        return min((1 << bits) - 1 >> self.exponent, (1 << WORKING_BITS - 1) - 1)

    def interval(self, value: int) -> tuple[int, int, int] | None:
        """Returns the least, nearest and greatest working value that may represent a value.

        The three are exact. Returns None if no working value may represent the value. For instance
        1000 with a bound of 9.99 has 991, 1000 and 1009.
        """
        real = self._real(value)
        if real is None:
            return None
        numerator, denominator = real
        bound = max(self.relative * abs(numerator), self.absolute * denominator << BOUND_BITS)
        return interval(numerator, denominator, bound, self.working_min, self.working_max)

    def pattern(self, working: int) -> int:
        """Returns the value that a decoder restores for a working value."""
        if self.kind != "float":
            return working << self.exponent & (1 << self.width) - 1
        real, pattern, _, _ = _FLOATS[self.width]
        return struct.unpack(pattern, struct.pack(real, math.ldexp(working, self.exponent)))[0]

    def _real(self, value):
        """Returns a value as an exact fraction in units of working values; None if not finite."""
        if self.kind != "float":
            number = signed(value, self.width) if self.kind == "signed" else value
            return number, 1 << self.exponent
        real, pattern, _, _ = _FLOATS[self.width]
        (number,) = struct.unpack(real, struct.pack(pattern, value))
        if not math.isfinite(number):
            return None
        numerator, denominator = number.as_integer_ratio()
        return numerator << max(-self.exponent, 0), denominator << max(self.exponent, 0)


#: A model of SZ, which has the ``kind`` of its values.
AnySz = Sz | ScaledSz
