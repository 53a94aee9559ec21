"""Maps floats to integers of the same order: IEEE-754 totalOrder, with -0 < +0.

Read as integers, the bits of positive floats ascend with the value, and those of negative floats
descend. Inverting all bits but the sign of the negative floats makes all of them ascend. A second
inversion restores the bits.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numba import njit

_BITS: dict[np.dtype, np.dtype] = {
    np.dtype(np.float32): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.int64),
}


def bits(floats: np.dtype) -> np.dtype:
    """Returns the integer type with the width of ``floats``."""
    return _BITS[floats]


@cache
def turned(integers: np.dtype) -> Callable[[int], int]:
    """Returns ``turn(x)``, from a float's bits to its place in the order, or back.

    The places of two floats compare like the floats. ``integers`` is the type of the bits.
    """
    kind = integers.type
    sign = 8 * integers.itemsize - 1
    others = np.iinfo(integers).max

    @njit
    def turn(x):
        return kind(x ^ ((x >> sign) & others))

    return turn


@njit
def nans(values: np.ndarray) -> int:
    """Returns the number of NaNs in ``values``, which are floats."""
    count = 0
    for i in range(values.size):
        count += values[i] != values[i]
    return count
