"""Computes SZ with scales by fractions, from its description, independently of the model.

The module has no blocks, and no bits of symbols.
"""

from fractions import Fraction
from math import ceil, floor

from tb.golden.codecs.bounded import real

LARGEST = 2**23 - 1
#: Scales by the bits of a value: the coarsest one, and the bias of the exponent.
SCALES = {64: (255, 1023), 32: (31, 127)}


def unit(codec, scale):
    """Returns the unit of a scale."""
    return Fraction(2) ** (8 * scale - SCALES[codec.width][1] - 16)


def absolute(codec):
    """Returns the absolute bound as a number."""
    number = real("float", codec.width, codec.absolute << codec.width - 32)
    min_normal = Fraction(2) ** (1 - SCALES[codec.width][1])
    return number if number >= min_normal else Fraction(0)


def bound(codec, number):
    """Returns the greatest error that a restored value may have."""
    return max(Fraction(codec.relative, 65536) * abs(number), absolute(codec))


def natural(codec, number):
    """Returns the finest scale in which the number and the absolute bound have 23 bits."""
    size = max(abs(number), absolute(codec))
    return next(
        scale for scale in range(3, SCALES[codec.width][0] + 1) if size < 2**23 * unit(codec, scale)
    )


def allowed(codec, number, scale):
    """Returns the least and the greatest allowed working value in a scale, or None."""
    step, first = unit(codec, scale), natural(codec, number)
    if scale in (first, first + 1):
        absolute_steps = floor(absolute(codec) / step)
        error = max(Fraction(codec.relative, 65536) * abs(number), absolute_steps * step)
        low = max(ceil((number - error) / step), -LARGEST)
        high = min(floor((number + error) / step), LARGEST)
        if low <= high:
            return low, high
    return (0, 0) if abs(number) <= absolute(codec) else None


def nearest(number, step, low, high):
    """Returns the nearest working value from ``low`` to ``high``; of two the upper one."""
    return min(max(floor(number / step + Fraction(1, 2)), low), high)


def encode(codec, patterns):
    """Returns (small part, scale, working value) of each value; (3, None, None) for an escape."""
    scale, a, b, c, codes = 3, 0, 0, 0, []
    for pattern in patterns:
        number = real("float", codec.width, pattern)
        first = None if number is None else natural(codec, number)
        if first is None or (bounds := allowed(codec, number, first)) is None:
            codes.append((3, None, None))
            continue
        ends = allowed(codec, number, scale)
        guesses = [a, a + (a - b), a + (a - b) + ((a - b) - (b - c))]
        fitting = [k for k, w in enumerate(guesses) if ends and ends[0] <= w <= ends[1]]
        size = max(abs(number), absolute(codec))
        too_coarse = scale == first + 1 and size < 2**12 * unit(codec, scale)
        if fitting:
            small, working = fitting[0], guesses[fitting[0]]
        elif ends and not too_coarse:
            small, working = 3, nearest(number, unit(codec, scale), *ends)
        else:
            small, working = 3, nearest(number, unit(codec, first), *bounds)
            if scale != first:
                a = b = working
            scale = first
        a, b, c = working, a, b
        codes.append((small, scale, working))
    return codes
