"""Lattice's Versa board with an ECP5, as amaranth-boards describes it."""

from amaranth_boards.versa_ecp5 import VersaECP5Platform

from boards.platforms.ethernet import Ethernet
from boards.platforms.families import ECP5
from boards.platforms.platform_board import PlatformBoard
from boards.resources import LFE5UM_45

VERSA_ECP5 = PlatformBoard.with_link(
    name="versa-ecp5",
    title="Lattice Versa ECP5 (LFE5UM-45F)",
    url="https://www.latticesemi.com/products/developmentboardsandkits/ecp5versadevelopmentkit",
    part="LFE5UM-45F-8BG381C",
    clock_mhz=62.5,
    target="ecp5",
    resources=LFE5UM_45,
    platform=VersaECP5Platform,
    family=ECP5,
    ethernet=Ethernet(
        kind="ecp5-rgmii",
        resource="eth_rgmii",
        clock_mhz=125,
        source="github.com/litex-hub/litex-boards, targets/lattice_versa_ecp5.py: no delays",
    ),
    lights=tuple(("led", k) for k in range(4)),
)
