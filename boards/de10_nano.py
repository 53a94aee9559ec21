"""Terasic's DE10-Nano with a Cyclone V, as amaranth-boards describes it.

The FPGA itself has no Ethernet: the port of the board belongs to the processor.
"""

from amaranth_boards.de10_nano import DE10NanoPlatform

from boards.platforms.families import CYCLONE5
from boards.platforms.platform_board import PlatformBoard
from boards.resources import Resources

DE10_NANO = PlatformBoard.with_link(
    name="de10-nano",
    title="Terasic DE10-Nano (Cyclone V 5CSEBA6)",
    url="https://www.terasic.com.tw/cgi-bin/page/archive.pl?No=1046",
    part="5CSEBA6U23I7",
    clock_mhz=100,
    target="alm",
    resources=Resources(
        source="CV-51001, Cyclone V Device Overview, table of SE devices, 5CSEA6",
        lut=41_509,
        ff=166_036,
        dsp=112,
        block_name="M10K",
        block_bits=10 * 1024,
        blocks=557,
    ),
    platform=DE10NanoPlatform,
    family=CYCLONE5,
    lights=tuple(("led", k) for k in range(2)),
)
