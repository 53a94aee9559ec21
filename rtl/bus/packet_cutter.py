"""Packets of at most so many transfers, as a DMA has buffers for them."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import transfer


class PacketCutter(wiring.Component):
    """Ends a packet after so many transfers, and where it ends anyway.

    With 3, packets of 7 and 3 transfers become those of 3, 3, 1 and 3. No byte moves: a row may
    begin in one packet and end in the next. Latency 0 cycles, initiation interval 1 cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.
    most : int
        Transfers of a packet.

    Members
    -------
    i : In(stream.Signature(transfer(width)))
    o : Out(stream.Signature(transfer(width)))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width, most):
        self._most = most
        signature = stream.Signature(transfer(width))
        super().__init__({"i": In(signature), "o": Out(signature)})

    def elaborate(self, platform):
        m = Module()
        given = Signal(range(max(2, self._most)))  # transfers of the packet
        m.d.comb += [
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            self.o.p.eq(self.i.p),
            self.o.p.tlast.eq(self.i.p.tlast | (given == self._most - 1)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += given.eq(Mux(self.o.p.tlast, 0, given + 1))
        return m
