"""Drives the ports of the simulated DDR3 controller, without a design and without data."""

import ctypes
from collections import deque

from sim import ddr3

#: Cycles of the controller after its reset, up to half a refresh period before the next refresh, as
#: the model begins.
IDLE = 611
LINE, ROW = 64, 8192


class _Port(ctypes.Structure):
    """The pins of a port, as in sim/compiled/ddr3_port.h."""

    _fields_ = (
        *((name, ctypes.c_uint8) for name in ("arvalid", "arlen", "awvalid", "awlen")),
        *((name, ctypes.c_uint8) for name in ("wvalid", "wlast")),
        *((name, ctypes.c_uint32) for name in ("araddr", "awaddr")),
        ("wstrb", ctypes.c_uint64),
        ("wdata", ctypes.c_uint8 * LINE),
        *((name, ctypes.c_uint8) for name in ("arready", "awready", "wready", "bvalid", "rvalid")),
        ("rdata", ctypes.c_uint8 * LINE),
    )


class _Bursts:
    """Bursts of one port on their way, (number, row, count, cycle), by the channel that is next."""

    def __init__(self, script):
        self.script, self.next = deque(enumerate(script)), 0
        self.read_addresses, self.write_addresses, self.write_data = deque(), deque(), deque()
        self.reads, self.writes = deque(), deque()

    def begin(self, cycle, most):
        """Takes the next burst of the script if few are under way; returns its number or None."""
        if not self.script or cycle < self.next or len(self.reads) + len(self.writes) == most:
            return None
        number, (write, row, count, gap) = self.script.popleft()
        burst, self.next = (number, row, count, cycle), cycle + 1 + gap
        if write:
            for queue in (self.write_addresses, self.write_data, self.writes):
                queue.append(burst)
        else:
            self.read_addresses.append(burst)
            self.reads.append([number, count])
        return number

    def drive(self, pins, cycle):
        """Puts the oldest bursts on the pins, a cycle after they were begun."""
        reads, writes, data = (
            queue[0] if queue and queue[0][3] < cycle else None
            for queue in (self.read_addresses, self.write_addresses, self.write_data)
        )
        pins.arvalid, pins.awvalid, pins.wvalid = (x is not None for x in (reads, writes, data))
        pins.wlast = 1
        if reads:
            pins.araddr, pins.arlen = reads[1] * ROW, reads[2] - 1
        if writes:
            pins.awaddr, pins.awlen = writes[1] * ROW, 0

    def see(self, pins):
        """Returns the numbers of bursts with their last line or their answer in this cycle."""
        for valid, ready, queue in (
            (pins.arvalid, pins.arready, self.read_addresses),
            (pins.awvalid, pins.awready, self.write_addresses),
            (pins.wvalid, pins.wready, self.write_data),
        ):
            if valid and ready:
                queue.popleft()
        finished = []
        if pins.rvalid:
            self.reads[0][1] -= 1
            if not self.reads[0][1]:
                finished.append(self.reads.popleft()[0])
        if pins.bvalid:
            finished.append(self.writes.popleft()[0])
        return finished


def times_of(scripts, cache, most=8):
    """Returns the (begin, end) cycles of each burst of each port.

    Parameters
    ----------
    scripts : list of list of (bool, int, int, int)
        For each port its bursts: write, row, number of lines (1 for a write), and cycles to the
        next burst.
    cache : path-like
    most : int
        Bursts of a port that are under way.
    """
    path, count = ddr3.library([None] * len(scripts), cache)
    library = ctypes.CDLL(str(path))
    library.ddr3_make.restype = ctypes.c_void_p
    library.ddr3_step.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Port), ctypes.c_int)
    library.ddr3_drop.argtypes = (ctypes.c_void_p,)
    memory, pins = library.ddr3_make(), (_Port * count)()
    for port in pins:
        port.wstrb = (1 << LINE) - 1
    for cycle in range(4 + IDLE):
        library.ddr3_step(memory, pins, cycle < 4)
    ports = [_Bursts(script) for script in scripts]
    times, cycle = [{} for _ in scripts], 0
    pending = sum(map(len, scripts))
    while pending:
        for number, port in enumerate(ports):
            if (burst := port.begin(cycle, most)) is not None:
                times[number][burst] = [cycle]
            port.drive(pins[number], cycle)
        library.ddr3_step(memory, pins, 0)
        for number, port in enumerate(ports):
            for burst in port.see(pins[number]):
                times[number][burst].append(cycle + 1)  # the bench sees it a cycle later
                pending -= 1
        cycle += 1
    library.ddr3_drop(memory)
    return [[times[k][burst] for burst in range(len(script))] for k, script in enumerate(scripts)]
