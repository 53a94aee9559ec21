"""The state of one piece of the stream: the loops that the compiler turns into vectors.

Integers and comparisons give the same state in any order, so a plain loop is enough: the compiler
splits it over the lanes of the machine's vectors. Sums of floats do not, and without leave to
reorder it may not touch them; there `in_lanes` writes the order down, so that it is the same on
every machine.
"""

from numba import njit

from golden.cpu.operators import Operator

LANES = 8


def in_order(op: Operator):
    """``scan(values, begin, end)``: combines from the oldest to the youngest."""
    lift, combine, identity = op.lift, op.combine, op.identity

    @njit
    def scan(values, begin, end):
        piece = values[begin:end]  # counted from 0, so that no index asks for its sign
        state = identity
        for i in range(piece.size):
            state = combine(state, lift(piece[i]))
        return state

    return scan


def in_lanes(op: Operator):
    """``scan(values, begin, end)``: value i of a piece goes to partial sum i mod 8.

    The eight are then added in pairs, neighbours first, and what is left of the piece after its
    last whole eight is added to that in order of arrival.
    """
    lift, combine, identity = op.lift, op.combine, op.identity

    @njit
    def scan(values, begin, end):
        piece = values[begin:end]
        s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = identity
        whole = piece.size // LANES
        for block in range(whole):
            i = block * LANES
            s0 = combine(s0, lift(piece[i]))
            s1 = combine(s1, lift(piece[i + 1]))
            s2 = combine(s2, lift(piece[i + 2]))
            s3 = combine(s3, lift(piece[i + 3]))
            s4 = combine(s4, lift(piece[i + 4]))
            s5 = combine(s5, lift(piece[i + 5]))
            s6 = combine(s6, lift(piece[i + 6]))
            s7 = combine(s7, lift(piece[i + 7]))
        left = combine(combine(s0, s1), combine(s2, s3))
        state = combine(left, combine(combine(s4, s5), combine(s6, s7)))
        for i in range(whole * LANES, piece.size):
            state = combine(state, lift(piece[i]))
        return state

    return scan
