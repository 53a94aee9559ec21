"""Computes the ports of a design's top, the outermost module in the Verilog, without building it.

Each design has an *AXI top*. With ``bus=axi`` it ships as it is. With another face a
:class:`~rtl.bus.faced_top.FacedTop` around it ships, which renames or converts its buses: with
``bus=avalon`` the port ``s_axis_tdata`` of the AXI top is ``sink_data`` of the top that ships.
"""

from dataclasses import dataclass, replace

from amaranth.lib.wiring import In, Out

from rtl.bus.avalon import avalon_slave_members, avalon_stream_members
from rtl.bus.axi_lite import axi_lite_members
from rtl.bus.registers import ADDRESS_WIDTH
from rtl.memory.axi4 import axi4_pins
from rtl.stream.axi_stream import axi_stream_members


@dataclass(frozen=True, kw_only=True)
class Bus:
    """Describes one bus of the top: the standard that it follows, and its ports.

    For instance, the stream of tuples of an AXI top is the bus ``s_axis`` of kind "axis" and mode
    "slave"; its members "tdata", "tvalid", ... are the ports ``s_axis_tdata``, ``s_axis_tvalid``.

    Attributes
    ----------
    name : str
        The prefix of its ports, such as ``s_axis``.
    kind : str
        "axis" for AXI4-Stream, "aximm" for AXI4 and AXI4-Lite, "avalon_streaming" and "avalon" for
        Avalon's streams and registers.
    mode : str
        "slave" or "master".
    members : dict of str to wiring.Member
        Ports of the bus by role, such as ``tdata``, with directions as seen from the top.
    reads, writes : int
        Maximum number of read bursts, and of write bursts, that a memory master has under way; 0
        for other buses.
    """

    name: str
    kind: str
    mode: str
    members: dict
    reads: int = 0
    writes: int = 0

    @property
    def title(self):
        """Name of the bus in its standard. Bursts distinguish AXI4 from AXI4-Lite."""
        if self.kind != "aximm":
            titles = {"axis": "AXI4-Stream", "avalon_streaming": "Avalon-ST", "avalon": "Avalon-MM"}
            return titles[self.kind]
        return "AXI4" if "awlen" in self.members else "AXI4-Lite"

    @property
    def ports(self):
        """The members by the names of their ports."""
        return {f"{self.name}_{role}": member for role, member in self.members.items()}


def axi_buses_of(design):
    """Returns every :class:`Bus` of a design's AXI top, in the order of its ports."""
    streams = [
        Bus(
            name=bus.name,
            kind="axis",
            mode="slave" if bus.slave else "master",
            members=axi_stream_members(bus.bytes, In if bus.slave else Out, bus.user),
        )
        for bus in design.pins
    ]
    registers = Bus(
        name="s_axil", kind="aximm", mode="slave", members=axi_lite_members(ADDRESS_WIDTH)
    )
    memories = [
        Bus(
            name=bus.name,
            kind="aximm",
            mode="master",
            members=axi4_pins(bus.data_width, bus.address_width, bus.id_width),
            reads=bus.reads,
            writes=bus.writes,
        )
        for bus in design.memories
    ]
    return (*streams, registers, *memories)


def buses_of(design):
    """Returns every :class:`Bus` of the top that ships.

    The buses are those of the AXI top, in the same order; the design's face may convert or rename
    them. For instance ``avalon`` turns ``s_axis`` into ``sink``.
    """
    return tuple(_FACES[design.face.bus](bus) for bus in axi_buses_of(design))


def _avalon(bus):
    """Returns the Avalon bus for a stream or the registers; a memory master stays AXI4.

    For instance ``m_axis_evicted`` becomes ``source_evicted``. No bus has ``tuser`` here, because
    :class:`~rtl.contract.face.Face` refuses it with ``avalon``.
    """
    if bus.kind == "axis":
        byte_count = bus.members["tkeep"].shape
        flow = In if bus.mode == "slave" else Out
        prefix = "sink" if bus.mode == "slave" else "source"
        return Bus(
            name=prefix + bus.name[len("s_axis") :],  # the name begins with s_axis or m_axis
            kind="avalon_streaming",
            mode=bus.mode,
            members=avalon_stream_members(byte_count, flow),
        )
    if bus.mode == "slave":
        members = avalon_slave_members(ADDRESS_WIDTH)
        return Bus(name="registers", kind="avalon", mode="slave", members=members)
    return bus


def _vitis(bus):
    """Returns the bus; the registers get the name that Vitis requires of a kernel."""
    return replace(bus, name="s_axi_control") if bus.name == "s_axil" else bus


_FACES = {"axi": lambda bus: bus, "avalon": _avalon, "vitis": _vitis}
_CLOCKS = {
    "axi": ("aclk", "aresetn"),
    "avalon": ("clk", "reset_n"),
    "vitis": ("ap_clk", "ap_rst_n"),
}


def clock_and_reset(design):
    """Returns the names of the two ports of the top that ships; the reset is active low."""
    return _CLOCKS[design.face.bus]


def axi_ports_of(design):
    """Returns every port of a design's AXI top, see :func:`ports_of`."""
    return _ports(_CLOCKS["axi"], axi_buses_of(design), design)


def ports_of(design):
    """Returns every port of the top that ships by name, as members of a signature.

    Clock and reset come first, then the buses, then the interrupt if the face has one.
    """
    return _ports(clock_and_reset(design), buses_of(design), design)


def _ports(clock_and_reset_names, buses, design):
    ports = {name: In(1) for name in clock_and_reset_names}
    for bus in buses:
        ports |= bus.ports
    return ports | ({"interrupt": Out(1)} if design.face.interrupt else {})
