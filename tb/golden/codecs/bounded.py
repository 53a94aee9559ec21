"""What SZ makes of values, written with fractions from its description, on its own.

It knows no blocks and no bits of symbols.
"""

from fractions import Fraction


def real(kind, width, pattern):
    """The number that a pattern stands for, from its fields; None of NaN and infinities."""
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
    unit = Fraction(2) ** codec.exponent
    return max(Fraction(codec.relative, 65536) * abs(number), codec.absolute * unit)


def may_stand(codec, working, number):
    """Whether a working value is one of the type, and near enough."""
    least, most = ends(codec)
    unit = Fraction(2) ** codec.exponent
    return least <= working <= most and abs(working * unit - number) <= bound(codec, number)


def ends(codec):
    """The least and the greatest working value, by looking at what they stand for."""
    if codec.kind == "float":
        most = 2**31 - 1 if codec.width == 64 else 2**24 - 1
        return -most, most
    signed = codec.kind == "signed"
    low = -(2 ** (codec.width - 1)) if signed else 0
    high = 2 ** (codec.width - signed) - 1
    unit = 2**codec.exponent
    return max(-(low // -unit), 1 - 2**31), min(high // unit, 2**31 - 1)


def encode(codec, patterns):
    """Of each value its small part, and its working value, or None of an escape."""
    a = b = c = 0
    done = []
    for pattern in patterns:
        number = real(codec.kind, codec.width, pattern)
        small, working = 3, None
        if number is not None:
            told = [a, a + (a - b), a + (a - b) + ((a - b) - (b - c))]
            fitting = [k for k, working in enumerate(told) if may_stand(codec, working, number)]
            if fitting:
                small, working = fitting[0], told[fitting[0]]
            else:
                working = nearest(codec, number)
        if working is not None:
            a, b, c = working, a, b
        done.append((small, working))
    return done


def nearest(codec, number):
    """The nearest working value that may stand for it, of two the greater; None if none may."""
    least, most = ends(codec)
    here = number / Fraction(2) ** codec.exponent
    around = {int(here) + k for k in (-1, 0, 1)} | {least, most}
    near = [working for working in around if may_stand(codec, working, number)]
    return min(near, key=lambda working: (abs(working - here), -working), default=None)
