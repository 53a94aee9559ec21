"""Zeros at an end of a number, counted by halves."""

from amaranth.hdl import Cat, Const, Mux, Signal


def trailing_zeros(value):
    """How many zeros are below the lowest one; what it gives of 0 means nothing.

    The lower half decides whether it is in the lower or the upper one, and so on: for 8 bits
    0101 0000 the lower half is 0000, so 4 and those of 0101; its lower half is 01, so those of 01.
    """
    if len(value) == 1:
        return Const(0, 0)
    half = len(value) // 2
    low, high = value[:half], value[half:]
    inner = Mux(low.any(), trailing_zeros(low), trailing_zeros(high))
    return Cat(inner, ~low.any())


def leading_zeros(value):
    """How many zeros are above the highest one; what it gives of 0 means nothing."""
    return trailing_zeros(value[::-1])


def zeros_below(m, value):
    """How many zeros are below the lowest one, or in all of it if there is no one.

    Where that counts, it is known sooner than by :func:`trailing_zeros` and whether there is any.
    """
    if len(value) == 1:
        return ~value
    half = len(value) // 2
    low, high = zeros_below(m, value[:half]), zeros_below(m, value[half:])
    none, count = low[-1], Signal(range(len(value) + 1))
    inner = Mux(none, high[:-1], low[:-1])
    m.d.comb += count.eq(Cat(inner, none & ~high[-1], none & high[-1]))
    return count
