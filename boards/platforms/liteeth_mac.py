"""Writes the Verilog of an Ethernet MAC with its PHY interface, LiteEth (BSD-2).

    python boards/platforms/liteeth_mac.py ecp5-rgmii 0 2e-9      receive delay, transmit delay
    python boards/platforms/liteeth_mac.py artix-mii 0 0

The module ``liteeth_mac`` has the pins of the PHY, and two streams of 64 bits in the domain of
``clk``: ``rx`` from the wire and ``tx`` to the wire. A packet is a frame without preamble and FCS.
``last_be`` has a single one at the last byte of a frame, in the beat with ``last``. ``error`` of
the last beat is not 0 if the FCS was wrong. The MAC pads short frames. The registers of the cores
keep their reset values, so the MAC needs no processor.

The program runs in a process of its own, because it imports a second hardware language.
"""

import sys
from collections.abc import Callable

from liteeth.common import eth_interpacket_gap, eth_phy_description
from liteeth.mac import gap
from liteeth.mac.core import LiteEthMACCore
from liteeth.mac.last_be import LiteEthMACTXLastBE
from liteeth.phy.ecp5rgmii import LiteEthPHYRGMII
from liteeth.phy.mii import LiteEthPHYMII
from litex.build.lattice.common import lattice_ecp5_special_overrides
from litex.build.xilinx.common import xilinx_s7_special_overrides, xilinx_special_overrides
from litex.gen.fhdl.verilog import convert
from litex.soc.interconnect.stream import Buffer
from migen import ClockDomain, ClockDomainsRenamer, Module, Signal

NAME = "liteeth_mac"
#: Bits of each signal of a stream.
STREAM = {"valid": 1, "ready": 1, "last": 1, "data": 64, "last_be": 8, "error": 8}
RGMII = {"tx_ctl": 1, "tx_data": 4, "rx_ctl": 1, "rx_data": 4}
MII = {"tx_en": 1, "tx_data": 4, "rx_dv": 1, "rx_data": 4}


class Pads:
    """Signals of a PHY as attributes."""


class Mac(Module):
    """PHY and MAC. Every pin has an explicit name, because automatic names change between runs."""

    def __init__(self, phy, pins):
        self.clock_domains.cd_sys = ClockDomain("sys")
        clk, rst = Signal(name="clk"), Signal(name="rst")
        self.comb += [self.cd_sys.clk.eq(clk), self.cd_sys.rst.eq(rst)]
        self.pins = {clk, rst}
        clocks, pads = Pads(), Pads()
        for side in ("tx", "rx"):
            self._add_pad(clocks, side, f"phy_{side}_clk", 1)
        for name, bits in pins.items():
            self._add_pad(pads, name, f"phy_{name}", bits)
        self._add_pad(pads, "rst_n", "phy_rst_n", 1)
        self.submodules.phy = phy(clocks, pads)
        # A PHY of 8 bits leaves last_be at 0, and with 0 the MAC finds no FCS wrong.
        self.comb += self.phy.source.last_be.eq(self.phy.source.last)
        self.submodules.mac = mac = LiteEthMACCore(
            self.phy, dw=64, tx_cdc_buffered=True, rx_cdc_buffered=True
        )
        # The path of ready from the CRC back to the FIFO is too long for 125 MHz without registers.
        layout = eth_phy_description(8)
        buffer = Buffer(layout, pipe_valid=True, pipe_ready=True)
        self.submodules.buffer = ClockDomainsRenamer("eth_tx")(buffer)
        position = [type(part) for part in mac.tx_datapath.pipeline].index(LiteEthMACTXLastBE)
        mac.tx_datapath.pipeline.insert(position + 1, self.buffer)
        self._add_stream("rx", self.mac.source, is_input=False)
        self._add_stream("tx", self.mac.sink, is_input=True)
        for part in (self.phy, self.mac):
            for register in part.get_csrs():
                register.finalize(8, "big")
                self.submodules += register

    def _add_pad(self, pads, name, port, bits):
        signal = Signal(bits, name=port)
        setattr(pads, name, signal)
        self.pins.add(signal)

    def _add_stream(self, side, end, is_input):
        for name, bits in STREAM.items():
            pin, inner = Signal(bits, name=f"{side}_{name}"), getattr(end, name)
            self.comb += inner.eq(pin) if is_input == (name != "ready") else pin.eq(inner)
            self.pins.add(pin)


def rgmii(rx_delay: float, tx_delay: float) -> tuple[Callable, dict, dict]:
    """Returns the RGMII interface of an ECP5 with delays in seconds, its pins and its cells."""

    def phy(clocks, pads):
        return LiteEthPHYRGMII(clocks, pads, rx_delay=rx_delay, tx_delay=tx_delay)

    return phy, RGMII, lattice_ecp5_special_overrides


def mii(rx_delay: float, tx_delay: float) -> tuple[Callable, dict, dict]:
    """Returns the MII interface, which has no delays, its pins and the cells of 7-series parts.

    The MAC counts the gap between two frames in cycles of the PHY's clock, a byte in each. A byte
    takes two cycles over MII.
    """
    gap.eth_interpacket_gap = 2 * eth_interpacket_gap
    return LiteEthPHYMII, MII, xilinx_special_overrides | xilinx_s7_special_overrides


if __name__ == "__main__":
    kind, *delays = sys.argv[1:]
    phy, pins, cells = {"ecp5-rgmii": rgmii, "artix-mii": mii}[kind](*map(float, delays))
    mac = Mac(phy, pins)
    print(convert(mac, mac.pins, name=NAME, special_overrides=cells))
