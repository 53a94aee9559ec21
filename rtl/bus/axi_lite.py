"""An AXI4-Lite slave that turns bus transactions into register reads and writes."""

from amaranth.hdl import Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

OKAY = 0b00


def axi_lite_members(address_width):
    """Returns the ports of a 32-bit AXI4-Lite slave, by their AXI names."""
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
    """Carries out one read and one write at a time; reads and writes do not wait for each other.

    A read is answered in the cycle after its address, with the ``read_data`` that ``read_address``
    selected in the cycle of the address. With ``waits`` the address is stored, and the read is
    answered in the cycle after ``read_done``. ``write`` is high for one cycle after address and
    data are both offered, in either order, while no response is pending. In this cycle the write
    takes place, and address and data are accepted; the response follows one cycle later. Every
    response is OKAY: an address without a register reads 0 and ignores writes. The owner of the
    slave must apply ``write_strobe``.

    Every ready and every valid comes from a register: no output depends on a valid or a ready of
    the same cycle. Latency 1 cycle for reads, and 2 cycles from the offer of a write's address and
    data to its response. Initiation interval 2 cycles for reads, 2 for writes; with ``waits`` both
    figures of a read grow by 1 cycle, and by the cycles for which ``read_done`` stays low.

    Parameters
    ----------
    address_width : int
        Bits of a byte address.
    waits : bool
        The value of a read may come later than its address.

    Members
    -------
    bus : Out(Signature of :func:`axi_lite_members`)
    read_address : Out(address_width)
    read_data : In(32)
    read : Out(1), or none
        High from the cycle after the address up to ``read_done``; ``read_address`` does not change.
    read_done : In(1), or none
        ``read_data`` is valid. Only a cycle of ``read`` counts.
    write : Out(1)
    write_address : Out(address_width)
    write_data : Out(32)
    write_strobe : Out(4)

    Source: AMBA AXI4-Lite.
    """

    def __init__(self, address_width, *, waits=False):
        self._waits = waits
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
            | ({"read": Out(1), "read_done": In(1)} if waits else {})
        )

    def elaborate(self, platform):
        m = Module()
        bus = self.bus
        m.d.comb += [
            bus.rresp.eq(OKAY),
            bus.bresp.eq(OKAY),
            bus.awready.eq(self.write),
            bus.wready.eq(self.write),
            self.write_address.eq(bus.awaddr),
            self.write_data.eq(bus.wdata),
            self.write_strobe.eq(bus.wstrb),
        ]
        with m.If(self._read_ends(m)):
            m.d.sync += [bus.rvalid.eq(1), bus.rdata.eq(self.read_data)]
        with m.Elif(bus.rready):
            m.d.sync += bus.rvalid.eq(0)
        response_pending = bus.bvalid & ~bus.bready
        m.d.sync += self.write.eq(bus.awvalid & bus.wvalid & ~self.write & ~response_pending)
        with m.If(self.write):
            m.d.sync += bus.bvalid.eq(1)
        with m.Elif(bus.bready):
            m.d.sync += bus.bvalid.eq(0)
        return m

    def _read_ends(self, m):
        """Accepts addresses of reads; returns a bit: ``read_data`` has the value of a read."""
        bus = self.bus
        accepts = bus.arvalid & bus.arready
        if not self._waits:
            m.d.comb += [bus.arready.eq(~bus.rvalid), self.read_address.eq(bus.araddr)]
            return accepts
        ends = self.read & self.read_done
        m.d.comb += bus.arready.eq(~bus.rvalid & ~self.read)
        m.d.sync += self.read.eq(accepts | (self.read & ~ends))
        with m.If(accepts):
            m.d.sync += self.read_address.eq(bus.araddr)
        return ends
