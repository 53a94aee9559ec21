"""Adds int64 values whose sum may need more than 64 bits.

PySpark adds such values in decimals of 38 digits. This module runs the same kernels twice, over the
upper and over the lower 32 bits of the values. The sums of these halves fit 64 bits over windows of
up to 2**31 tuples. A stream whose windows cannot reach 2**63 needs only one run.
"""

from collections.abc import Callable

import numpy as np

from golden.cpu.windows import Windows
from query.aggregate import Function

_HALF = 32


def fits(values: np.ndarray, windows: Windows) -> bool:
    """Returns True if no sum over a window can reach 2**63.

    The bound is the largest value times the number of tuples in the fullest window.
    """
    if not len(values):
        return True
    return max(int(values.max()), -int(values.min())) * windows.capacity < 1 << 63


def results(
    sums: Callable[[np.ndarray], np.ndarray],
    function: Function,
    values: np.ndarray,
    windows: Windows,
) -> np.ndarray:
    """Returns the exact ``sum``, as Python's integers, or the ``avg``, as int64, of each window.

    ``sums`` returns the sums of the windows over other values of the same stream.
    """
    upper = sums(values >> _HALF).astype(object)
    lower = sums(values & ((1 << _HALF) - 1)).astype(object)
    totals = upper * (1 << _HALF) + lower
    if function == Function.SUM:
        return totals
    counts = np.maximum(windows.counts, 1).tolist()
    pairs = zip(totals, counts, strict=True)
    means = (abs(total) // count * (-1 if total < 0 else 1) for total, count in pairs)
    return np.fromiter(means, np.int64, len(counts))
