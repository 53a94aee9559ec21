"""Layout of a frame on its way out, and its Ethernet header."""

from amaranth.hdl import Cat, Const
from amaranth.lib import data

from rtl.ethernet.piece import BYTES, in_order

#: What is sent in a cycle.
SENT = data.StructLayout({"data": 8 * BYTES, "keep": BYTES, "last": 1})

#: Bytes of the shortest frame, without FCS: what is shorter is filled up with zeros.
SHORTEST = 60


def ethernet(to, own, kind):
    """The bytes of an Ethernet header, the first lowest."""
    return Cat(in_order(to), in_order(own), in_order(Const(kind, 16)))


def pieces(value, count):
    """The bytes of ``value``, the first lowest, as ``count`` pieces; zeros behind them."""
    whole = Cat(value, Const(0, 8 * BYTES * count - len(value)))
    return [whole[8 * BYTES * k : 8 * BYTES * (k + 1)] for k in range(count)]
