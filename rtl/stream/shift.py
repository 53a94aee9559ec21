"""Shifts by an amount whose low bits arrive late in the cycle."""

from amaranth.hdl import Mux, Signal


def shifted_up(m, value, by):
    """Returns ``value << by``, as wide as the value; the highest bit of ``by`` shifts first.

    The order suits amounts whose low bits arrive last, such as a number of leading zeros: only the
    last, small shifts wait for the low bits.
    """
    for k in reversed(range(len(by))):
        moved = Signal(len(value), name=f"moved{k}")
        m.d.comb += moved.eq(Mux(by[k], value << (1 << k), value))
        value = moved
    return value
