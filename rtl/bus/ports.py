"""The flat ports of a design's top, bus by bus: asked without making it."""

from dataclasses import dataclass

from amaranth.lib.wiring import In, Out

from rtl.bus.axi_lite import axi_lite_members
from rtl.bus.registers import ADDRESS_WIDTH
from rtl.memory.axi4 import axi4_members
from rtl.stream.axi_stream import axi_stream_members


@dataclass(frozen=True, kw_only=True)
class Bus:
    """An AXI interface of the top.

    Attributes
    ----------
    name : str
        The prefix of its ports, such as ``s_axis``.
    kind : str
        "axis" for AXI4-Stream, "aximm" for AXI4 and AXI4-Lite.
    mode : str
        "slave" or "master".
    members : dict of str to wiring.Member
        By role, such as ``tdata``, seen from the top.
    """

    name: str
    kind: str
    mode: str
    members: dict

    @property
    def ports(self):
        """The members by the names of their ports."""
        return {f"{self.name}_{role}": member for role, member in self.members.items()}


def buses_of(design):
    """Every :class:`Bus` of a design's top, in the order of its ports."""
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
            members=axi4_members(bus.data_width, bus.address_width, bus.id_width),
        )
        for bus in design.memories
    ]
    return (*streams, registers, *memories)


def ports_of(design):
    """Every port of a design's top by name, as members of a signature: clock and reset first.

    An interrupt is the last one.
    """
    ports = {"aclk": In(1), "aresetn": In(1)}
    for bus in buses_of(design):
        ports |= bus.ports
    return ports | ({"interrupt": Out(1)} if design.face.interrupt else {})
