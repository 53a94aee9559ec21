"""Computes the predictions of SZ with exact fractions, independently of the plain model.

The functions follow the description in :class:`golden.codecs.sz.Sz`. They return the parts of a
symbol as numbers, and make neither bits nor blocks.
"""

from fractions import Fraction


def real(kind, width, pattern):
    """Returns the number of a bit pattern, from its fields; None for NaN and infinities."""
    if kind == "unsigned":
        return Fraction(pattern)
    sign = pattern >> width - 1
    if kind == "signed":
        return Fraction(pattern - sign * 2**width)
    fraction_bits = 52 if width == 64 else 23
    exponent_bits = width - 1 - fraction_bits
    exponent = pattern >> fraction_bits & (1 << exponent_bits) - 1
    fraction = Fraction(pattern & (1 << fraction_bits) - 1, 1 << fraction_bits)
    if exponent == (1 << exponent_bits) - 1:
        return None
    bias = (1 << exponent_bits - 1) - 1
    if exponent:
        size = (1 + fraction) * Fraction(2) ** (exponent - bias)
    else:
        size = fraction * Fraction(2) ** (1 - bias)
    return -size if sign else size


def bound(codec, number):
    """Returns the greatest distance of a restored value from the number."""
    unit = Fraction(2) ** codec.exponent
    return max(Fraction(codec.relative, 65536) * abs(number), codec.absolute * unit)


def may_represent(codec, working, number):
    """Returns True if a working value fits the type, and lies within the bound."""
    low, high = ends(codec)
    unit = Fraction(2) ** codec.exponent
    return low <= working <= high and abs(working * unit - number) <= bound(codec, number)


def ends(codec):
    """Returns the least and the greatest working value that represent values of the type."""
    if codec.kind == "float":
        greatest = 2**31 - 1 if codec.width == 64 else 2**24 - 1
        return -greatest, greatest
    signed = codec.kind == "signed"
    low = -(2 ** (codec.width - 1)) if signed else 0
    high = 2 ** (codec.width - signed) - 1
    unit = 2**codec.exponent
    return max(-(low // -unit), 1 - 2**31), min(high // unit, 2**31 - 1)


def encode(codec, patterns):
    """Returns (small part, working value) of each value.

    The small part is the number of the prediction, 0 to 2, or 3 without a prediction. The working
    value is None if the value is an escape.
    """
    a = b = c = 0
    codes = []
    for pattern in patterns:
        number = real(codec.kind, codec.width, pattern)
        small, working = 3, None
        if number is not None:
            guesses = [a, a + (a - b), a + (a - b) + ((a - b) - (b - c))]
            fitting = [
                k for k, working in enumerate(guesses) if may_represent(codec, working, number)
            ]
            if fitting:
                small, working = fitting[0], guesses[fitting[0]]
            else:
                working = nearest(codec, number)
        if working is not None:
            a, b, c = working, a, b
        codes.append((small, working))
    return codes


def nearest(codec, number):
    """Returns the nearest working value that may represent a number, or None if there is none.

    Of two equally near working values the greater one counts.
    """
    low, high = ends(codec)
    exact = number / Fraction(2) ** codec.exponent
    candidates = {int(exact) + k for k in (-1, 0, 1)} | {low, high}
    near = [working for working in candidates if may_represent(codec, working, number)]
    return min(near, key=lambda working: (abs(working - exact), -working), default=None)
