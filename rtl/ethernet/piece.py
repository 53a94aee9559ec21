"""Pieces, the eight bytes of a frame that pass in a cycle, and numbers in their bytes."""

from amaranth.hdl import Cat
from amaranth.lib import data, stream

#: Bytes of a piece.
BYTES = 8


def piece(**fields):
    """Returns the layout of a piece, with further ``fields`` by their shapes.

    The lowest ``size`` bytes of ``data`` belong to the frame, and all others are 0. ``first`` marks
    the first piece of a frame, ``last`` the end of the frame, whose piece may have no bytes. All
    pieces of a frame are full except the last piece with bytes. So missing bytes of a frame read as
    0, and a sum may cover whole pieces.
    """
    return data.StructLayout(
        {"data": 8 * BYTES, "size": range(BYTES + 1), "first": 1, "last": 1} | fields
    )


def flow(shape):
    """Returns the signature of a stream that cannot be stalled, as a MAC cannot."""
    return stream.Signature(shape, always_ready=True)


def number(data, first, count):
    """Returns the number in ``count`` bytes of a piece's data from byte ``first`` on, the first
    byte highest."""
    return Cat(data[8 * k : 8 * (k + 1)] for k in reversed(range(first, first + count)))


def in_order(value):
    """Returns the bytes of a number in the order of the wire: the highest byte lowest."""
    return Cat(value[8 * k : 8 * (k + 1)] for k in reversed(range(len(value) // 8)))


def lowest_bytes(data, size):
    """Returns the lowest ``size`` bytes of ``data``, and 0 for the others."""
    return Cat(data[8 * k : 8 * (k + 1)] & (size > k).replicate(8) for k in range(len(data) // 8))


def count_first(m, counted, when, reasons):
    """Counts one event while ``when`` is high: the first of ``reasons`` whose condition is high.

    ``reasons`` are pairs of an event's name in ``counted`` and a condition. Returns a bit: ``when``
    is high and all conditions are low.
    """
    decided = ~when
    for name, condition in reasons:
        m.d.comb += counted[name].eq(~decided & condition)
        decided = decided | condition
    return ~decided
