"""What a board is to the generator: a part, a clock, and the build files for a design on it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Ports:
    """The bus ports of a generated design.

    Attributes
    ----------
    top : str
        Name of the top module, and of its file without ``.v``.
    ports : tuple of (str, str, int)
        Name, direction (``input`` or ``output``) and width in bits of every port, in order.
    """

    top: str
    ports: tuple[tuple[str, str, int], ...]

    def bus(self, prefix):
        """The ports of an AXI interface, such as ``s_axis``: role, direction and width of each."""
        return tuple(
            (name.removeprefix(f"{prefix}_"), direction, width)
            for name, direction, width in self.ports
            if name.startswith(f"{prefix}_")
        )

    @property
    def data(self):
        """Every port but clock and reset."""
        return tuple(port for port in self.ports if port[0] not in ("aclk", "aresetn"))


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
    """

    name: str
    title: str
    part: str | None
    clock_mhz: float
    target: str

    @property
    def period_ns(self):
        return round(1000 / self.clock_mhz, 3)

    @abstractmethod
    def files(self, ports: Ports) -> dict[str, str]:
        """Build files by path, as they lie beside ``<top>.v``."""
