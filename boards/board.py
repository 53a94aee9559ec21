"""Describes a board to the generator: part, clock, and the build files of a design on the board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from amaranth.hdl import Shape
from amaranth.lib.wiring import In

from boards.pins import Pinout
from boards.resources import Resources
from rtl.bus.ports import Bus, axi_buses_of, buses_of, clock_and_reset
from rtl.contract.design import Design
from rtl.contract.face import PLAIN, Face, can_join
from rtl.contract.rows import RowSchema

if TYPE_CHECKING:
    from boards.fusesoc import CoreBuild

#: Parts of a design's identifier in IP-XACT, FuseSoC and Vivado; the fourth is the top's name.
VENDOR, LIBRARY, VERSION = "sluice", "engine", "1.0"


@dataclass(frozen=True, kw_only=True)
class Ports:
    """The ports of a generated design.

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
        Address and value of each register that the engine needs before its first stream: the
        numbers of the query.
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
    def of_design(cls, top: str, design: Design) -> Ports:
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
    def axi_of(cls, top: str, design: Design) -> Ports:
        """Returns the ports of a design with AXI buses, even if the design has another face."""
        return cls(top=top, buses=axi_buses_of(design), interrupt=design.face.interrupt)

    @property
    def is_axi(self) -> bool:
        """True if clock, reset, streams and registers have AXI's names and protocols."""
        return any(bus.name == "s_axil" for bus in self.buses)

    @property
    def register_bus(self) -> Bus:
        """The slave bus of the registers, of AXI4-Lite or Avalon-MM."""
        return next(b for b in self.buses if b.mode == "slave" and b.kind in ("aximm", "avalon"))

    @property
    def vlnv(self) -> str:
        """Vendor, library, name and version of the design, separated by colons."""
        return f"{VENDOR}:{LIBRARY}:{self.top}:{VERSION}"

    def bus_ports(self, bus: Bus) -> tuple[tuple[str, str, int], ...]:
        """Returns role, direction and width in bits of each port of a bus."""
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


@dataclass(frozen=True, kw_only=True)
class Command:
    """A command for the directory of a generated design.

    Attributes
    ----------
    line : str
        The text that the user types.
    result : str
        Description of the files that the command writes, in Markdown.
    """

    line: str
    result: str


@dataclass(frozen=True, kw_only=True)
class Board(ABC):
    """A board, or a family of FPGAs if no particular board is meant.

    Attributes
    ----------
    name : str
        The name on the command line.
    title : str
        The manufacturer's name of the board.
    part : str or None
        The ordering code of the FPGA.
    clock_mhz : float
        Frequency of the engine's clock, in MHz.
    target : str
        The target of ``sluice report`` that represents the board.
    face : rtl.contract.face.Face
        The default kind and width of the buses, which fits the board's memory ports and DMAs.
    transfer_per_packet : bool
        True if the host must set up one transfer of the board's DMA for each packet. A packet for
        each window, which may be a single row, would then need a transfer for each row.
    pinout : boards.pins.Pinout or None
        Pins for a top around the engine.
    resources : boards.resources.Resources or None
        Resources of the part; None if there is no particular part.
    """

    name: str
    title: str
    part: str | None
    clock_mhz: float
    target: str
    face: Face = PLAIN
    transfer_per_packet: bool = False
    pinout: Pinout | None = None
    resources: Resources | None = None

    @property
    def option_names(self) -> tuple[str, ...]:
        """Names of the board's own options, for ``--set``."""
        return ()

    def with_options(self, options: Mapping[str, Any]) -> Board:
        """Returns the board with values of its own options; raises TypeError or ValueError."""
        return self

    @property
    def period_ns(self) -> float:
        """Period of the engine's clock, in nanoseconds."""
        return round(1000 / self.clock_mhz, 3)

    def face_for(self, rows: RowSchema) -> Face:
        """Returns the default face of a design with these rows.

        If each packet needs a DMA transfer and the rows contain the number of their window, all
        rows of a stream are one packet. Otherwise each window is a packet, because the packet's
        position in the stream is the number of the window.
        """
        if self.transfer_per_packet and self.face.packets is None and can_join(rows):
            return replace(self.face, packets="stream")
        return self.face

    @abstractmethod
    def files(self, ports: Ports) -> dict[str, str]:
        """Returns the build files by path relative to ``<top>.v``, without the ``.core`` file."""

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        """Returns the commands that build the design; most users need only the first command."""
        return ()

    def registers_at(self, ports: Ports) -> int | None:
        """Returns the base address of the registers in a processor's address map, if any."""
        return None

    def host_access(self, ports: Ports) -> str | None:
        """Returns a Markdown text about how a host's program accesses the built system.

        None if no command builds a file that the board can load.
        """
        return None

    def core_build(self, ports: Ports) -> CoreBuild | None:
        """Returns the board's part of the ``.core`` file, or None without a build for the board."""
        return None
