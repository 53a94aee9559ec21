"""Predictions of SZ from the last three working values, and sizes of SZ's symbols.

Source: seed 000, section 2.1 (SZ, IPDPS 2016).
"""

#: Bits of the small part, and bits of the fraction that a relative bound is.
SMALL_BITS, BOUND_BITS = 2, 16
#: Small part of a value that no prediction represents.
OUTLIER = 3


def predictions(a: int, b: int, c: int) -> tuple[int, int, int]:
    """Returns the constant, the linear and the polynomial prediction.

    ``a`` is the last working value, ``b`` and ``c`` are the two before.
    """
    return a, 2 * a - b, 3 * a - 3 * b + c


def signed(bits: int, width: int) -> int:
    """Returns a number in two's complement as a signed number."""
    return bits - (bits >> width - 1 << width)
