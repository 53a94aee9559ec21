"""Radiona's ULX3S with the largest ECP5, as amaranth-boards describes it. It has no Ethernet.

Its link is the USB serial port.
"""

from amaranth_boards.ulx3s import ULX3S_85F_Platform

from boards.platforms.families import ECP5
from boards.platforms.held_pins import HeldPin
from boards.platforms.platform_board import PlatformBoard
from boards.platforms.serial import SerialPort
from boards.resources import LFE5UM_85

#: Holds GPIO0 at 1: with its delivered firmware the ESP32 loads the FPGA itself if GPIO0 is 0.
_ESP32_GPIO0 = HeldPin(
    resource="esp32",
    number=0,
    pins=("en", "tx", "rx", "gpio0", "gpio5", "gpio16", "gpio17"),
    pin="gpio0",
    value=1,
)
ULX3S_85 = PlatformBoard.with_link(
    name="ulx3s-85",
    title="Radiona ULX3S 85F (LFE5U-85F)",
    url="https://radiona.org/ulx3s",
    part="LFE5U-85F-6BG381C",
    clock_mhz=50,
    target="ecp5",
    resources=LFE5UM_85,
    platform=ULX3S_85F_Platform,
    family=ECP5,
    serial=SerialPort(
        resource="uart",
        baud=3_000_000,
        most_baud=3_000_000,
        source="ftdichip.com, DS_FT231X: baud rates of 300 to 3 Mbaud",
    ),
    lights=tuple(("led", k) for k in range(4)),
    held=(_ESP32_GPIO0,),
)
