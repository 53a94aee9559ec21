"""What a board is to the generator: a part, a clock, and the build files for a design on it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from amaranth.hdl import Shape
from amaranth.lib.wiring import In

from boards.pins import Pinout
from boards.resources import Resources
from rtl.bus.ports import Bus, axi_buses_of, buses_of, clock_and_reset
from rtl.contract.face import PLAIN, Face, can_join

#: Who the designs are from, as IP-XACT, FuseSoC and Vivado want it; each has its top's name.
VENDOR, LIBRARY, VERSION = "sluice", "engine", "1.0"


@dataclass(frozen=True, kw_only=True)
class Ports:
    """The ports of a generated design.

    Attributes
    ----------
    top : str
        Name of the top module, and of its file without ``.v``.
    buses : tuple of rtl.bus.ports.Bus
    interrupt : bool
        There is an output of that name.
    clock, reset : str
        The reset is active low.
    """

    top: str
    buses: tuple[Bus, ...]
    interrupt: bool = False
    clock: str = "aclk"
    reset: str = "aresetn"

    @classmethod
    def of_design(cls, top, design):
        """Those of the top of that name that ships of a design."""
        clock, reset = clock_and_reset(design)
        interrupt, buses = design.face.interrupt, buses_of(design)
        return cls(top=top, buses=buses, interrupt=interrupt, clock=clock, reset=reset)

    @classmethod
    def axi_of(cls, top, design):
        """The same as AXI has them, whatever the design's face is."""
        return cls(top=top, buses=axi_buses_of(design), interrupt=design.face.interrupt)

    @property
    def is_axi(self):
        """Whether clock, reset, streams and registers have the names and the ways of AXI."""
        return any(bus.name == "s_axil" for bus in self.buses)

    @property
    def vlnv(self):
        """Vendor, library, name and version of the design."""
        return f"{VENDOR}:{LIBRARY}:{self.top}:{VERSION}"

    def of(self, bus):
        """The ports of one of ``buses``: role, direction and width in bits of each."""
        return tuple(
            (role, "input" if member.flow is In else "output", Shape.cast(member.shape).width)
            for role, member in bus.members.items()
        )

    @property
    def data(self):
        """Name, direction and width of every port but clock and reset, in order."""
        ports = tuple(
            (f"{bus.name}_{role}", direction, width)
            for bus in self.buses
            for role, direction, width in self.of(bus)
        )
        return (*ports, ("interrupt", "output", 1)) if self.interrupt else ports

    @property
    def ports(self):
        """Name, direction and width of every port, in order."""
        return ((self.clock, "input", 1), (self.reset, "input", 1), *self.data)


@dataclass(frozen=True, kw_only=True)
class Command:
    """What a user types in the directory of a design, and what he has then.

    Attributes
    ----------
    line, makes : str
    """

    line: str
    makes: str


@dataclass(frozen=True, kw_only=True)
class Board(ABC):
    """A board, or a family when it is no particular one.

    Attributes
    ----------
    name : str
        As on the command line.
    title : str
        As its maker calls it.
    part : str or None
        The ordering code of the FPGA.
    clock_mhz : float
        The engine's clock.
    target : str
        The target of ``sluice report`` that stands for it.
    face : rtl.contract.face.Face
        What the buses look like when nothing else is asked for, so that they fit what is there.
    transfer_per_packet : bool
        The board's DMA takes one packet for each transfer that a host sets up. Then a packet for
        each window, which may be a single row, would be a transfer for each row.
    pinout : boards.pins.Pinout or None
        Pins for a top around the engine.
    resources : boards.resources.Resources or None
        What the part has; None where there is no particular part.
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
    def period_ns(self):
        return round(1000 / self.clock_mhz, 3)

    def face_for(self, rows):
        """Returns the face of a design with such rows when nothing else is asked for.

        Where each packet is a transfer, a stream is one packet if its rows say of which window they
        are. Else each window stays a packet: its place among the packets is its number.
        """
        if self.transfer_per_packet and self.face.packets is None and can_join(rows):
            return replace(self.face, packets="stream")
        return self.face

    @abstractmethod
    def files(self, ports: Ports) -> dict[str, str]:
        """Build files by path, as they lie beside ``<top>.v``; none but the ``.core`` file."""

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        """What builds the design with these files; the first one is all that most users need."""
        return ()

    def registers_at(self, ports: Ports) -> int | None:
        """The base address of the registers as a processor of the board sees it, if one does."""
        return None

    def host_access(self, ports: Ports) -> str | None:
        """Tells in Markdown how a host's program reaches what the commands build.

        None where no command ends with something that a board can load.
        """
        return None

    def core_build(self, ports: Ports):
        """What the ``.core`` file has of this board, a :class:`boards.fusesoc.CoreBuild`.

        None when there is nothing to build with.
        """
        return None
