"""Keeps the running state of the window: adds new tuples and subtracts evicted ones.

Source: seed 004, section 2.2. A tuple costs two additions, whatever the size. Only sums can be
subtracted. For min and max the seed scans the window again when the least value leaves, which is
the non-incremental algorithm; this module refuses min and max.
"""

from functools import cache

import numpy as np
from numba import njit

from golden.cpu.operators import Operator
from golden.cpu.ring import ring, slot
from golden.cpu.windows import Windows, span


def results(op: Operator, values: np.ndarray, windows: Windows, out: np.ndarray) -> None:
    """Writes the result of each window to ``out``; ``op`` must have ``subtract``.

    Integers are exact. A sum of floats may differ from the sum of the window's tuples in any order:
    every tuple since the window was last empty leaves the rounding errors of its addition and its
    subtraction in the state, each at most 2**-53 of the running sum (see docs/cpu.md).
    """
    buffer = ring(windows.capacity, values.dtype)
    _kernel(op)(values, windows.size, windows.slide, windows.begins, windows.ends, buffer, out)


@cache
def _kernel(op):
    lift, combine, subtract, lower = op.lift, op.combine, op.subtract, op.lower
    identity = op.identity

    @njit
    def kernel(values, size, slide, begins, ends, buffer, out):
        mask = buffer.size - 1
        head = tail = span(0, size, slide, begins, ends)[0]
        state = identity
        for j in range(out.size):
            begin, end = span(j, size, slide, begins, ends)
            for i in range(head, begin):
                state = subtract(state, lift(buffer[slot(i, mask)]))
            head = begin
            if head == tail:
                state = identity  # the window is empty: this removes the rounding errors
            for i in range(tail, end):
                x = values[np.uint64(i)]
                buffer[slot(i, mask)] = x
                state = combine(state, lift(x))
            tail = end
            out[j] = lower(state, end - begin)

    return kernel
