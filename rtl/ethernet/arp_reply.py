"""Writes ARP replies, as frames."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.arp import PROTOCOLS, REPLY
from rtl.ethernet.frame_layout import SENT_PIECE, SHORTEST, ethernet, pieces
from rtl.ethernet.head import ASKER
from rtl.ethernet.mac_header import ARP
from rtl.ethernet.piece import BYTES, in_order


class ArpReply(wiring.Component):
    """Writes an ARP reply with our MAC for each asker.

    A frame has 60 bytes, of which 42 carry the reply. The inputs drive the pieces of the frame
    directly, so ``i`` is stalled until the last piece.

    Latency 0 cycles, initiation interval 1 cycle for a piece. Source: RFC 826.

    Members
    -------
    i : In(stream.Signature(ASKER))
    o : Out(stream.Signature(SENT_PIECE))
    mac : In(48)
        Our MAC.
    address : In(32)
        Our IPv4 address.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(stream.Signature(ASKER)),
                "o": Out(stream.Signature(SENT_PIECE)),
                "mac": In(48),
                "address": In(32),
            }
        )

    def elaborate(self, platform):
        m = Module()
        count = -(-SHORTEST // BYTES)
        index = Signal(range(count))
        last = Signal()
        frame = Cat(
            ethernet(self.i.p.mac, self.mac, ARP),
            in_order(Const(PROTOCOLS, 48)),
            in_order(Const(REPLY, 16)),
            in_order(self.mac),
            in_order(self.address),
            in_order(self.i.p.mac),
            in_order(self.i.p.address),
        )
        m.d.comb += [
            last.eq(index == count - 1),
            self.o.valid.eq(self.i.valid),
            self.o.p.data.eq(Array(pieces(frame, count))[index]),
            self.o.p.keep.eq(Mux(last, (1 << SHORTEST % BYTES) - 1, (1 << BYTES) - 1)),
            self.o.p.last.eq(last),
            self.i.ready.eq(self.o.ready & last),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += index.eq(Mux(last, 0, index + 1))
        return m
