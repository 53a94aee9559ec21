"""Avnet's Ultra96-V2: a Zynq UltraScale+, the board of seed 003."""

from dataclasses import dataclass

from boards.board import Board, Ports
from boards.vivado import vivado_core, vivado_files
from boards.vivado_system import vivado_system
from rtl.contract.face import Face

#: The board's name in its maker's files for Vivado.
BOARD_PART = "avnet.com:ultra96v2:part0:*"

#: Streams as wide as an HP port.
FACE = Face(bus_bits=128)


@dataclass(frozen=True, kw_only=True)
class Ultra96V2(Board):
    """The engine hangs on the processing system: its clock is a PL clock that boot software sets,
    its streams go to an AXI DMA, its registers to a general-purpose AXI port.
    """

    name: str = "ultra96-v2"
    title: str = "Ultra96-V2 (Zynq UltraScale+ ZU3EG)"
    part: str = "xczu3eg-sbva484-1-i"
    clock_mhz: float = 200.0
    target: str = "xcup"
    face: Face = FACE

    def files(self, ports: Ports):
        return vivado_files(self, ports) | vivado_system(self, ports, BOARD_PART)

    def core_build(self, ports: Ports):
        return vivado_core(self, ports)
