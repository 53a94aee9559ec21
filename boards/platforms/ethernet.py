"""The Ethernet port of a board, and the MAC between its pins and an engine."""

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from amaranth.build import Subsignal
from amaranth.hdl import Cat, ClockSignal, Elaboratable, Instance, Module, Mux, ResetSignal, Signal
from amaranth.lib import io

from boards.platforms.frame_signals import BYTES, frame_signals

#: Program that writes the MAC's Verilog, and name of the MAC's Verilog module.
PROGRAM = Path(__file__).with_name("liteeth_mac.py")
NAME = "liteeth_mac"
#: Direction of each of the MAC's pins, by kind of PHY, except the clocks and the reset.
_PINS = {
    "ecp5-rgmii": {"tx_ctl": "o", "tx_data": "o", "rx_ctl": "i", "rx_data": "i"},
    "artix-mii": {"tx_en": "o", "tx_data": "o", "rx_dv": "i", "rx_data": "i"},
}
#: Direction of the clock pins, by kind of PHY. The FPGA makes the transmit clock of RGMII; the PHY
#: makes both clocks of MII.
_CLOCKS = {
    "ecp5-rgmii": {"tx_clk": "o", "rx_clk": "i"},
    "artix-mii": {"tx_clk": "i", "rx_clk": "i"},
}


@dataclass(frozen=True, kw_only=True)
class Ethernet:
    """Describes an Ethernet port of a board.

    Attributes
    ----------
    kind : str
        ``ecp5-rgmii`` or ``artix-mii``: interface of the PHY, and family of the part.
    resource : str
        Name of the pins in the board's platform.
    number : int
        Number of the port.
    clock_mhz : float
        Frequency of the PHY's clocks.
    rx_delay, tx_delay : float
        Delays between clock and data that the FPGA adds, in seconds. RGMII needs 2 ns; the PHY or
        the board adds the rest.
    reference : str or None
        Name of the platform's pin on which the FPGA must send a clock to the PHY.
    reference_mhz : float or None
        Frequency of this clock.
    source : str
        Public source of the delays and of the reference.
    """

    kind: str
    resource: str
    number: int = 0
    clock_mhz: float
    rx_delay: float = 0
    tx_delay: float = 0
    reference: str | None = None
    reference_mhz: float | None = None
    source: str

    #: Name of the MAC's submodule in the top module.
    name = "ethernet"
    #: Names of the link and of its clock in reports.
    carrier = "Ethernet"
    clock_title = "Ethernet receiver"
    #: Prefix of the names of the clock's nets.
    net = "ethernet."

    @property
    def bytes_per_second(self) -> int:
        """Bytes that the wire carries in a second."""
        return self.megabits * 125_000

    def mac(self) -> "EthernetMac":
        """Returns the component that connects the MAC to the board's pins."""
        return EthernetMac(self)

    def verilog(self) -> dict[str, str]:
        """Returns the Verilog that the MAC needs, by the names of files."""
        return {f"{NAME}.v": mac_verilog(self)}

    @property
    def slowest_clock_mhz(self) -> float:
        """Slowest clock of the engine in MHz: 64 bits per cycle carry the wire's rate."""
        return self.megabits / 64

    @property
    def megabits(self) -> int:
        """Rate of the wire in Mb/s: RGMII moves 8 bits in a cycle, and MII 4."""
        return round(self.clock_mhz * (8 if "rgmii" in self.kind else 4))


@cache
def mac_verilog(ethernet: Ethernet) -> str:
    """Returns the Verilog of the module ``liteeth_mac``, the same text for the same port.

    Raises RuntimeError with the program's errors if LiteEth fails.
    """
    delays = str(ethernet.rx_delay), str(ethernet.tx_delay)
    # Names that Migen makes up depend on the order of sets, so on the seed of Python's hashes.
    completed = subprocess.run(
        [sys.executable, str(PROGRAM), ethernet.kind, *delays],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    if completed.returncode:
        raise RuntimeError(f"{PROGRAM.name} failed:\n{completed.stderr[-2000:]}")
    # The comments around the modules contain the date, so the text would differ on each day.
    text = completed.stdout
    begin, end = text.index("`timescale"), text.rindex("endmodule")
    licence = "// The MAC and the PHY's interface are LiteEth's (BSD-2-Clause), made by LiteX.\n"
    return f"{licence}{text[begin:end]}endmodule\n"


class EthernetMac(Elaboratable):
    """Connects LiteEth's MAC to the pins of the PHY, and to two AXI4-Streams of frames.

    ``rx`` (from the wire) and ``tx`` (to the wire) have 64 bits in the domain ``sync``. Each is a
    dict of signals by AXI role, such as ``tdata``. A packet is a frame without preamble and FCS.
    ``tuser`` with the last beat of ``rx`` says that the FCS was wrong. The ones of ``tkeep`` are
    its lowest bits, and a beat that does not end a frame is full.

    ``rx`` must never stall for longer than the MAC's FIFO of 32 beats. A frame that has begun on
    ``tx`` must be offered without a gap, at a clock of at least a 64th of the wire's bits per
    second: 15.6 MHz for 1 Gb/s.

    Parameters
    ----------
    ethernet : Ethernet
    """

    #: Name of the clock domain that the top must drive from the oscillator. A MAC has its clock
    #: from the PHY and needs none.
    oscillator_domain = None

    def __init__(self, ethernet):
        self._ethernet = ethernet
        self.rx = frame_signals("rx", user=True)
        self.tx = frame_signals("tx", user=False)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        kind = self._ethernet.kind
        pins = self._request(platform)
        ports = {}
        for role, direction in (_CLOCKS[kind] | _PINS[kind] | {"rst": "o"}).items():
            port = pins[role]
            m.submodules[role] = buffer = io.Buffer(direction, port)
            if role == "rst":
                # LiteEth's reset is active low. The platform's buffer expects an active high reset,
                # and inverts the pin itself if the pin is active low.
                reset_n = Signal()
                m.d.comb += buffer.o.eq(~reset_n)
                ports["o_phy_rst_n"] = reset_n
            elif direction == "o":
                ports[f"o_phy_{role}"] = buffer.o
            else:
                ports[f"i_phy_{role}"] = buffer.i
            if role in _CLOCKS[kind] and direction == "i":
                platform.add_clock_constraint(port.io, self._ethernet.clock_mhz * 1e6)
        m.submodules.mac = Instance(
            NAME,
            i_clk=ClockSignal(),
            i_rst=ResetSignal(),
            **ports,
            **self._rx_ports(m),
            **self._tx_ports(),
        )
        return m

    def _request(self, platform):
        """Returns the PHY's pins by role; ``tx_ctl`` is called ``tx_ctrl`` on some boards."""
        resource = platform.lookup(self._ethernet.resource, self._ethernet.number)
        names = [part.name for part in resource.ios if isinstance(part, Subsignal)]
        directions = dict.fromkeys(names, "-")
        group = platform.request(resource.name, resource.number, dir=directions)
        return {name.replace("ctrl", "ctl"): getattr(group, name) for name in names}

    def _rx_ports(self, m):
        """Returns the ports of the MAC's stream ``rx``, and drives ``tkeep`` and ``tuser``.

        ``last_be`` has a single one, at the last byte of the frame. For instance ``last_be`` of
        0b100 in the last beat becomes ``tkeep`` 0b111.
        """
        last_be, error = Signal(BYTES), Signal(BYTES)
        up_to_last = Cat((last_be >> k).any() for k in range(BYTES))
        m.d.comb += [
            self.rx["tkeep"].eq(Mux(self.rx["tlast"], up_to_last, ~0)),
            self.rx["tuser"].eq(error.any()),
        ]
        return {
            "o_rx_valid": self.rx["tvalid"],
            "i_rx_ready": self.rx["tready"],
            "o_rx_last": self.rx["tlast"],
            "o_rx_data": self.rx["tdata"],
            "o_rx_last_be": last_be,
            "o_rx_error": error,
        }

    def _tx_ports(self):
        """Returns the ports of the MAC's stream ``tx``; `_rx_ports` explains ``last_be``."""
        keep = self.tx["tkeep"]
        last_byte = keep & ~(keep >> 1)
        return {
            "i_tx_valid": self.tx["tvalid"],
            "o_tx_ready": self.tx["tready"],
            "i_tx_last": self.tx["tlast"],
            "i_tx_data": self.tx["tdata"],
            "i_tx_last_be": Mux(self.tx["tlast"], last_byte, 0),
            "i_tx_error": 0,
        }
