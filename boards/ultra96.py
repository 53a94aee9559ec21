"""Avnet's Ultra96-V2 with a Zynq UltraScale+, the board of the paper seed 003."""

from dataclasses import dataclass

from boards.board import Board, Command
from boards.fusesoc import CoreBuild
from boards.ports import Ports
from boards.resources import Resources
from boards.vivado import (
    VIVADO_COMMANDS,
    is_kernel,
    kernel_command,
    vivado_core,
    vivado_files,
    vivado_kernel,
)
from boards.vivado_system import (
    ENGINE,
    has_system,
    pynq_access,
    system_command,
    vivado_system,
)
from rtl.contract.face import Face

#: Pattern of the board's name in the manufacturer's files for Vivado. It matches two spellings:
#: files before version 1.3 have the vendor ``avnet.com`` and the name ``ultra96v2``, version 1.3
#: has ``Avnet-tria`` and ``Ultra96v2`` (github.com/Avnet/bdf, ultra96v2/1.3/board.xml).
BOARD_PART = "*ltra96v2:part0:*"

RESOURCES = Resources(
    source="DS891, Zynq UltraScale+ MPSoC Data Sheet: Overview, table of CG and EG devices, ZU3EG",
    lut=70_560,
    ff=141_120,
    dsp=360,
    block_name="RAMB36",
    block_bits=36 * 1024,
    blocks=216,
)

#: Streams have the width of an HP port, 128 bits.
FACE = Face(bus_bits=128)


@dataclass(frozen=True, kw_only=True)
class Ultra96V2(Board):
    """The Ultra96-V2. The processing system provides every connection of the engine, so the build
    needs no pins.

    The engine's clock is a PL clock that boot software sets. An AXI DMA transfers the streams, and
    a general-purpose AXI port of the processing system accesses the registers.
    """

    name: str = "ultra96-v2"
    title: str = "Ultra96-V2 (Zynq UltraScale+ ZU3EG)"
    part: str = "xczu3eg-sbva484-1-i"
    clock_mhz: float = 200.0
    target: str = "xcup"
    face: Face = FACE
    transfer_per_packet: bool = True
    resources: Resources = RESOURCES

    def files(self, ports: Ports) -> dict[str, str]:
        system = vivado_system(self, ports, BOARD_PART)
        return vivado_files(self, ports) | vivado_kernel(self, ports) | system

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        system = (system_command(ports),) if has_system(ports) else ()
        kernel = (kernel_command(ports),) if is_kernel(ports) else ()
        return (*system, *kernel, *VIVADO_COMMANDS)

    def registers_at(self, ports: Ports) -> int | None:
        return ENGINE if has_system(ports) else None

    def host_access(self, ports: Ports) -> str | None:
        return pynq_access(ports) if has_system(ports) else None

    def core_build(self, ports: Ports) -> CoreBuild:
        return vivado_core(self, ports)
