"""Predictions and intervals of SZ's working values, sizes of its symbols, and signed numbers.

Source: seed 000, section 2.1 (SZ, IPDPS 2016).
"""

#: Bits of the small part of a symbol, and fraction bits of a relative error bound.
SMALL_BITS, BOUND_BITS = 2, 16
#: Small part of a value that no prediction represents.
OUTLIER = 3


def predictions(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Returns the constant, the linear and the polynomial prediction.

    ``a`` is the last working value, ``b`` and ``c`` are the two before.
    """
    return a, 2 * a - b, 3 * a - 3 * b + c


def interval(
    numerator: int, denominator: int, bound: int, low: int, high: int
) -> tuple[int, int, int] | None:
    """Returns the least, nearest and greatest working value within the bound of a real number.

    The number is ``numerator`` / ``denominator``, its greatest distance ``bound`` / 2^16 /
    ``denominator``, and working values are from ``low`` to ``high``. The three are exact. Returns
    None if no working value is within the bound.
    """
    numerator, denominator = numerator << BOUND_BITS, denominator << BOUND_BITS
    low = max(-((bound - numerator) // denominator), low)
    high = min((numerator + bound) // denominator, high)
    nearest = (2 * numerator + denominator) // (2 * denominator)
    return (low, min(max(nearest, low), high), high) if low <= high else None


def signed(bits: int, width: int) -> int:
    """Returns the lower ``width`` bits of a number as a signed number in two's complement."""
    half = 1 << width - 1
    return (bits + half) % (2 * half) - half
