"""The memory of a cocotb bench: a slave of cocotbext-axi on each master, with one shared memory.

The slave asserts some rules, such as that no burst crosses 4 KiB. The monitors check the others.
"""

import numpy as np
from cocotbext.axi import AxiBus, AxiSlave

from sim.memory import LINE, PAGE, Contents, Traffic
from sim.pins.monitor import ChannelMonitor

ADDRESS = ("id", "addr", "len", "size", "burst")
PAYLOADS = {
    "aw": ADDRESS,
    "w": ("data", "strb", "last"),
    "b": ("id", "resp"),
    "ar": ADDRESS,
    "r": ("id", "resp", "last"),  # data of an error or outside of a narrow beat are arbitrary
}


class SharedMemory:
    """Sparse memory that the slaves read and write, with faults by address.

    An access to a line with a fault raises ValueError, and the slave then answers with SLVERR.

    Parameters
    ----------
    memory : Memory
        Contents and faults.

    Attributes
    ----------
    fill : int
        Value of a byte that was never written.
    pages : dict of int to numpy.ndarray
        Content of each page of 4 KiB with a written byte, by its byte address.
    reads, writes : set of int
        Numbers of the lines of 64 bytes with a fault.
    """

    def __init__(self, memory):
        self.fill, self.pages = memory.fill, {}
        self.reads = {f.address // LINE for f in memory.faults if f.write is not True}
        self.writes = {f.address // LINE for f in memory.faults if f.write is not False}
        for address, content in memory.contents.items():
            self._set(address, bytes(content))

    async def read(self, address, length, **_):
        self._check(self.reads, address, length)
        return self.contents().read(address, length)

    async def write(self, address, data, **_):
        self._check(self.writes, address, len(data))
        self._set(address, data)

    def contents(self):
        return Contents(self.pages, self.fill)

    def _set(self, address, data):
        offset = 0
        while offset < len(data):
            base = (address + offset) // PAGE * PAGE
            start = (address + offset) % PAGE
            page = self.pages.setdefault(base, np.full(PAGE, self.fill, np.uint8))
            part = data[offset : offset + PAGE - start]
            page[start : start + len(part)] = np.frombuffer(part, np.uint8)
            offset += len(part)

    @staticmethod
    def _check(faults, address, length):
        if faults and not faults.isdisjoint(
            range(address // LINE, (address + length - 1) // LINE + 1)
        ):
            raise ValueError("a fault that the memory describes")


class MemoryAgent:
    """Slave and monitors of one AXI4 master.

    Parameters
    ----------
    dut : cocotb handle of the top
    name : str
        Name of the master, the prefix of its ports.
    shared : SharedMemory
    """

    def __init__(self, dut, name, shared):
        self.slave = AxiSlave(AxiBus.from_prefix(dut, name), dut.aclk, dut.aresetn, shared, False)
        self.read, self.write = self.slave.read_if, self.slave.write_if
        for model in (self.read, self.write):
            model.log.setLevel("ERROR")
        self.channels = (
            self.read.ar_channel,
            self.read.r_channel,
            self.write.aw_channel,
            self.write.w_channel,
            self.write.b_channel,
        )
        self.monitors = {
            channel: ChannelMonitor(
                dut,
                f"{name}_{channel}",
                getattr(dut, f"{name}_{channel}valid"),
                getattr(dut, f"{name}_{channel}ready"),
                [getattr(dut, f"{name}_{channel}{signal}") for signal in payload],
            )
            for channel, payload in PAYLOADS.items()
        }

    @property
    def passed(self):
        """Number of transfers so far, on all channels together."""
        return sum(len(monitor.transfers) for monitor in self.monitors.values())

    @property
    def idle(self):
        """True if every burst has been answered."""
        read_bursts = sum(last for _, (_, _, last) in self.monitors["r"].transfers)
        counts = {channel: len(monitor.transfers) for channel, monitor in self.monitors.items()}
        return read_bursts == counts["ar"] and counts["aw"] == counts["b"]

    def traffic(self):
        """Reports bursts that are not INCR and wrong ``wlast``; returns the `Traffic`."""
        reads, writes = self._bursts("ar"), self._bursts("aw")
        self._check_lasts(writes)
        answers = [*self.monitors["r"].transfers, *self.monitors["b"].transfers]
        return Traffic(
            lines_read=sum(map(_lines, reads)),
            lines_written=sum(map(_lines, writes)),
            read_bursts=len(reads),
            write_bursts=len(writes),
            errors=sum(payload[1] != 0 for _, payload in answers),
        )

    def _bursts(self, channel):
        """Returns (address, beats, size) of each burst."""
        bursts = []
        for cycle, (_, address, length, size, kind) in self.monitors[channel].transfers:
            if kind != 1:
                self.monitors[channel].report("burst is not INCR", cycle)
            bursts.append((address, length + 1, size))
        return bursts

    def _check_lasts(self, writes):
        """Reports each ``wlast`` before a burst's last beat, and each last beat without it."""
        data = iter(self.monitors["w"].transfers)
        for _, beats, _ in writes:
            for beat, (cycle, (_, _, last)) in zip(range(beats), data, strict=False):
                if last != (beat == beats - 1):
                    rule = "wlast too early" if last else "wlast missing"
                    self.monitors["w"].report(rule, cycle)


def _lines(burst):
    """Returns the number of lines that a burst touches."""
    address, beats, size = burst
    end = (address >> size << size) + (beats << size)
    return (end - 1) // LINE - address // LINE + 1
