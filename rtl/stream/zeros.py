"""Counts the zeros at an end of a number, by halves. Its width must be a power of two."""

from amaranth.hdl import Cat, Const, Mux, Signal

from rtl.stream.order import equal


def trailing_zeros(value):
    """Returns the number of zeros below the lowest 1; undefined for 0.

    The lower half decides whether the lowest 1 is in the lower or the upper half, and so on. For
    the 8 bits 0101 0000 the lower half is 0000, so the result is 4 plus the zeros of 0101; its
    lower half is 01, so the zeros of 01 are counted.
    """
    if len(value) == 1:
        return Const(0, 0)
    half = _half(value)
    low = value[:half]
    high = value[half:]
    inner = Mux(low.any(), trailing_zeros(low), trailing_zeros(high))
    return Cat(inner, ~low.any())


def one_below(value, places):
    """Returns a bit: at least one of the lowest ``places`` bits of a value is 1.

    A shift to the right by ``places`` loses these bits. For instance 0b1100 has no 1 below place 2,
    and has one below place 3. A tree of gates would be deeper than this carry chain.
    """
    width = len(value)
    below = ~(Const((1 << width) - 1, width) << places)
    return ~equal(value & below, Const(0, width))


def leading_zeros(value):
    """Returns the number of zeros above the highest 1; undefined for 0."""
    return trailing_zeros(value[::-1])


def zeros_below(m, value):
    """Returns the number of zeros below the lowest 1, or the width if there is no 1.

    The result is available sooner than :func:`trailing_zeros` combined with a test for 0.
    """
    if len(value) == 1:
        return ~value
    half = _half(value)
    low = zeros_below(m, value[:half])
    high = zeros_below(m, value[half:])
    none = low[-1]
    count = Signal(range(len(value) + 1))
    inner = Mux(none, high[:-1], low[:-1])
    m.d.comb += count.eq(Cat(inner, none & ~high[-1], none & high[-1]))
    return count


def _half(value):
    """Returns half the width of a value; raises ValueError unless it is a power of two."""
    width = len(value)
    if width & (width - 1):
        raise ValueError(f"width must be a power of two, not {width}")
    return width // 2
