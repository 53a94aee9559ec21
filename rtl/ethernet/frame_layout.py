"""Layout of a frame to be sent, and its Ethernet header."""

from amaranth.hdl import Cat, Const
from amaranth.lib import data

from rtl.ethernet.piece import BYTES, in_order

#: A piece of a frame to be sent.
SENT_PIECE = data.StructLayout({"data": 8 * BYTES, "keep": BYTES, "last": 1})

#: Bytes of the shortest frame, without FCS: shorter frames are padded with zeros.
SHORTEST = 60


def ethernet(receiver, sender, ether_type):
    """Returns the bytes of an Ethernet header, the first byte lowest."""
    return Cat(in_order(receiver), in_order(sender), in_order(Const(ether_type, 16)))


def pieces(value, count):
    """Returns the bytes of ``value``, the first byte lowest, as ``count`` pieces; padded with
    zeros."""
    padded = Cat(value, Const(0, 8 * BYTES * count - len(value)))
    return [padded[8 * BYTES * k : 8 * BYTES * (k + 1)] for k in range(count)]
