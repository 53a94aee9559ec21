"""Digilent's Arty A7 with an Artix-7, as amaranth-boards describes it."""

from amaranth_boards.arty_a7 import ArtyA7_35Platform

from boards.platforms.ethernet import Ethernet
from boards.platforms.families import ARTIX7
from boards.platforms.platform_board import PlatformBoard
from boards.resources import Resources

ARTY_A7 = PlatformBoard.with_link(
    name="arty-a7",
    title="Digilent Arty A7-35T (Artix-7 XC7A35T)",
    url="https://digilent.com/reference/programmable-logic/arty-a7/start",
    part="xc7a35ticsg324-1L",
    clock_mhz=100,
    target="xc7",
    resources=Resources(
        source="DS180, 7 Series FPGAs Data Sheet: Overview, table of Artix-7 devices, XC7A35T",
        lut=20_800,
        ff=41_600,
        dsp=90,
        block_name="RAMB36",
        block_bits=36 * 1024,
        blocks=50,
    ),
    platform=ArtyA7_35Platform,
    family=ARTIX7,
    ethernet=Ethernet(
        kind="artix-mii",
        resource="eth_mii",
        clock_mhz=25,
        reference="eth_clk25",
        reference_mhz=25,
        source="Digilent's reference manual of the Arty A7: the FPGA gives the PHY 25 MHz",
    ),
    lights=tuple(("led", k) for k in range(4)),
)
