"""Writes the Verilog of an Ethernet MAC with its PHY interface, LiteEth (BSD-2).

    python boards/platforms/liteeth_mac.py ecp5-rgmii 0 2e-9
    python boards/platforms/liteeth_mac.py artix-mii 0 0

The arguments are the interface, and the delays between clock and data that the FPGA adds, in
seconds: 0 when it receives, and 2 ns when it transmits. MII has no delays.

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
#: Bits of each signal of a stream of the MAC, by name.
STREAM = {"valid": 1, "ready": 1, "last": 1, "data": 64, "last_be": 8, "error": 8}
#: Bits of each pin of the PHY by name, without clocks and reset.
RGMII = {"tx_ctl": 1, "tx_data": 4, "rx_ctl": 1, "rx_data": 4}
MII = {"tx_en": 1, "tx_data": 4, "rx_dv": 1, "rx_data": 4}


class Pads:
    """Signals of a PHY as attributes."""


class Mac(Module):
    """Connects the interface of a PHY to a MAC.

    Every pin has an explicit name, because automatic names change between runs.

    Parameters
    ----------
    phy : callable
        Makes the interface from the clock pins and the other pins, two objects of `Pads`.
    pins : dict of str to int
        `RGMII` or `MII`.
    """

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
        """Adds a pin ``port`` to the module, and makes it the attribute ``name`` of ``pads``."""
        signal = Signal(bits, name=port)
        setattr(pads, name, signal)
        self.pins.add(signal)

    def _add_stream(self, side, end, is_input):
        """Adds the pins of a stream, and connects them to ``end``, the MAC's source or sink.

        Only ``ready`` goes against the direction of the stream.
        """
        for name, bits in STREAM.items():
            pin, inner = Signal(bits, name=f"{side}_{name}"), getattr(end, name)
            self.comb += inner.eq(pin) if is_input == (name != "ready") else pin.eq(inner)
            self.pins.add(pin)


def rgmii(rx_delay: float, tx_delay: float) -> tuple[Callable, dict, dict]:
    """Returns the interface of an ECP5 to RGMII, with delays in seconds.

    The result has a callable and pins for :class:`Mac`, and the part's own cells for general parts
    of LiteX, such as registers that transfer a bit at both edges of a clock.
    """

    def phy(clocks, pads):
        return LiteEthPHYRGMII(clocks, pads, rx_delay=rx_delay, tx_delay=tx_delay)

    return phy, RGMII, lattice_ecp5_special_overrides


def mii(rx_delay: float, tx_delay: float) -> tuple[Callable, dict, dict]:
    """Returns the interface of a 7-series part to MII, as :func:`rgmii` does; delays are ignored.

    The MAC counts the gap between two frames in cycles of the PHY's clock, as if each cycle carried
    a byte. A byte takes two cycles over MII, so the function doubles the constant of LiteEth: 12
    bytes are 24 cycles.
    """
    gap.eth_interpacket_gap = 2 * eth_interpacket_gap
    return LiteEthPHYMII, MII, xilinx_special_overrides | xilinx_s7_special_overrides


if __name__ == "__main__":
    kind, *delays = sys.argv[1:]
    phy, pins, cells = {"ecp5-rgmii": rgmii, "artix-mii": mii}[kind](*map(float, delays))
    mac = Mac(phy, pins)
    print(convert(mac, mac.pins, name=NAME, special_overrides=cells))
