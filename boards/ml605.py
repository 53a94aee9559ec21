"""Xilinx's ML605 with a Virtex-6, the board of seeds 001 and 002."""

from dataclasses import dataclass

from boards.board import Board, Command
from boards.ise import Part, ise_commands, ise_files
from boards.pins import Pin, Pinout
from boards.ports import Ports
from boards.resources import Resources

PART = Part(family="Virtex6", device="xc6vlx240t", package="ff1156", speed="-1")
_LEDS = ("AC22", "AC24", "AE22", "AE23", "AB23", "AG23", "AE24", "AD24")
PINOUT = Pinout(
    source="github.com/alexforencich/verilog-ethernet, example/ML605/fpga_gmii/fpga.ucf, and "
    "github.com/VLSI-EDA/PoC, ucf/ML605, which agree",
    pins=(
        Pin(net="SYSCLK_P", place="J9", standard="LVDS_25", about="oscillator of 200 MHz"),
        Pin(net="SYSCLK_N", place="H9", standard="LVDS_25", about="its other half"),
        Pin(net="CPU_RESET", place="H10", standard="LVCMOS15", about="button SW10, high if pushed"),
        *(
            Pin(net=f"GPIO_LED_{k}", place=place, standard="LVCMOS25", about="high: it shines")
            for k, place in enumerate(_LEDS)
        ),
    ),
)

RESOURCES = Resources(
    source="DS150, Virtex-6 Family Overview, table of devices, XC6VLX240T",
    lut=150_720,
    ff=301_440,
    dsp=768,
    block_name="RAMB36",
    block_bits=36 * 1024,
    blocks=416,
)


@dataclass(frozen=True, kw_only=True)
class Ml605(Board):
    """The ML605. The build implements the engine alone.

    In a complete design an MMCM derives the engine's clock from the oscillator of 200 MHz.

    The seeds' engines ran at 157 MHz on this board.
    """

    name: str = "ml605"
    title: str = "ML605 (Virtex-6 LX240T)"
    part: str = PART.code
    clock_mhz: float = 150.0
    target: str = "xc6v"
    pinout: Pinout = PINOUT
    resources: Resources = RESOURCES

    def files(self, ports: Ports) -> dict[str, str]:
        return ise_files(self, ports, PART)

    def commands(self, ports: Ports) -> tuple[Command, ...]:
        return ise_commands(ports)
