"""Lets two masters use the registers of a top: the pins, and a second master inside the top."""

from amaranth.hdl import Module, Mux, Signal
from amaranth.lib import stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members
from rtl.ethernet.etherbone import ACCESS


class SharedRegisters(wiring.Component):
    """Passes the transactions of the pins to the registers, and puts single accesses of the second
    master between them.

    An access waits until the transactions that the pins have begun are over, and no other
    transaction of the pins begins until the access is complete. Then the pins have at least one
    cycle to begin. So the pins wait for at most one access, and an access waits for at most one
    read and one write of the pins.

    An access has no register if its address is not a multiple of 4, or needs more than
    ``address_width`` bits: a read returns 0, and a write changes nothing.

    Latency 4 cycles for a read, which include the cycle of its offer and the cycle of its value; 5
    for a write, and 2 without a register. An access takes longer by the cycles in which it waits
    for the pins, and a read by the cycles for which the registers let it wait. Initiation interval
    4 cycles. The pins lose no cycle while no access is offered.

    Parameters
    ----------
    address_width : int
        Bits of a byte address of the registers.

    Members
    -------
    pins : Out(the ports of AXI4-Lite)
        The slave for the first master.
    access : In(stream.Signature(ACCESS))
        A read or write of the second master, accepted in the cycle in which it is complete.
    read_value : Out(32)
        Value of a read, in the cycle in which ``access`` is accepted; 0 without a register.
    bus : In(the ports of AXI4-Lite)
        The registers, an :class:`~rtl.bus.axi_lite.AxiLiteSlave`. A read on offer may be withdrawn
        from it, and so may a write until the cycle before the slave accepts it.

    Source: ours.
    """

    latency = 4
    initiation_interval = 4

    def __init__(self, address_width):
        self._address_width = address_width
        members = axi_lite_members(address_width)
        super().__init__(
            {
                "pins": Out(wiring.Signature(members)),
                "access": In(stream.Signature(ACCESS)),
                "read_value": Out(32),
                "bus": In(wiring.Signature(members)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        access = self.access
        bus = self.bus
        blocked = Signal()
        owns_bus = Signal()
        quiet = self._pass_pins(m, blocked, owns_bus)
        address = Signal(self._address_width)
        value = Signal(32)
        # An access is offered for at least a cycle before it is made, and does not change.
        m.d.sync += [address.eq(access.p.address), value.eq(access.p.value)]
        beyond = access.p.address[self._address_width :].any()
        has_register = ~beyond & ~access.p.address[:2].any()
        with m.FSM():
            with m.State("PINS"), m.If(access.valid):
                m.next = "WAIT"
                with m.If(~has_register):
                    m.next = "NO_REGISTER"
            with m.State("WAIT"):
                m.d.comb += blocked.eq(1)
                with m.If(quiet):
                    m.next = "READ"
                    with m.If(access.p.write):
                        m.next = "WRITE"
            with m.State("READ"):
                m.d.comb += [owns_bus.eq(1), bus.araddr.eq(address), bus.arvalid.eq(1)]
                with m.If(bus.arready):
                    m.next = "VALUE"
            with m.State("VALUE"):
                m.d.comb += [owns_bus.eq(1), bus.rready.eq(1), access.ready.eq(bus.rvalid)]
                with m.If(bus.rvalid):
                    m.next = "PINS"
            with m.State("WRITE"):
                m.d.comb += [
                    owns_bus.eq(1),
                    bus.awaddr.eq(address),
                    bus.awvalid.eq(1),
                    bus.wdata.eq(value),
                    bus.wstrb.eq(~0),
                    bus.wvalid.eq(1),
                ]
                with m.If(bus.awready):
                    m.next = "RESPONSE"
            with m.State("RESPONSE"):
                m.d.comb += [owns_bus.eq(1), bus.bready.eq(1), access.ready.eq(bus.bvalid)]
                with m.If(bus.bvalid):
                    m.next = "PINS"
            with m.State("NO_REGISTER"):
                m.d.comb += access.ready.eq(1)
                m.next = "PINS"
        m.d.comb += self.read_value.eq(Mux(owns_bus, bus.rdata, 0))
        return m

    def _pass_pins(self, m, blocked, owns_bus):
        """Connects the pins to the registers. A high ``blocked`` lets no transaction begin. Returns
        a bit: no transaction of the pins is under way."""
        pins = self.pins
        bus = self.bus
        reading = Signal()
        writing = Signal()
        write_passes = Signal()
        write_begins = Signal()
        m.d.comb += [
            # A write that the registers have seen must stay on offer until they accept it.
            write_passes.eq(~blocked | (writing & ~bus.bvalid)),
            write_begins.eq(pins.awvalid & pins.wvalid & write_passes & ~bus.awready),
        ]
        with m.If(~owns_bus):
            m.d.comb += [
                bus.araddr.eq(pins.araddr),
                bus.arprot.eq(pins.arprot),
                bus.arvalid.eq(pins.arvalid & ~blocked),
                pins.arready.eq(bus.arready & ~blocked),
                pins.rdata.eq(bus.rdata),
                pins.rresp.eq(bus.rresp),
                pins.rvalid.eq(bus.rvalid),
                bus.rready.eq(pins.rready),
                bus.awaddr.eq(pins.awaddr),
                bus.awprot.eq(pins.awprot),
                bus.awvalid.eq(pins.awvalid & write_passes),
                pins.awready.eq(bus.awready),
                bus.wdata.eq(pins.wdata),
                bus.wstrb.eq(pins.wstrb),
                bus.wvalid.eq(pins.wvalid & write_passes),
                pins.wready.eq(bus.wready),
                pins.bresp.eq(bus.bresp),
                pins.bvalid.eq(bus.bvalid),
                bus.bready.eq(pins.bready),
            ]
            m.d.sync += [
                reading.eq(
                    (reading & ~(pins.rvalid & pins.rready)) | (pins.arvalid & pins.arready)
                ),
                writing.eq((writing & ~(pins.bvalid & pins.bready)) | write_begins),
            ]
        return ~reading & ~writing
