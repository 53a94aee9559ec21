"""Answers of ARP, as frames."""

from amaranth.hdl import Array, Cat, Const, Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.ethernet.arp import KINDS, REPLY
from rtl.ethernet.head import ASKER
from rtl.ethernet.mac_header import ARP
from rtl.ethernet.piece import BYTES, in_order
from rtl.ethernet.sent import SENT, SHORTEST, ethernet, pieces


class ArpReply(wiring.Component):
    """For each who asks a frame that says which MAC we have.

    Its 60 bytes, of which 42 say something, are picked piece by piece out of what is known, while
    ``i`` waits for the last.

    Latency 0 cycles, initiation interval 1 cycle for a piece. Source: RFC 826.

    Members
    -------
    i : In(stream.Signature(ASKER))
    o : Out(stream.Signature(SENT))
    mac : In(48)
    address : In(32)
        Ours.
    """

    latency = 0
    initiation_interval = 1

    def __init__(self):
        super().__init__(
            {
                "i": In(stream.Signature(ASKER)),
                "o": Out(stream.Signature(SENT)),
                "mac": In(48),
                "address": In(32),
            }
        )

    def elaborate(self, platform):
        m = Module()
        count = -(-SHORTEST // BYTES)
        at, last = Signal(range(count)), Signal()
        frame = Cat(
            ethernet(self.i.p.mac, self.mac, ARP),
            in_order(Const(KINDS, 48)),
            in_order(Const(REPLY, 16)),
            in_order(self.mac),
            in_order(self.address),
            in_order(self.i.p.mac),
            in_order(self.i.p.address),
        )
        m.d.comb += [
            last.eq(at == count - 1),
            self.o.valid.eq(self.i.valid),
            self.o.p.data.eq(Array(pieces(frame, count))[at]),
            self.o.p.keep.eq(Mux(last, (1 << SHORTEST % BYTES) - 1, (1 << BYTES) - 1)),
            self.o.p.last.eq(last),
            self.i.ready.eq(self.o.ready & last),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += at.eq(Mux(last, 0, at + 1))
        return m
