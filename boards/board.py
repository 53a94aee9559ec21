"""Describes a board to the generator: part, clock, and the build files of a design on the board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from boards.fusesoc import CoreBuild
from boards.pins import Pinout
from boards.ports import Ports
from boards.resources import Resources
from rtl.contract.face import PLAIN, Face, can_join
from rtl.contract.rows import RowSchema


@dataclass(frozen=True, kw_only=True)
class Command:
    """Describes a command that a user runs in the directory of a generated design.

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
    """Describes a board, or a family of FPGAs if no particular board is meant.

    Attributes
    ----------
    name : str
        The name on the command line.
    title : str
        The manufacturer's name of the board.
    part : str or None
        The ordering code of the FPGA; None without a particular board.
    clock_mhz : float
        Frequency of the engine's clock, in MHz.
    target : str
        The target of ``sluice report`` that represents the board.
    face : rtl.contract.face.Face
        The default kind and width of the buses, which fits the board's memory ports and DMAs.
    transfer_per_packet : bool
        True if the host must set up a transfer of the board's DMA for each packet. If each window
        is a packet, and each window has one row, a transfer then brings a single row.
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
        """Returns the board with these values of its own options, by name.

        Raises TypeError or ValueError for a wrong value.
        """
        return self

    @property
    def period_ns(self) -> float:
        """Period of the engine's clock in nanoseconds, to a picosecond: 6.667 for 150 MHz."""
        return round(1000 / self.clock_mhz, 3)

    def face_for(self, rows: RowSchema) -> Face:
        """Returns the default face of a design with these rows.

        The rows of a stream become one packet if each packet needs a DMA transfer, if each window
        would be a packet, and if the number of a row's window is known without packets: from a
        field, or because each window has one row. Otherwise the face is the board's ``face``.
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
        """Returns the base address of the registers in the system that the board's commands build.

        None if they build no system with a processor or another master of the registers.
        """
        return None

    def host_access(self, ports: Ports) -> str | None:
        """Returns a Markdown text that says how a host's program accesses the built system.

        None if no command builds a file that the board can load.
        """
        return None

    def core_build(self, ports: Ports) -> CoreBuild | None:
        """Returns the board's part of the ``.core`` file, or None without a build for the board."""
        return None
