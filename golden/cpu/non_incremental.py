"""Computes every window from scratch (seed 004, section 2.2, "non-incremental").

The work for each slide is the size of the window, but it is a plain scan, which the compiler
vectorises except for sums of floats. The algorithm reads the windows directly from the stream, and
has no state and no buffer.
"""

from functools import cache

import numpy as np
from numba import njit

from golden.cpu.operators import Operator
from golden.cpu.scan import in_order
from golden.cpu.windows import Windows, span


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray) -> None:
    """Writes the result of each window to ``out``.

    For instance 10 values have 7 windows with size 4 and slide 1, so 28 values are read.

    The values of a window are combined in order of arrival. So sums of floats are equal to
    PySpark's bit for bit if `golden.cpu.operators.operator` made ``op`` with ``in_order=True``:
    then each addition is rounded to the type of the values. Other operators add floats in 64 bits.
    """
    _kernel(op)(values, windows.size, windows.slide, windows.begins, windows.ends, out)


@cache
def _kernel(op):
    scan = in_order(op)
    lower = op.lower

    @njit
    def kernel(values, size, slide, begins, ends, out):
        for j in range(out.size):
            begin, end = span(j, size, slide, begins, ends)
            out[j] = lower(scan(values, begin, end), end - begin)

    return kernel
