"""Multiplication of floating point by two, without a carry chain over the mantissa."""

from amaranth.hdl import C, Cat, Mux


def doubled(format_, value):
    """Returns ``value + value`` of IEEE-754: exact, or an infinity where it overflows.

    A normal number gets the next exponent. The bits of a subnormal number move up by one place: if
    the highest bit of the mantissa moves into the exponent, the number becomes normal, as it should
    be. Zeros and infinities stay as they are; a NaN must not come. For instance with 3 bits of
    mantissa and the exponent 0: 0.011 becomes 0.110, and 0.110 becomes 1.100 with exponent 1.
    """
    mantissa = value[: format_.mantissa]
    exponent = value[format_.mantissa : -1]
    following = (exponent + 1)[: format_.exponent]
    overflows = following.all()
    normal = Cat(Mux(overflows, C(0, format_.mantissa), mantissa), following)
    subnormal = value[:-1] << 1
    magnitude = Mux(exponent.any(), normal, subnormal)
    return Cat(Mux(exponent.all(), value[:-1], magnitude)[: format_.width - 1], value[-1])
