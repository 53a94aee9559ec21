"""Shifts by what is known late."""

from amaranth.hdl import Mux, Signal


def shifted_up(m, value, by):
    """As ``value << by``, and as wide as the value; the highest bit of ``by`` first.

    That is for numbers whose low bits are known last, such as how many zeros there are: then only
    the last small moves wait for them.
    """
    for k in reversed(range(len(by))):
        moved = Signal(len(value), name=f"moved{k}")
        m.d.comb += moved.eq(Mux(by[k], value << (1 << k), value))
        value = moved
    return value
