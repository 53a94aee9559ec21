"""Defines the column types, and the raw integer of each value in golden rows and in hardware.

The *raw* of a value is its bit pattern, read as a Python integer:

=============  =======  ==================================================================
type           width    raw
=============  =======  ==================================================================
``int(N)``     N        the number, two's complement (``int`` is ``int(32)``)
``uint(N)``    N        the number
``fixed(I,F)`` I+F      the number times 2**F, rounded to nearest, ties to even
``float``      32       the IEEE-754 binary32 bits, unsigned
``double``     64       the IEEE-754 binary64 bits, unsigned
``string(N)``  8*N      the bytes, first byte most significant, padded with zero bytes: so the
                        unsigned order of raws is the order of the strings
=============  =======  ==================================================================
"""

import math
import re
import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from query.errors import brief


@dataclass(frozen=True)
class Type(ABC):
    """Declares the width of a column type, and the conversions between texts, raws and values."""

    @property
    @abstractmethod
    def width(self) -> int:
        """Width of raw, in bits."""

    @property
    def signed(self) -> bool:
        """True if raw is negative for some values."""
        return False

    @property
    def numeric(self) -> bool:
        """True if values can be aggregated; strings can only be compared and grouped by."""
        return True

    @property
    def floating(self) -> bool:
        """True for floating point."""
        return False

    @property
    def fraction(self) -> int:
        """Number of fraction bits: raw is value * 2**fraction. 0 unless fixed point."""
        return 0

    @property
    def raw_min(self) -> int:
        """Least raw."""
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def raw_max(self) -> int:
        """Greatest raw."""
        return (1 << (self.width - self.signed)) - 1

    @abstractmethod
    def parse(self, text: str) -> int:
        """Returns the raw of a literal or a CSV field; raises ValueError if it does not fit."""

    @abstractmethod
    def value(self, raw: int) -> Any:
        """Returns the Python value of ``raw``: int, Fraction, float or str."""

    def text(self, raw: int) -> str:
        """Returns the shortest exact literal, without quotes: ``parse(text(raw)) == raw``.

        A NaN is the exception: every NaN has the text ``nan``, and ``parse`` returns one NaN.
        """
        return str(self.value(raw))

    def _checked(self, raw, text):
        """Returns ``raw`` if the type can hold the value; else raises ValueError with ``text``."""
        if not self.raw_min <= raw <= self.raw_max:
            raise ValueError(f"{brief(text)} does not fit {self}")
        return raw


#: Spelling of a number. Three digits of exponent suffice for every type, and exclude 1e999999999,
#: which fills the memory.
NUMERAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?0*[0-9]{1,3})?")
NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)  # spellings of Java, C, Python

#: Limit of the characters of a number. The exact text of a double has at most 1077 without an
#: exponent: that of -2**-1074 has sign, 0, point and 1074 decimals.
NUMBER = 1200
STRING = 256  # limit of the bytes of a string
BLANKS = " \t"  # characters that may surround a number


def _literal(text, type_):
    """Returns the text of a number without its surrounding blanks.

    Raises ValueError, which names the type, for a text that is no number or is too long.
    """
    literal = text.strip(BLANKS)
    if len(literal) > NUMBER or not NUMERAL.fullmatch(literal):
        raise ValueError(f"{brief(repr(text))} is not a number for {type_}")
    return literal


def number_of(text: str, type_: Type) -> Fraction:
    """Returns the exact number of a literal; raises ValueError, which names the type."""
    return Fraction(_literal(text, type_))


@dataclass(frozen=True)
class Int(Type):
    """Represents two's complement integers of 1 to 64 bits."""

    bits: int = 32

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= 64:
            kind = type(self).__name__.lower()
            raise ValueError(f"width of {kind} must be 1 to 64 bits, not {brief(self.bits)}")

    @property
    def width(self) -> int:
        return self.bits

    @property
    def signed(self) -> bool:
        return True

    def parse(self, text: str) -> int:
        number = number_of(text, self)
        if number.denominator != 1:
            raise ValueError(f"{brief(repr(text))} is not a whole number for {self}")
        return self._checked(int(number), text.strip(BLANKS))

    def value(self, raw: int) -> int:
        return raw

    def __str__(self) -> str:
        return "int" if self.bits == 32 else f"int({self.bits})"


@dataclass(frozen=True)
class UInt(Int):
    """Represents unsigned integers of 1 to 64 bits."""

    @property
    def signed(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"uint({self.bits})"


@dataclass(frozen=True)
class Fixed(Type):
    """Represents two's complement fixed point.

    A number has ``integer`` bits, with the sign, before the point, and ``frac`` bits after it: 1.5
    of ``fixed(4,2)`` has the raw 6.
    """

    integer: int
    frac: int

    def __post_init__(self) -> None:
        if self.integer < 1 or self.frac < 0 or self.integer + self.frac > 64:
            raise ValueError(
                f"fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not {brief(self)}"
            )

    @property
    def width(self) -> int:
        return self.integer + self.frac

    @property
    def signed(self) -> bool:
        return True

    @property
    def fraction(self) -> int:
        return self.frac

    def parse(self, text: str) -> int:
        return self._checked(round(number_of(text, self) * (1 << self.frac)), text.strip(BLANKS))

    def value(self, raw: int) -> Fraction:
        return Fraction(raw, 1 << self.frac)

    def text(self, raw: int) -> str:
        integer, part = divmod(abs(raw), 1 << self.frac)
        digits = f"{part * 5**self.frac:0{self.frac}d}".rstrip("0") if part else ""
        return f"{'-' if raw < 0 else ''}{integer}{'.' if digits else ''}{digits}"

    def __str__(self) -> str:
        return f"fixed({self.integer},{self.frac})"


@dataclass(frozen=True)
class Float(Type):
    """Represents IEEE-754 binary32, which compares in totalOrder with -0 < +0."""

    _format = "f"

    @property
    def width(self) -> int:
        return 8 * struct.calcsize(self._format)

    @property
    def floating(self) -> bool:
        return True

    def parse(self, text: str) -> int:
        if NOT_FINITE.fullmatch(text.strip(BLANKS)):
            return self._bits(float(text.strip(BLANKS)))
        literal = _literal(text, self)
        try:
            number = self._wide(literal)
            if math.isfinite(number):
                return self._bits(number)
        except OverflowError:
            pass
        raise ValueError(f"{brief(literal)} does not fit {self}")

    def _bits(self, number):
        """Returns the raw of a double, rounded to nearest; raises OverflowError if too great."""
        return int.from_bytes(struct.pack(">" + self._format, number), "big")

    def _wide(self, literal):
        """Returns a double that rounds to the same binary32 as the exact number.

        The double is the number itself, if the number is a double. Otherwise the number lies
        between two doubles, and the result is the double whose last bit is 1 (rounding to odd). So
        the result is a binary32 value, or midway between two, only if the number is. For instance
        1 + 2**-24 + 1e-30 becomes 1 + 2**-24 + 2**-52, which rounds correctly to 1 + 2**-23. The
        nearest double is 1 + 2**-24, a tie that would round to 1.
        """
        wide = float(literal)
        exact = Fraction(literal)
        odd = int.from_bytes(struct.pack(">d", wide), "big") & 1
        if not math.isfinite(wide) or odd or wide == exact:
            return wide
        return math.nextafter(wide, math.inf if wide < exact else -math.inf)

    def value(self, raw: int) -> float:
        return struct.unpack(">" + self._format, raw.to_bytes(self.width // 8, "big"))[0]

    def text(self, raw: int) -> str:
        value = self.value(raw)
        if math.isnan(value):
            return "nan"
        texts = (f"{value:.{digits}g}" for digits in range(1, 18))
        return next(text for text in texts if self._reads_as(text, raw))

    def _reads_as(self, text, raw):
        """Returns True if ``text`` has the raw ``raw``."""
        try:
            return self.parse(text) == raw
        except ValueError:  # the largest float, rounded up to few digits, does not fit
            return False

    def is_nan(self, raw: int) -> bool:
        return math.isnan(self.value(raw))

    def __str__(self) -> str:
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Double(Float):
    """Represents IEEE-754 binary64, which compares in totalOrder with -0 < +0."""

    _format = "d"

    def _wide(self, literal):
        return float(literal)


@dataclass(frozen=True)
class String(Type):
    """Represents texts of up to ``length`` bytes of UTF-8, padded with zero bytes.

    Texts compare byte by byte.
    """

    length: int

    def __post_init__(self) -> None:
        if not 1 <= self.length <= STRING:
            raise ValueError(f"string(N) must have N from 1 to {STRING}, not {brief(self.length)}")

    @property
    def width(self) -> int:
        return 8 * self.length

    @property
    def numeric(self) -> bool:
        return False

    def parse(self, text: str) -> int:
        data = text.encode()
        if len(data) > self.length:
            raise ValueError(f"{brief(repr(text))} does not fit {self}")
        return int.from_bytes(data.ljust(self.length, b"\0"), "big")

    def value(self, raw: int) -> str:
        return raw.to_bytes(self.length, "big").rstrip(b"\0").decode()

    def __str__(self) -> str:
        return f"string({self.length})"
