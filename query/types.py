"""Column types, and the raw integer that stands for each value in golden rows and in hardware.

Every value of every type is carried as its *raw* bit pattern, read as a Python integer:

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

from query.errors import brief


@dataclass(frozen=True)
class Type(ABC):
    """A column type. ``width`` in bits; ``signed`` says how raw is read as a number."""

    @property
    @abstractmethod
    def width(self) -> int: ...

    @property
    def signed(self) -> bool:
        return False

    @property
    def numeric(self) -> bool:
        """Can be aggregated; strings can only be compared and grouped by."""
        return True

    @property
    def floating(self) -> bool:
        return False

    @property
    def fraction(self) -> int:
        """Fraction bits: raw is value * 2**fraction. 0 unless fixed point."""
        return 0

    @property
    def raw_min(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def raw_max(self) -> int:
        return (1 << (self.width - self.signed)) - 1

    @abstractmethod
    def parse(self, text: str) -> int:
        """Raw of a literal or a CSV field; raises ValueError when it does not fit."""

    @abstractmethod
    def value(self, raw: int):
        """The Python value that ``raw`` stands for: int, Fraction, float or str."""

    def text(self, raw: int) -> str:
        """Shortest exact literal: ``parse(text(raw)) == raw``. Strings come without quotes."""
        return str(self.value(raw))

    def _checked(self, raw, text):
        if not self.raw_min <= raw <= self.raw_max:
            raise ValueError(f"{brief(text)} does not fit {self}")
        return raw


# Three digits of exponent reach every type, and keep 1e999999999 from filling the memory.
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?0*[0-9]{1,3})?")
_NOT_FINITE = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)  # as Java, C and Python write

#: Most characters of a number's text: the least double, written out, has 1077 with its sign.
NUMBER = 1200
STRING = 256  # most bytes of a string
BLANKS = " \t"  # may stand around a number


def _literal(text, type_):
    """The text of a number without the blanks around it."""
    literal = text.strip(BLANKS)
    if len(literal) > NUMBER or not _NUMBER.fullmatch(literal):
        raise ValueError(f"{brief(repr(text))} is not a number for {type_}")
    return literal


def number_of(text: str, type_: "Type") -> Fraction:
    """Returns the exact number of a literal; raises ValueError, which names the type."""
    return Fraction(_literal(text, type_))


@dataclass(frozen=True)
class Int(Type):
    """Two's complement integer of 1 to 64 bits."""

    bits: int = 32

    def __post_init__(self):
        if not 1 <= self.bits <= 64:
            kind, bits = type(self).__name__.lower(), brief(self.bits)
            raise ValueError(f"width of {kind} must be 1 to 64 bits, not {bits}")

    @property
    def width(self):
        return self.bits

    @property
    def signed(self):
        return True

    def parse(self, text):
        number = number_of(text, self)
        if number.denominator != 1:
            raise ValueError(f"{brief(repr(text))} is not a whole number for {self}")
        return self._checked(int(number), text.strip(BLANKS))

    def value(self, raw):
        return raw

    def __str__(self):
        return "int" if self.bits == 32 else f"int({self.bits})"


@dataclass(frozen=True)
class UInt(Int):
    """Unsigned integer of 1 to 64 bits."""

    @property
    def signed(self):
        return False

    def __str__(self):
        return f"uint({self.bits})"


@dataclass(frozen=True)
class Fixed(Type):
    """Two's complement fixed point: ``integer`` bits (with the sign) and ``frac`` fraction bits."""

    integer: int
    frac: int

    def __post_init__(self):
        if self.integer < 1 or self.frac < 0 or self.integer + self.frac > 64:
            raise ValueError(
                f"fixed(I,F) must have I >= 1, F >= 0 and I+F <= 64, not {brief(self)}"
            )

    @property
    def width(self):
        return self.integer + self.frac

    @property
    def signed(self):
        return True

    @property
    def fraction(self):
        return self.frac

    def parse(self, text):
        return self._checked(round(number_of(text, self) * (1 << self.frac)), text.strip(BLANKS))

    def value(self, raw):
        return Fraction(raw, 1 << self.frac)

    def text(self, raw):
        whole, part = divmod(abs(raw), 1 << self.frac)
        digits = f"{part * 5**self.frac:0{self.frac}d}".rstrip("0") if part else ""
        return f"{'-' if raw < 0 else ''}{whole}{'.' if digits else ''}{digits}"

    def __str__(self):
        return f"fixed({self.integer},{self.frac})"


@dataclass(frozen=True)
class Float(Type):
    """IEEE-754 binary32; compares in totalOrder with -0 < +0."""

    _format = "f"

    @property
    def width(self):
        return 8 * struct.calcsize(self._format)

    @property
    def floating(self):
        return True

    def parse(self, text):
        if _NOT_FINITE.fullmatch(text.strip(BLANKS)):
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
        """Raw of a double, rounded to nearest; raises OverflowError when it is too great."""
        return int.from_bytes(struct.pack(">" + self._format, number), "big")

    def _wide(self, literal):
        """A double that rounds to the same binary32 as the exact number does.

        That is the number itself, or else the one of its two neighbours whose last bit is 1. So it
        is a value of binary32, or midway between two, only where the number is: 1 + 2**-24 + 1e-30
        becomes 1 + 2**-24 + 2**-52, and then 1 + 2**-23. The nearest double is 1 + 2**-24, a tie
        that would go to 1.
        """
        wide, exact = float(literal), Fraction(literal)
        odd = int.from_bytes(struct.pack(">d", wide), "big") & 1
        if not math.isfinite(wide) or odd or wide == exact:
            return wide
        return math.nextafter(wide, math.inf if wide < exact else -math.inf)

    def value(self, raw):
        return struct.unpack(">" + self._format, raw.to_bytes(self.width // 8, "big"))[0]

    def text(self, raw):
        value = self.value(raw)
        if math.isnan(value):
            return "nan"
        texts = (f"{value:.{digits}g}" for digits in range(1, 18))
        return next(text for text in texts if self._reads_as(text, raw))

    def _reads_as(self, text, raw):
        try:
            return self.parse(text) == raw
        except ValueError:  # the largest float, rounded up to few digits, does not fit
            return False

    def is_nan(self, raw):
        return math.isnan(self.value(raw))

    def __str__(self):
        return type(self).__name__.lower()


@dataclass(frozen=True)
class Double(Float):
    """IEEE-754 binary64; compares in totalOrder with -0 < +0."""

    _format = "d"

    def _wide(self, literal):
        return float(literal)


@dataclass(frozen=True)
class String(Type):
    """``length`` bytes of UTF-8, shorter ones padded with zero bytes; equality and byte order."""

    length: int

    def __post_init__(self):
        if not 1 <= self.length <= STRING:
            raise ValueError(f"string(N) must have N from 1 to {STRING}, not {brief(self.length)}")

    @property
    def width(self):
        return 8 * self.length

    @property
    def numeric(self):
        return False

    def parse(self, text):
        data = text.encode()
        if len(data) > self.length:
            raise ValueError(f"{brief(repr(text))} does not fit {self}")
        return int.from_bytes(data.ljust(self.length, b"\0"), "big")

    def value(self, raw):
        return raw.to_bytes(self.length, "big").rstrip(b"\0").decode()

    def __str__(self):
        return f"string({self.length})"
