"""Compiles loops that combine the values of one piece of a stream into one state.

Sums of integers, minima and maxima are the same in any order. So the compiler splits the plain loop
of `in_order` over the lanes of the machine's vectors. A sum of floats depends on the order, and the
compiler may not reorder additions of floats. So `in_lanes` fixes an order that vectorises, and has
the same result on every machine. The algorithm "non-incremental" adds floats by `in_order`, too:
this loop is slower, but adds in PySpark's order.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit

from golden.cpu.operators import Operator

LANES = 8


def in_order(op: Operator) -> Callable[[np.ndarray, int, int], Any]:
    """Returns ``scan(values, begin, end)``, which combines ``values[begin:end]``, oldest first."""
    lift, combine, identity = op.lift, op.combine, op.identity

    @njit
    def scan(values, begin, end):
        piece = values[begin:end]  # counted from 0, so that no access tests the index's sign
        state = identity
        for i in range(piece.size):
            state = combine(state, lift(piece[i]))
        return state

    return scan


def in_lanes(op: Operator) -> Callable[[np.ndarray, int, int], Any]:
    """Returns ``scan(values, begin, end)``, which adds ``values[begin:end]`` in 8 partial sums.

    Value i of the piece is added to partial sum i mod 8. The partial sums are then added in pairs,
    neighbours first. The values after the last complete eight are added to this total in order of
    arrival. For instance a piece of 19 values has the partial sums v0 + v8 to v7 + v15, and v16,
    v17 and v18 are added to their total.
    """
    lift, combine, identity = op.lift, op.combine, op.identity

    @njit
    def scan(values, begin, end):
        piece = values[begin:end]
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = identity
        rounds = piece.size // LANES
        for k in range(rounds):
            i = k * LANES
            s0 = combine(s0, lift(piece[i]))
            s1 = combine(s1, lift(piece[i + 1]))
            s2 = combine(s2, lift(piece[i + 2]))
            s3 = combine(s3, lift(piece[i + 3]))
            s4 = combine(s4, lift(piece[i + 4]))
            s5 = combine(s5, lift(piece[i + 5]))
            s6 = combine(s6, lift(piece[i + 6]))
            s7 = combine(s7, lift(piece[i + 7]))
        lower_half = combine(combine(s0, s1), combine(s2, s3))
        state = combine(lower_half, combine(combine(s4, s5), combine(s6, s7)))
        for i in range(rounds * LANES, piece.size):
            state = combine(state, lift(piece[i]))
        return state

    return scan
