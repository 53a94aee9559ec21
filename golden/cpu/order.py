"""Floats as integers that are ordered alike: IEEE-754 totalOrder, with -0 < +0.

With the sign in front, the bits of positive floats ascend with the value and those of negative
ones descend: turning all bits but the sign of the negative ones round makes one order of both.
Done twice, it gives the bits again.
"""

from functools import cache

import numpy as np
from numba import njit

_BITS = {np.dtype(np.float32): np.dtype(np.int32), np.dtype(np.float64): np.dtype(np.int64)}


def bits(floats: np.dtype) -> np.dtype:
    """The integers in which the bits of ``floats`` are seen."""
    return _BITS[floats]


@cache
def turned(integers: np.dtype):
    """``turn(x)`` for bits in ``integers``: from a float's bits to its place in the order, or back.

    The places of two floats compare as the floats do.
    """
    kind, sign, others = integers.type, 8 * integers.itemsize - 1, np.iinfo(integers).max

    @njit
    def turn(x):
        return kind(x ^ ((x >> sign) & others))

    return turn


@njit
def nans(values):
    """How many of ``values``, floats, are NaN."""
    count = 0
    for i in range(values.size):
        count += values[i] != values[i]
    return count
