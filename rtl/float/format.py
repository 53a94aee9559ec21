"""Formats of floating point."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """An IEEE-754 binary format; nothing is built here.

    From the top a value has its sign, ``exponent`` bits and ``mantissa`` bits. For example 2.5 as
    half, with 5 and 10 of them: 0 10000 0100000000, which is 1.01 in binary times 2**(16 - 15).

    Attributes
    ----------
    exponent : int
        Bits of the biased exponent, at least 2.
    mantissa : int
        Bits behind the point, at least 2: a NaN that is quiet is not an infinity.
    """

    exponent: int
    mantissa: int

    def __post_init__(self):
        for name in ("exponent", "mantissa"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 2:
                raise ValueError(f"{name} must be an integer of at least 2, not {value!r}")

    @property
    def width(self):
        """Bits of a value."""
        return 1 + self.exponent + self.mantissa

    @property
    def infinity(self):
        """The bits of +infinity."""
        return ((1 << self.exponent) - 1) << self.mantissa

    @property
    def nan(self):
        """The bits of the one NaN that arithmetic gives: quiet, its sign and the rest clear."""
        return self.infinity | 1 << (self.mantissa - 1)

    @property
    def minus_zero(self):
        """The bits of -0, which added to any number leaves it as it is; +0 makes +0 of -0."""
        return 1 << (self.width - 1)


HALF, SINGLE, DOUBLE = Format(5, 10), Format(8, 23), Format(11, 52)

#: By the bits of a value.
FORMATS = {format_.width: format_ for format_ in (HALF, SINGLE, DOUBLE)}
