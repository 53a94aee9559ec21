"""Limits the number of transfers of a packet, for a DMA whose buffers have a fixed size."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.pieces import transfer


class PacketCutter(wiring.Component):
    """Ends a packet after ``limit`` transfers, in addition to its own end.

    With a limit of 3, packets of 7 and 3 transfers become packets of 3, 3, 1 and 3. No byte moves:
    a row may begin in one packet and end in the next. Latency 0 cycles, initiation interval 1
    cycle.

    Parameters
    ----------
    width : int
        Bytes of a transfer.
    limit : int
        Maximum number of transfers of a packet.

    Members
    -------
    i : In(stream.Signature(transfer(width)))
    o : Out(stream.Signature(transfer(width)))
    """

    latency = 0
    initiation_interval = 1

    def __init__(self, width, limit):
        self._limit = limit
        signature = stream.Signature(transfer(width))
        super().__init__({"i": In(signature), "o": Out(signature)})

    def elaborate(self, platform):
        m = Module()
        transfer_count = Signal(range(max(2, self._limit)))  # of the packet that have passed
        m.d.comb += [
            self.o.valid.eq(self.i.valid),
            self.i.ready.eq(self.o.ready),
            self.o.p.eq(self.i.p),
            self.o.p.tlast.eq(self.i.p.tlast | (transfer_count == self._limit - 1)),
        ]
        with m.If(self.o.valid & self.o.ready):
            m.d.sync += transfer_count.eq(Mux(self.o.p.tlast, 0, transfer_count + 1))
        return m
