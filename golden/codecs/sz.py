"""Predictions within a bound: the lossy codec for integers, fixed and floating point.

Source: seed 000, sections 2.1 and 3.2, figures 5 and 8 (SZ, IPDPS 2016; its predictions are kept,
and its outliers are numbers of 32 bits).
"""

import math
import struct
from dataclasses import dataclass

from golden.codecs.blocks import Bits, BrokenBlockError, Symbol, decompress, is_coded, opened

WORKING_BITS, SMALL_BITS, BOUND_BITS = 32, 2, 16
OUTLIER = 3
#: In place of an outlier, before a value's own bits.
ESCAPE = 1 << WORKING_BITS - 1
#: By width, of floats: struct's letters, the bits of a working value's size, and the exponents, of
#: which no working value but 0 is subnormal or infinite.
_FLOATS = {64: ("<d", "<Q", 31, (-1022, 993)), 32: ("<f", "<I", 24, (-126, 104))}


@dataclass(frozen=True)
class Sz:
    """A value stands for a real number x, and is kept as a *working value* w, a whole number.

    What comes out is w * 2^``exponent``, never further from x than the *bound*, the greater of
    ``relative`` / 65536 * |x| and ``absolute`` * 2^``exponent``. So a value has an interval of
    working values that may stand for it, and of those only such as its type has. Three predictions
    follow from the last three working values, a (the last), b and c. The first that lies in the
    interval is taken, and named by the small part of 2 bits:

    - 0, constant: a
    - 1, linear: 2a - b
    - 2, polynomial: 3a - 3b + c
    - 3, outlier: none of them. The large part has the nearest working value, in 32 bits, two's
      complement; of two the upper one, floor(x / 2^``exponent`` + 1/2).

    Then w is the new a. Where no working value may stand for x, the value is an *escape*: 3, and a
    large part of -2^31, which no working value is, and of the value's own bits. It comes out as it
    was, and a, b and c stay. They are 0 before a key's first value.

    The seed of a block is a, b and c before its first value, which has its whole symbol.

    For instance with 1 %::

        value       1000  1005  1020  1040  1100  1195  2^40
        comes out   1000  1000  1020  1040  1100  1200  2^40
        small       3     0     3     1     3     2     3
        large       1000        1020        1100        -2^31, 2^40

    Attributes
    ----------
    width : int
        Of a value: 64, or 32.
    kind : str
        What a value is: ``signed``, ``unsigned`` or ``float``.
    exponent : int
        Of what one unit of a working value is: for integers in units of them, 0 to ``width`` - 1;
        for floats of 1.0, -1022 to 993, or with 32 bits -126 to 104.
    relative : int
        The bound as a part of the value, in 1 / 65536: 655 is just under 1 %.
    absolute : int
        The bound of small values, in working values.
    bits : int or None
        Of the type of integers, if it is less than the ``width``: what comes out is of the type.

    Notes
    -----
    Working values have at most 31 bits and a sign; those of floats of 32 bits have 24, so that each
    of them is a float. NaN and the infinities are escapes. -0.0 comes out as 0.0.
    """

    width: int = 64
    kind: str = "signed"
    exponent: int = 0
    relative: int = 655
    absolute: int = 0
    bits: int | None = None

    #: a, b and c.
    initial = (0, 0, 0)

    def __post_init__(self):
        if self.kind not in ("signed", "unsigned", "float"):
            raise ValueError(f"kind must be signed, unsigned or float, not {self.kind}")
        least, most = _FLOATS[self.width][3] if self.kind == "float" else (0, self.width - 1)
        for name, low, high in (
            ("exponent", least, most),
            ("relative", 0, (1 << BOUND_BITS) - 1),
            ("absolute", 0, (1 << WORKING_BITS - 1) - 1),
        ):
            if not low <= getattr(self, name) <= high:
                given = getattr(self, name)
                raise ValueError(f"{name} must be from {low} to {high}, not {given}")

    def step(self, state, value):
        """The state behind a value, and the value's symbol."""
        interval = self.interval(value)
        if interval is None:
            large = Bits(ESCAPE, WORKING_BITS) + Bits(value, self.width)
            return state, Symbol(large, Bits(OUTLIER, SMALL_BITS))
        low, nearest, high = interval
        for small, working in enumerate(_predictions(state)):
            if low <= working <= high:
                return (working, *state[:2]), Symbol(small=Bits(small, SMALL_BITS))
        large = Bits(nearest & (1 << WORKING_BITS) - 1, WORKING_BITS)
        return (nearest, *state[:2]), Symbol(large, Bits(OUTLIER, SMALL_BITS))

    def seed(self, before, after):
        a, b, c = (Bits(w & (1 << WORKING_BITS) - 1, WORKING_BITS) for w in before)
        return a + b + c

    def first(self, symbol):
        """All of it: the seed is what was before the value."""
        return symbol

    def stands(self, state, symbol, value):
        """What comes out for a value, of this symbol and with this state behind it."""
        own = symbol.large.length > WORKING_BITS
        return value if own else self.pattern(state[0])

    def decode(self, reader, count):
        """The values of a block from its seed on; raises BrokenBlockError."""
        return [v if own else self.pattern(v) for own, v in self.read(reader, count)]

    def read(self, reader, count):
        """(True, an escape's own bits) or (False, a working value), from the seed on."""
        state = tuple(_signed(reader.large(WORKING_BITS), WORKING_BITS) for _ in range(3))
        read = []
        for _ in range(count):
            small = reader.small(SMALL_BITS)
            if small != OUTLIER:
                working = _predictions(state)[small]
            elif (large := reader.large(WORKING_BITS)) == ESCAPE:
                read.append((True, reader.large(self.width)))
                continue
            else:
                working = _signed(large, WORKING_BITS)
            if not self.least <= working <= self.most:
                raise BrokenBlockError("no value has such a working value")
            state = (working, *state[:2])
            read.append((False, working))
        return read

    @property
    def least(self):
        """The least working value that is a value."""
        if self.kind == "float":
            return -self.most
        in_type = 1 << (self.bits or self.width) - 1 >> self.exponent
        return -min(in_type, (1 << WORKING_BITS - 1) - 1) if self.kind == "signed" else 0

    @property
    def most(self):
        """The greatest working value that is a value."""
        if self.kind == "float":
            return (1 << _FLOATS[self.width][2]) - 1
        bits = (self.bits or self.width) - (self.kind == "signed")
        return min((1 << bits) - 1 >> self.exponent, (1 << WORKING_BITS - 1) - 1)

    def interval(self, value):
        """Least, nearest and greatest working value that may stand for a value; None if none may.

        All three are exact. For instance 1000, of a bound of 9.99: 991, 1000, 1009.
        """
        real = self._real(value)
        if real is None:
            return None
        above, below = real
        bound = max(self.relative * abs(above), self.absolute * below << BOUND_BITS)
        whole = below << BOUND_BITS
        low = max(-((bound - (above << BOUND_BITS)) // whole), self.least)
        high = min(((above << BOUND_BITS) + bound) // whole, self.most)
        nearest = (2 * above + below) // (2 * below)
        return (low, min(max(nearest, low), high), high) if low <= high else None

    def pattern(self, working):
        """The value that comes out for a working value."""
        if self.kind != "float":
            return working << self.exponent & (1 << self.width) - 1
        real, pattern, _, _ = _FLOATS[self.width]
        return struct.unpack(pattern, struct.pack(real, math.ldexp(working, self.exponent)))[0]

    def _real(self, value):
        """A value in units of working values, as a fraction of integers; None if it is not one."""
        if self.kind != "float":
            number = _signed(value, self.width) if self.kind == "signed" else value
            return number, 1 << self.exponent
        real, pattern, _, _ = _FLOATS[self.width]
        (number,) = struct.unpack(real, struct.pack(pattern, value))
        if not math.isfinite(number):
            return None
        above, below = number.as_integer_ratio()
        return above << max(-self.exponent, 0), below << max(self.exponent, 0)


def working_values(codec, block, count=None):
    """A block as a decoder has it: (True, a value's own bits) or (False, a working value) of each.

    ``count`` and errors are those of :func:`golden.codecs.blocks.decompress`.
    """
    if not is_coded(block):
        return [(True, value) for value in decompress(codec, block, count)]
    reader, told = opened(block)
    values = codec.read(reader, told)
    reader.finish()
    return values


def _predictions(state):
    a, b, c = state
    return a, 2 * a - b, 3 * a - 3 * b + c


def _signed(bits, width):
    return bits - (bits >> width - 1 << width)
