"""Terasic's DE5-Net with a Stratix V, the board of the papers seed 000 and seed 001."""

from dataclasses import dataclass

from boards.board import Board, Command
from boards.fusesoc import CoreBuild
from boards.pins import Pin, Pinout
from boards.ports import Ports
from boards.quartus import quartus_commands, quartus_core, quartus_files
from boards.quartus_system import (
    ENGINE,
    has_system,
    jtag_access,
    quartus_system,
    system_command,
)
from boards.resources import Resources
from rtl.contract.face import Face

FAMILY = "Stratix V"
#: The oscillator and the reset button are the first two pins; `De5Net.files` relies on the order.
PINOUT = Pinout(
    source="github.com/alexforencich/verilog-ethernet, example/DE5-Net/fpga/fpga.qsf and "
    "rtl/fpga.v, whose names are Terasic's",
    pins=(
        Pin(net="OSC_50_B3B", place="PIN_AW35", standard="2.5 V", about="oscillator of 50 MHz"),
        Pin(net="CPU_RESET_n", place="PIN_BC37", standard="2.5 V", about="button, low if pushed"),
        *(
            Pin(net=f"LED[{k}]", place=place, standard="2.5 V", about="light, on if low")
            for k, place in enumerate(("PIN_AW37", "PIN_AV37", "PIN_BB36", "PIN_BB39"))
        ),
    ),
)

RESOURCES = Resources(
    source="SV51001, Stratix V Device Overview, table of GX devices, 5SGXA7",
    lut=234_720,
    ff=938_880,
    dsp=256,
    block_name="M20K",
    block_bits=20 * 1024,
    blocks=2_560,
)

#: Avalon interfaces, with a width that Platform Designer's DMAs support.
FACE = Face(bus="avalon", bus_bits=128)


@dataclass(frozen=True, kw_only=True)
class De5Net(Board):
    """The DE5-Net, with two builds: the engine in a system, or the engine alone.

    In the system, DMAs connect the engine to a memory on the chip, which a JTAG master also reads
    and writes. A PLL derives the engine's clock from an oscillator of 50 MHz.
    """

    name: str = "de5-net"
    title: str = "DE5-Net (Stratix V GX A7)"
    part: str = "5SGXEA7N2F45C2"
    clock_mhz: float = 200.0
    target: str = "alm"
    face: Face = FACE
    transfer_per_packet: bool = True
    pinout: Pinout = PINOUT
    resources: Resources = RESOURCES

    def files(self, ports: Ports) -> dict[str, str]:
        clock, reset, *_ = self.pinout.pins
        system = quartus_system(
            self, ports, family=FAMILY, clock=clock, reset=reset, oscillator_mhz=50
        )
        return quartus_files(self, ports, family=FAMILY) | system

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        system = (system_command(ports),) if has_system(ports) else ()
        return (*system, *quartus_commands())

    def registers_at(self, ports: Ports) -> int | None:
        return ENGINE if has_system(ports) else None

    def host_access(self, ports: Ports) -> str | None:
        return jtag_access(ports) if has_system(ports) else None

    def core_build(self, ports: Ports) -> CoreBuild:
        return quartus_core(self, ports, family=FAMILY)
