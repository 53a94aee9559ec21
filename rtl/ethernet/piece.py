"""Pieces, the eight bytes of a frame that pass in a cycle, and how bytes make numbers."""

from amaranth.hdl import Cat
from amaranth.lib import data, stream

#: Bytes of a piece.
BYTES = 8


def piece(**more):
    """Layout of a piece, with ``more`` fields by their shapes.

    ``size`` bytes of ``data`` count, from the lowest on, and all others are 0. The pieces of a
    frame are full but for the last that has any bytes; ``last`` is the end of the frame, and may be
    a piece of none. So what is missing of a frame reads as 0, and a sum may be over whole pieces.
    """
    return data.StructLayout(
        {"data": 8 * BYTES, "size": range(BYTES + 1), "first": 1, "last": 1} | more
    )


def flow(shape):
    """Signature of a stream that cannot be stalled, as a MAC cannot."""
    return stream.Signature(shape, always_ready=True)


def number(data, first, count):
    """The number in ``count`` bytes of a piece's data from byte ``first`` on, the highest first."""
    return Cat(data[8 * k : 8 * (k + 1)] for k in reversed(range(first, first + count)))


def in_order(value):
    """The bytes of a number as they go over the wire: the highest comes lowest."""
    return Cat(value[8 * k : 8 * (k + 1)] for k in reversed(range(len(value) // 8)))


def below(data, size):
    """The lowest ``size`` bytes of ``data``, and 0 for the others."""
    return Cat(data[8 * k : 8 * (k + 1)] & (size > k).replicate(8) for k in range(len(data) // 8))


def count_first(m, counted, when, reasons):
    """Counts one event: the first of ``reasons``, pairs of a name and a condition, that holds.

    Returns whether none did.
    """
    before = ~when
    for name, holds in reasons:
        m.d.comb += counted[name].eq(~before & holds)
        before = before | holds
    return ~before
