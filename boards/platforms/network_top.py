"""Builds the top of a board with a link: clock, MAC, register writes, engine and lights."""

from amaranth.hdl import (
    ClockDomain,
    ClockSignal,
    Const,
    Elaboratable,
    Instance,
    Module,
    ResetSignal,
)

from boards.platforms.clocking import Clocking
from boards.platforms.held_pins import HeldPins
from boards.platforms.lights import Lights
from rtl.bus.register_writer import RegisterWriter
from rtl.bus.registers import ADDRESS_WIDTH

#: The buses of a design that this top needs.
BUSES = {"s_axis_rx", "m_axis_tx", "s_axil"}
#: Streams of a design that this top accepts without a stall and drops, because nothing on the board
#: takes them. The counter ``collision`` still counts evicted keys.
DROPPED = {"m_axis_evicted"}
#: Meaning of each light from light 0 on, for the documents.
LIGHTS = (
    "blinks every 2^26 cycles, which are 1.1 s at 62.5 MHz and 0.5 s at 125 MHz: the PLL has "
    "locked, and the engine's clock runs",
    "on: the registers of the network face and of the engine have been written",
    "flashes: a frame arrives from the wire",
    "flashes: a frame is sent",
)


class NetworkTop(Elaboratable):
    """Connects an engine with a network face to the Ethernet port or the serial port of a board.

    ::

        pins --- MAC --- rx, tx --- engine --- s_axil --- RegisterWriter

    After a reset the top makes the register writes of ``ports``, for instance 600 for RANGE 600,
    then the writes of the board's link. The board's MAC address is written last, so the board
    answers no frame before its engine is ready. After these writes ``s_axil`` is idle; with
    ``host_link`` datagrams read and write registers, too.

    Parameters
    ----------
    board : boards.platforms.platform_board.PlatformBoard
        A board with a port of a link.
    ports : boards.ports.Ports
        Ports of the engine, whose buses are `BUSES`, perhaps with some of `DROPPED`.
    """

    def __init__(self, board, ports):
        self._board = board
        self._ports = ports

    def elaborate(self, platform: object) -> Module:
        m = Module()
        m.domains.sync = ClockDomain()
        board, ports, port = self._board, self._ports, self._board.port
        mac = port.mac()
        if mac.oscillator_domain is not None:
            m.domains += ClockDomain(mac.oscillator_domain)
        m.submodules.clocking = Clocking(
            board.family.pll,
            board.clock_mhz,
            port.reference,
            port.reference_mhz,
            mac.oscillator_domain,
        )
        m.submodules[port.name] = mac
        writes = (*ports.writes, *board.link.writes(ports.host_link))
        m.submodules.writer = writer = RegisterWriter(writes, ADDRESS_WIDTH)
        registers = {role: getattr(writer.bus, role) for role in writer.bus.signature.members}
        buses = {"s_axis_rx": mac.rx, "m_axis_tx": mac.tx, "s_axil": registers}
        # An Instance takes the ports of a module as ``i_<port>`` for inputs and ``o_<port>``.
        directions = {
            f"{bus.name}_{role}": direction[0]
            for bus in ports.buses
            for role, direction, _ in ports.bus_ports(bus)
        }
        connections = {
            f"{directions[f'{name}_{role}']}_{name}_{role}": signal
            for name, signals in buses.items()
            for role, signal in signals.items()
        }
        connections |= {
            f"i_{bus.name}_tready": Const(1) for bus in ports.buses if bus.name in DROPPED
        }
        m.submodules.engine = Instance(
            ports.top,
            **{f"i_{ports.clock}": ClockSignal(), f"i_{ports.reset}": ~ResetSignal()},
            **connections,
        )
        events = (writer.done, _ends_frame(mac.rx), _ends_frame(mac.tx))
        m.submodules.lights = Lights(board.lights, events)
        m.submodules.held = HeldPins(board.held)
        return m


def _ends_frame(stream):
    """Returns a bit: the last beat of a frame transfers in this cycle."""
    return stream["tvalid"] & stream["tready"] & stream["tlast"]
