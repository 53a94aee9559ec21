"""Formats of floating point."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """An IEEE-754 binary format, as plain data.

    From the top a value has its sign, ``exponent`` bits and ``mantissa`` bits. For example 2.5 as
    half, with 5 and 10 bits: 0 10000 0100000000, which is binary 1.01 times 2**(16 - 15).

    Attributes
    ----------
    exponent : int
        Bits of the biased exponent, at least 2.
    mantissa : int
        Bits behind the point, at least 2, so that infinity, quiet and signalling NaNs differ.
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
        """Width of a value, in bits."""
        return 1 + self.exponent + self.mantissa

    @property
    def infinity(self):
        """The bits of +infinity."""
        return ((1 << self.exponent) - 1) << self.mantissa

    @property
    def nan(self):
        """The bits of the NaN that all operations return: quiet, sign and other bits clear."""
        return self.infinity | 1 << (self.mantissa - 1)

    @property
    def minus_zero(self):
        """The bits of -0, the neutral element of addition; +0 is not neutral: -0 + +0 is +0."""
        return 1 << (self.width - 1)


HALF = Format(5, 10)
SINGLE = Format(8, 23)
DOUBLE = Format(11, 52)

#: Formats by the width of a value in bits.
FORMATS = {format_.width: format_ for format_ in (HALF, SINGLE, DOUBLE)}
