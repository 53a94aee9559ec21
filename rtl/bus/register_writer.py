"""Writes a fixed list of registers after a reset, for a board without a processor."""

from amaranth.hdl import Array, Const, Module, Signal
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members

ALL_BYTES = 0b1111


class RegisterWriter(wiring.Component):
    """Writes each (address, value) of a list once, in order, then raises ``done``.

    The next write begins when the response of the write before has arrived, so the registers are
    written in the order of the list. ``done`` stays high until a reset of the domain, after which
    the whole list is written again.

    For instance with ``writes=[(0xFC8, 0x0A000001), (0xFCC, 4001)]`` the writer offers address and
    data of 0xFC8 in the second cycle after the reset, waits for the response, then writes 0xFCC.

    A slave may accept address and data in either order and in different cycles, and may stall each
    of them. Responses are accepted at once, and their code is ignored: the registers of an engine
    answer OKAY to every write. A write takes 4 cycles with
    :class:`~rtl.bus.axi_lite.AxiLiteSlave`.

    Parameters
    ----------
    writes : sequence of (int, int)
        Byte address and 32-bit value of each write; may be empty.
    address_width : int
        Bits of a byte address.

    Members
    -------
    bus : In(Signature of :func:`~rtl.bus.axi_lite.axi_lite_members`)
        The bus of the slave, seen from the master. Its reads are never used.
    done : Out(1)

    Source: AMBA AXI4-Lite.
    """

    def __init__(self, writes, address_width):
        self.writes = tuple(writes)
        slave = wiring.Signature(axi_lite_members(address_width))
        super().__init__({"bus": In(slave), "done": Out(1)})

    def elaborate(self, platform):
        m = Module()
        bus = self.bus
        count = len(self.writes)
        index = Signal(range(count + 1))
        m.d.comb += [bus.wstrb.eq(ALL_BYTES), bus.bready.eq(1)]
        if self.writes:
            addresses, values = zip(*self.writes, strict=True)
            m.d.comb += [
                bus.awaddr.eq(Array(Const(address, 32) for address in addresses)[index]),
                bus.wdata.eq(Array(Const(value, 32) for value in values)[index]),
            ]
        with m.FSM():
            with m.State("NEXT"):
                with m.If(index == count):
                    m.d.comb += self.done.eq(1)
                with m.Else():
                    m.d.sync += [bus.awvalid.eq(1), bus.wvalid.eq(1)]
                    m.next = "WRITE"
            with m.State("WRITE"):
                with m.If(bus.awready):
                    m.d.sync += bus.awvalid.eq(0)
                with m.If(bus.wready):
                    m.d.sync += bus.wvalid.eq(0)
                with m.If(bus.bvalid):
                    m.d.sync += index.eq(index + 1)
                    m.next = "NEXT"
        return m
