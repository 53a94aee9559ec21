"""LambdaConcept's ECPIX-5 with the larger ECP5, as amaranth-boards describes it."""

from amaranth_boards.ecpix5 import ECPIX585Platform

from boards.platforms.ethernet import Ethernet
from boards.platforms.families import ECP5
from boards.platforms.platform_board import PlatformBoard
from boards.resources import LFE5UM_85

ECPIX5_85 = PlatformBoard.with_link(
    name="ecpix5-85",
    title="LambdaConcept ECPIX-5 85F (LFE5UM5G-85F)",
    url="https://shop.lambdaconcept.com/home/46-ecpix-5.html",
    part="LFE5UM5G-85F-8BG554C",
    clock_mhz=50,
    target="ecp5",
    resources=LFE5UM_85,
    platform=ECPIX585Platform,
    family=ECP5,
    ethernet=Ethernet(
        kind="ecp5-rgmii",
        resource="eth_rgmii",
        clock_mhz=125,
        tx_delay=2e-9,
        source="github.com/litex-hub/litex-boards, targets/lambdaconcept_ecpix5.py: rx_delay 0, "
        "and LiteEth's own tx_delay",
    ),
    lights=tuple(("rgb_led", k, "g") for k in range(4)),
)
