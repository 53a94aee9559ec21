"""The serial port of a board, and the MAC between its pins and an engine."""

from dataclasses import dataclass, replace

from amaranth.build import Subsignal
from amaranth.hdl import Elaboratable, Module
from amaranth.lib import io

from boards.platforms.frame_signals import frame_signals
from rtl.serial.bit_time import FRAME_BITS, BitTime
from rtl.serial.mac import SerialMac

#: Slowest baud rate that is allowed.
LEAST_BAUD = 9_600


@dataclass(frozen=True, kw_only=True)
class SerialPort:
    """A serial port: 8N1 without flow control. Its UART runs at the clock of the oscillator.

    Attributes
    ----------
    resource : str
        Name of the pins ``rx`` and ``tx`` in the board's platform.
    number : int
        Number of the port.
    baud : int
        Baud rate.
    most_baud : int
        Fastest baud rate of the chip between the pins and the host.
    source : str
        Public source of the fastest baud rate.
    """

    resource: str
    number: int = 0
    baud: int
    most_baud: int
    source: str

    #: Name of the MAC's submodule in the top module.
    name = "serial_port"
    #: Names of the link and of the UART's clock in reports.
    carrier = "the serial line"
    clock_title = "serial port"
    #: Prefixes of the names that the net of the oscillator's clock may have in nextpnr's report.
    net = ("serial_port.", "clocking.oscillator.")
    #: No pin of the board needs a second clock from the PLL, as an Ethernet PHY may.
    reference = None
    reference_mhz = None

    @property
    def bytes_per_second(self) -> int:
        """Bytes that the line carries in a second."""
        return self.baud // FRAME_BITS

    def with_baud(self, value: object) -> "SerialPort":
        """Returns the port with another baud rate; raises ValueError for a rate it cannot have."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number or not LEAST_BAUD <= value <= self.most_baud:
            rates = f"a whole number from {LEAST_BAUD} to {self.most_baud}"
            raise ValueError(f"baud must be {rates}, not {value!r}")
        return replace(self, baud=value)

    def mac(self) -> "PinnedSerialMac":
        """Returns the component that connects the MAC to the board's pins."""
        return PinnedSerialMac(self)

    def verilog(self) -> dict[str, str]:
        """Returns the Verilog that the MAC needs, by the names of files: none."""
        return {}


class PinnedSerialMac(Elaboratable):
    """Connects a :class:`~rtl.serial.mac.SerialMac` to the pins of a serial port.

    ``rx`` and ``tx`` are two AXI4-Streams of frames with 64 bits in the domain ``sync``: each is a
    dict of signals by AXI role, such as ``tdata``. Packets, ``tuser`` and ``tkeep`` have the same
    meaning as in :class:`~boards.platforms.ethernet.EthernetMac`. The domain ``serial`` has the
    clock of the oscillator.

    Parameters
    ----------
    port : SerialPort
    """

    #: Domain with the clock of the oscillator.
    oscillator_domain = "serial"

    def __init__(self, port):
        self._port = port
        self.rx = frame_signals("rx", user=True)
        self.tx = frame_signals("tx", user=False)

    def elaborate(self, platform: object) -> Module:
        m = Module()
        port = self._port
        m.submodules.mac = mac = SerialMac(BitTime(platform.default_clk_frequency, port.baud))
        resource = platform.lookup(port.resource, port.number)
        pin_names = [part.name for part in resource.ios if isinstance(part, Subsignal)]
        pins = platform.request(port.resource, port.number, dir=dict.fromkeys(pin_names, "-"))
        m.submodules.rxd = rxd = io.Buffer("i", pins.rx)
        m.submodules.txd = txd = io.Buffer("o", pins.tx)
        m.d.comb += [mac.rxd.eq(rxd.i), txd.o.eq(mac.txd)]
        for role, signal in self.rx.items():
            mac_signal = getattr(mac.rx, role)
            m.d.comb += mac_signal.eq(signal) if role == "tready" else signal.eq(mac_signal)
        for role, signal in self.tx.items():
            mac_signal = getattr(mac.tx, role)
            m.d.comb += signal.eq(mac_signal) if role == "tready" else mac_signal.eq(signal)
        return m
