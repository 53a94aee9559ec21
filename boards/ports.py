"""Describes the ports of a generated design, for the build files of boards."""

from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.lib.wiring import In

from rtl.bus.ports import Bus, axi_buses_of, buses_of, clock_and_reset
from rtl.contract.design import Design

#: Parts of a design's identifier in IP-XACT, FuseSoC and Vivado; the fourth is the top's name.
VENDOR, LIBRARY, VERSION = "sluice", "engine", "1.0"


@dataclass(frozen=True, kw_only=True)
class Ports:
    """Describes the ports of a generated design, and the register writes that it needs.

    Attributes
    ----------
    top : str
        Name of the top module, and of the module's file without ``.v``.
    buses : tuple of rtl.bus.ports.Bus
    interrupt : bool
        True if the design has an output ``interrupt``.
    clock, reset : str
        Names of the ports. The reset is active low.
    writes : tuple of (int, int)
        Address and value of each register write that a board without a processor makes before the
        first stream: the numbers of the query, such as (32, 600) for RANGE 600. :meth:`of_design`
        leaves them out, and :attr:`gen.design.build.Build.ports` adds them.
    host_link : bool
        True if datagrams read and write the registers of the design.
    """

    top: str
    buses: tuple[Bus, ...]
    interrupt: bool = False
    clock: str = "aclk"
    reset: str = "aresetn"
    writes: tuple[tuple[int, int], ...] = ()
    host_link: bool = False

    @classmethod
    def of_design(cls, top: str, design: Design) -> "Ports":
        """Returns the ports of the generated Verilog of a design; ``top`` is its module's name."""
        clock, reset = clock_and_reset(design)
        interrupt, buses = design.face.interrupt, buses_of(design)
        return cls(
            top=top,
            buses=buses,
            interrupt=interrupt,
            clock=clock,
            reset=reset,
            host_link=design.face.host_link,
        )

    @classmethod
    def axi_of(cls, top: str, design: Design) -> "Ports":
        """Returns the ports of a design's AXI top, even if a top with another face ships.

        For instance with ``bus=avalon`` the ports are those of ``s_axis``, and not of ``sink``.
        """
        return cls(top=top, buses=axi_buses_of(design), interrupt=design.face.interrupt)

    @property
    def is_axi(self) -> bool:
        """True if clock, reset, streams and registers have AXI's names and protocols."""
        return any(bus.name == "s_axil" for bus in self.buses)

    @property
    def register_bus(self) -> Bus:
        """The slave bus of the registers: AXI4-Lite's, also with Vitis's name, or Avalon-MM's."""
        return next(b for b in self.buses if b.mode == "slave" and b.kind in ("aximm", "avalon"))

    @property
    def vlnv(self) -> str:
        """Vendor, library, name and version of the design, separated by colons."""
        return f"{VENDOR}:{LIBRARY}:{self.top}:{VERSION}"

    def bus_ports(self, bus: Bus) -> tuple[tuple[str, str, int], ...]:
        """Returns role, direction and width in bits of each port of a bus.

        The direction is seen from the design: ``("tdata", "input", 128)`` of ``s_axis``.
        """
        return tuple(
            (role, "input" if member.flow is In else "output", Shape.cast(member.shape).width)
            for role, member in bus.members.items()
        )

    @property
    def data(self) -> tuple[tuple[str, str, int], ...]:
        """Name, direction and width in bits of every port except clock and reset, in order."""
        ports = tuple(
            (f"{bus.name}_{role}", direction, width)
            for bus in self.buses
            for role, direction, width in self.bus_ports(bus)
        )
        return (*ports, ("interrupt", "output", 1)) if self.interrupt else ports

    @property
    def ports(self) -> tuple[tuple[str, str, int], ...]:
        """Name, direction and width in bits of every port, in order."""
        return ((self.clock, "input", 1), (self.reset, "input", 1), *self.data)
