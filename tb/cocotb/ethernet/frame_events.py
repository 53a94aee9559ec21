"""Records in which cycle a block reports each event."""

import cocotb
from cocotb.triggers import RisingEdge

from tb.cocotb.ethernet.macs import cycle

PREFIX = "events_"


class FrameEvents:
    """Records the cycle and the name of each event. The block has a port of one bit for each event.

    A port is sampled at clock edges, but only while the port is high: a network face has 29 of
    these ports, and samples of all of them in each cycle would slow the simulation down.

    Parameters
    ----------
    tb : Testbench

    Attributes
    ----------
    names : list of str
        Names of the events, without the prefix of the ports.
    log : list of (int, str)
        Cycle and name of each event since the last reset, in the order of cycles.
    """

    def __init__(self, tb):
        ports = [port["name"] for port in tb.ports if port["name"].startswith(PREFIX)]
        self.names = [port.removeprefix(PREFIX) for port in ports]
        self.log = []
        self._tb = tb
        for name in self.names:
            cocotb.start_soon(self._record(name, getattr(tb.dut, PREFIX + name)))

    def clear(self):
        self.log.clear()

    async def _record(self, name, port):
        while True:
            await RisingEdge(port)
            await RisingEdge(self._tb.clock)
            while str(port.value) == "1":
                if not self._tb.in_reset:
                    self.log.append((cycle(), name))
                await RisingEdge(self._tb.clock)
