"""An AXI4-Lite slave that turns bus transactions into register reads and writes."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

OKAY = 0b00


def axi_lite_members(address_width):
    """Ports of a 32-bit AXI4-Lite slave, by their AXI names."""
    return {
        "awaddr": In(address_width),
        "awprot": In(3),
        "awvalid": In(1),
        "awready": Out(1),
        "wdata": In(32),
        "wstrb": In(4),
        "wvalid": In(1),
        "wready": Out(1),
        "bresp": Out(2),
        "bvalid": Out(1),
        "bready": In(1),
        "araddr": In(address_width),
        "arprot": In(3),
        "arvalid": In(1),
        "arready": Out(1),
        "rdata": Out(32),
        "rresp": Out(2),
        "rvalid": Out(1),
        "rready": In(1),
    }


class AxiLiteSlave(wiring.Component):
    """One transaction of each kind at a time; reads and writes do not wait for each other.

    A read is answered in the cycle after its address, with what ``read_data`` showed for
    ``read_address`` then. A write takes place in the one cycle in which ``write`` is high, in
    which its address and its data are taken: the cycle after both have been offered, in either
    order, and no answer is waiting. It is answered in the cycle after that.
    Every answer is OKAY: an address without a register reads 0 and ignores writes. ``wstrb`` is
    honoured by the caller.

    Every ready and every valid comes from a register: none follows a valid or a ready in the same
    cycle. Initiation interval 2 cycles for reads, 2 for writes.

    Parameters
    ----------
    address_width : int
        Bits of a byte address.

    Members
    -------
    bus : Out(Signature of :func:`axi_lite_members`)
    read_address : Out(address_width)
    read_data : In(32)
    write : Out(1)
    write_address : Out(address_width)
    write_data : Out(32)
    write_strobe : Out(4)

    Source: AMBA AXI4-Lite.
    """

    def __init__(self, address_width):
        super().__init__(
            {
                "bus": Out(wiring.Signature(axi_lite_members(address_width))),
                "read_address": Out(address_width),
                "read_data": In(32),
                "write": Out(1),
                "write_address": Out(address_width),
                "write_data": Out(32),
                "write_strobe": Out(4),
            }
        )

    def elaborate(self, platform):
        m = Module()
        bus = self.bus
        m.d.comb += [
            bus.rresp.eq(OKAY),
            bus.bresp.eq(OKAY),
            bus.arready.eq(~bus.rvalid),
            self.read_address.eq(bus.araddr),
            bus.awready.eq(self.write),
            bus.wready.eq(self.write),
            self.write_address.eq(bus.awaddr),
            self.write_data.eq(bus.wdata),
            self.write_strobe.eq(bus.wstrb),
        ]
        with m.If(bus.arvalid & bus.arready):
            m.d.sync += [bus.rvalid.eq(1), bus.rdata.eq(self.read_data)]
        with m.Elif(bus.rready):
            m.d.sync += bus.rvalid.eq(0)
        waiting = bus.bvalid & ~bus.bready
        m.d.sync += self.write.eq(bus.awvalid & bus.wvalid & ~self.write & ~waiting)
        with m.If(self.write):
            m.d.sync += bus.bvalid.eq(1)
        with m.Elif(bus.bready):
            m.d.sync += bus.bvalid.eq(0)
        return m
