"""The memory behind an AXI4 master of a block: AxiRam of cocotbext-axi, with random pauses."""

import random
from collections import deque

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus, AxiRam

from tb.cocotb.support.coverage import AT_ONCE, STALLED

#: Bytes of a page, of which a base address is a multiple.
PAGE = 4096
_PAYLOADS = {
    "aw": ("id", "addr", "len", "size", "burst"),
    "w": ("data", "strb", "last"),
    "ar": ("id", "addr", "len", "size", "burst"),
}


class AxiMemory:
    """An AxiRam on a master of the block, and a check of the master.

    The master must offer a payload unchanged until the memory accepts the payload, and must not
    offer data before their address. It must not read bytes while a write of them is unanswered,
    because a memory may do both in any order. The port ``busy`` of the block must be high while a
    burst is unanswered. AxiRam checks that no burst crosses a multiple of 4 KiB, and that ``wlast``
    marks the last beat.

    Each channel of the master is a point of the coverage: a transfer comes at once or after a
    stall.

    Parameters
    ----------
    tb : Testbench
    name : str
        Name of the master, the prefix of its ports: ``m_axi_0``.
    base : str
        Name of the port with the base address, in pages of 4 KiB: ``bases0``. The bench drives a
        random page in the lower half of the memory. All addresses of this class count from there.
    size : int
        Bytes of the memory, which has 0 everywhere at first.
    stall : float
        Probability that a channel pauses in a cycle.

    Attributes
    ----------
    faults : dict of str to set of int
        Addresses of the beats that the memory answers with an error: ``read`` and ``write``.
    on_burst : list of callable
        Called with the channel, the address and the number of beats of each accepted burst.
    unanswered_writes : deque of range
        Addresses of the bytes of each write that the memory has accepted and not answered.
    """

    def __init__(self, tb, name, base, size, stall):
        self._tb, self._name = tb, name
        page = random.Random(f"{tb.seed} {base}").randrange(1, size // PAGE // 2)
        self._base = page * PAGE
        getattr(tb.dut, base).value = page
        self._bytes = bytearray(size)
        bus = AxiBus.from_prefix(tb.dut, name)
        ram = AxiRam(bus, tb.clock, tb.dut.rst, mem=self._bytes)
        self._sides = {"write": ram.write_if, "read": ram.read_if}
        self.faults = {"read": set(), "write": set()}
        self.on_burst = []
        self.unanswered_writes = deque()
        for side in self._sides.values():
            side.log.setLevel("ERROR")
        channels = {
            **{name: getattr(ram.write_if, f"{name}_channel") for name in ("aw", "w", "b")},
            **{name: getattr(ram.read_if, f"{name}_channel") for name in ("ar", "r")},
        }
        if stall:
            for channel, model in channels.items():
                model.set_pause_generator(_pauses(f"{tb.seed} {name} {channel}", stall))
        self._inject_faults()
        for channel in _PAYLOADS:
            tb.coverage.declare(f"{name} {channel} pace", (AT_ONCE, STALLED))
        cocotb.start_soon(self._check())

    def write(self, address, data):
        """Sets bytes of the memory, without a burst."""
        place = self._base + address
        self._bytes[place : place + len(data)] = data

    def clear(self):
        """Sets the whole memory to 0."""
        self._bytes[:] = bytes(len(self._bytes))

    def expect(self, parts):
        """Raises AssertionError unless the memory has the bytes of ``parts``, and else only 0.

        Parameters
        ----------
        parts : dict of int to bytes
            Bytes by their address.
        """
        expected = bytearray(len(self._bytes))
        for address, data in parts.items():
            place = self._base + address
            expected[place : place + len(data)] = data
        if self._bytes != expected:
            pairs = enumerate(zip(self._bytes, expected, strict=True))
            place, (byte, other) = next((k, pair) for k, pair in pairs if pair[0] != pair[1])
            address = place - self._base
            raise AssertionError(f"{self._name}: byte {address:#x} is {byte:#x}, not {other:#x}")

    def _inject_faults(self):
        """Makes accesses to addresses of :attr:`faults` fail, which AxiRam answers with SLVERR."""
        write, read = self._sides["write"]._write, self._sides["read"]._read

        async def faulty_write(address, data):
            _refuse(address - self._base in self.faults["write"])
            await write(address, data)

        async def faulty_read(address, length):
            _refuse(address - self._base in self.faults["read"])
            return await read(address, length)

        self._sides["write"]._write, self._sides["read"]._read = faulty_write, faulty_read

    async def _check(self):
        """Checks the channels at each rising edge of the clock, for ever."""
        tb = self._tb
        channels = {name: _Channel(tb, self._name, name, _PAYLOADS[name]) for name in _PAYLOADS}
        b, r = (_Channel(tb, self._name, name, ()) for name in ("b", "r"))
        aw, w, ar = channels.values()
        r_last = getattr(tb.dut, f"{self._name}_rlast")
        beat_bytes = len(w.port("data")) // 8
        writes = self.unanswered_writes
        reads = beats = 0  # unanswered reads; beats of data whose address was accepted
        while True:
            await RisingEdge(tb.clock)
            if tb.in_reset:
                writes.clear()
                reads = beats = 0
                for channel in channels.values():
                    channel.stalled = None
                continue
            is_idle = not reads and not writes
            assert is_idle or int(tb.dut.busy.value), f"{self._name}: unanswered, not busy"
            offered = beats + (int(aw.port("len")) + 1 if aw.valid else 0)
            assert not w.valid or offered, f"{self._name}: data was offered before its address"
            for channel in (ar, aw):
                if channel.transfers():
                    address = int(channel.port("addr")) - self._base
                    count = int(channel.port("len")) + 1
                    for sample in self.on_burst:
                        sample(channel.name, address, count)
                    span = range(address, address + count * beat_bytes)
                    if channel is ar:
                        reads += 1
                        passed = any(
                            span[0] <= write[-1] and write[0] <= span[-1] for write in writes
                        )
                        assert not passed, f"{self._name}: reads {address:#x} before its write"
                    else:
                        writes.append(span)
                        beats += count
            beats -= w.transfers()
            if b.valid and b.ready:
                writes.popleft()
            reads -= r.valid and r.ready and int(r_last.value)


class _Channel:
    """The handles of a channel, and the payload that it offered in the cycle before."""

    def __init__(self, tb, master, name, payload):
        self.name = name
        self.stalled = None
        self._tb, self._point = tb, f"{master} {name}"
        self._handles = {
            field: getattr(tb.dut, f"{master}_{name}{field}")
            for field in ("valid", "ready", *payload)
        }
        self._payload = payload

    def port(self, field):
        """Returns the value of a port of the channel."""
        return self._handles[field].value

    @property
    def valid(self):
        return int(self.port("valid")) == 1

    @property
    def ready(self):
        return int(self.port("ready")) == 1

    def transfers(self):
        """Checks the offered payload; counts a transfer, and returns True if there is one."""
        payload = "".join(str(self.port(field)) for field in self._payload) if self.valid else None
        assert self.stalled in (None, payload), f"{self._point}: changed while it waited"
        transfers = self.valid and self.ready
        if transfers:
            assert set(payload) <= {"0", "1"}, f"{self._point}: X in a payload"
            pace = AT_ONCE if self.stalled is None else STALLED
            self._tb.coverage.hit(f"{self._point} pace", pace)
        self.stalled = None if transfers else payload
        return transfers


def _pauses(seed, stall):
    """Yields True in the cycles in which a channel pauses, for ever."""
    rng = random.Random(seed)
    while True:
        yield rng.random() < stall


def _refuse(is_faulty):
    if is_faulty:
        raise ValueError("a fault of the memory")
