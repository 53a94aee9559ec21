"""Checks the Verilog of LiteEth's MAC: the ports that the top connects, and the delays."""

import re

import pytest

from boards import BOARDS
from boards.platforms.ethernet import mac_verilog
from boards.platforms.liteeth_mac import NAME

#: Pins of the PHY and signals of a stream, with their bits: the standards RGMII and MII have 4 bits
#: of data, and a beat of the network face has 8 bytes.
RGMII = {"tx_ctl": 1, "tx_data": 4, "rx_ctl": 1, "rx_data": 4}
MII = {"tx_en": 1, "tx_data": 4, "rx_dv": 1, "rx_data": 4}
STREAM = {"valid": 1, "ready": 1, "last": 1, "data": 64, "last_be": 8, "error": 8}
#: Direction of each stream's signals at the module; ready has the other direction.
STREAMS = {"rx": "output", "tx": "input"}
OTHER = {"input": "output", "output": "input"}


@pytest.mark.parametrize(
    ("board", "pins", "clocks"),
    [("versa-ecp5", RGMII, ("output", "input")), ("arty-a7", MII, ("input", "input"))],
)
def test_ports(board, pins, clocks):
    text = mac_verilog(BOARDS[board].ethernet)
    head = text[text.index(f"module {NAME} (") :].partition(");")[0]
    ports = {
        name: (way, int(top or 0) + 1)
        for way, top, name in re.findall(r"(input|output) +\w+ +(?:\[(\d+):0\] )?(\w+)", head)
    }
    expected = {"clk": ("input", 1), "rst": ("input", 1), "phy_rst_n": ("output", 1)}
    expected |= {"phy_tx_clk": (clocks[0], 1), "phy_rx_clk": (clocks[1], 1)}
    for name, bits in pins.items():
        expected[f"phy_{name}"] = ("output" if name.startswith("tx") else "input", bits)
    for side, way in STREAMS.items():
        for name, bits in STREAM.items():
            expected[f"{side}_{name}"] = (OTHER[way] if name == "ready" else way, bits)
    assert ports == expected


def test_delays_are_taps_of_25_picoseconds():
    """The transmit clock of ecpix5-85 is delayed by 2 ns, which are 80 taps; no other pin is."""
    taps = {
        board: sorted(
            map(int, re.findall(r"DEL_VALUE +\(\d+'d(\d+)\)", mac_verilog(BOARDS[board].ethernet)))
        )
        for board in ("versa-ecp5", "ecpix5-85")
    }
    assert taps == {"versa-ecp5": [0] * 11, "ecpix5-85": [0] * 10 + [80]}


@pytest.mark.parametrize(("board", "cycles_of_byte"), [("versa-ecp5", 1), ("arty-a7", 2)])
def test_the_gap_between_two_frames_takes_12_bytes(board, cycles_of_byte):
    """The MAC counts the gap in cycles of the PHY's clock; over MII a byte takes two cycles."""
    text = mac_verilog(BOARDS[board].ethernet)
    state = text[text.index("case (txdatapath_liteethmacgap_state)") :]
    last = re.search(r"_counter == \d+'d(\d+)\)", state)
    assert int(last[1]) + 1 == 12 * cycles_of_byte
