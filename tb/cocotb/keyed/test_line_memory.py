"""Checks the line memory: each read has the lines of earlier writes, and AxiRam has them all."""

from functools import partial

import cocotb
from cocotb.triggers import RisingEdge

from tb.cocotb.support.axi_memory import PAGE, AxiMemory
from tb.cocotb.support.equality import rows_equal_spark
from tb.cocotb.support.points import points
from tb.cocotb.support.run import run_bench
from tb.cocotb.support.testbench import STALLS, Testbench

#: Bytes of a line, and of the memory behind each port.
LINE, SIZE = 64, 1 << 20
#: Greatest distance of two commands that may be under way at the same time.
NEAR = 4


class TB(Testbench):
    """Sends commands to ``commands``, and compares the ``lines`` and the memory of each port.

    With ``faults`` the memories answer some lines with an error.
    """

    def __init__(self, dut, stalls, *, faults=False):
        super().__init__(dut, stalls)
        self.faults, self.ring_lines = faults, self.point["ring_lines"]
        self.commands = self.driver("commands")
        self.read = self.monitor("lines")
        self.lines_read = self.pulse_counter("events_m3_lines_read")
        self.lines_written = self.pulse_counter("events_m3_lines_written")
        ports = range(self.point["ports"])
        # Bytes that a burst does not leave: the part of a ring at one port, at most 4 KiB.
        self.unit = min(PAGE, LINE * self.ring_lines // len(ports))
        self.memories = [AxiMemory(self, f"m_axi_{k}", f"bases{k}", SIZE, stalls[1]) for k in ports]
        self.failed = [[] for _ in ports]
        for k in ports:
            self.memories[k].on_burst.append(self.cover_burst)
            self.memories[k].on_burst.append(partial(self.cover_passing, self.memories[k]))
            cocotb.start_soon(self.collect_failures(k))
        self.near_commands = []
        bins = ["none", "one", "some", "all"]
        self.cover("commands", "lines of a read", bins, self.count_of)
        bins = ["inside", "at the end", "wraps around"]
        self.cover("commands", "read in its ring", bins, self.end_of)
        kinds = "write", "read"
        bins = [f"{earlier}, {later}" for earlier in kinds for later in kinds]
        self.cover("commands", "commands of one line", bins, self.hazard_of)
        bins = ["inside", "to the end", "whole"]
        self.coverage.declare("burst in its unit", bins)
        self.coverage.declare("read beside an unanswered write of its unit", [True])

    def count_of(self, command):
        names = {None: None, 0: "none", 1: "one", self.ring_lines: "all"}
        return names.get(command.get("count"), "some")

    def end_of(self, command):
        """Returns where a read of one line or more ends in its ring; None for other commands."""
        if not command.get("count"):
            return None
        beyond = command["line"] % self.ring_lines + command["count"] - self.ring_lines
        return "inside" if beyond < 0 else "wraps around" if beyond else "at the end"

    def hazard_of(self, command):
        """Returns the kinds of the latest near command with a common line, and of this command.

        Returns None if no near command has a line in common with this command.
        """
        kind = "write" if command["write"] else "read"
        ring, place = divmod(command["line"], self.ring_lines)
        places = range(place, place + command.get("count", 1))
        lines = {(ring, place % self.ring_lines) for place in places}
        earlier = [
            near_kind
            for near_kind, near_lines in self.near_commands
            if not lines.isdisjoint(near_lines)
        ]
        self.near_commands = [(kind, lines), *self.near_commands[: NEAR - 1]]
        return f"{earlier[0]}, {kind}" if earlier else None

    def cover_burst(self, channel, address, beats):
        length = beats * self.point["data_width"] // 8
        end_offset = (address + length) % self.unit
        if channel == "ar":
            bin_ = "whole" if length == self.unit else "inside" if end_offset else "to the end"
            self.coverage.hit("burst in its unit", bin_)

    def cover_passing(self, memory, channel, address, beats):
        """Samples a read that overtakes an unanswered write of other lines of its unit."""
        if channel == "ar":
            units = {write.start // self.unit for write in memory.unanswered_writes}
            name = "read beside an unanswered write of its unit"
            self.coverage.hit(name, address // self.unit in units)

    async def collect_failures(self, port):
        """Collects the lines of a port's writes that fail, for ever."""
        valid, line = (getattr(self.dut, f"failed{port}_{name}") for name in ("valid", "line"))
        while True:
            await RisingEdge(self.clock)
            if not self.in_reset and int(valid.value):
                self.failed[port].append(int(line.value))

    def start(self):
        self.near_commands = []
        self.failed[:] = [[] for _ in self.memories]
        for memory in self.memories:
            memory.clear()
        for line in self.rows("memory"):
            memory, address = self.memories[line["port"]], line["address"]
            memory.write(address, line["data"].to_bytes(LINE, "little"))
            if self.faults and line["fault"]:
                beats = list(range(address, address + LINE, self.point["data_width"] // 8))
                if line["fault"] == 1:
                    memory.faults["read"].add(beats[line["line"] % len(beats)])
                else:
                    memory.faults["write"].update(beats)
        self.commands.send(self.rows("commands"))
        self.read.expect(self.rows("faulty_lines" if self.faults else "lines"))

    async def finish(self):
        """Waits for all payloads, and for the end of all bursts."""
        await super().finish()
        while int(self.dut.busy.value):
            await RisingEdge(self.clock)

    def check_counts(self):
        """Compares counters, failed writes, and the contents of the memories."""
        lines, commands = self.rows("memory"), self.rows("commands")
        writes = [command["line"] for command in commands if command["write"]]
        self.lines_read.expect(len(self.rows("lines")))
        self.lines_written.expect(len(writes))
        unwritable = {line["line"] for line in lines if self.faults and line["fault"] == 2}
        assert bool(unwritable.intersection(writes)) == self.faults
        for k, memory in enumerate(self.memories):
            port_lines = [line for line in lines if line["port"] == k]
            failing = unwritable & {line["line"] for line in port_lines}
            assert self.failed[k] == [number for number in writes if number in failing]
            contents = {
                line["address"]: line["data" if line["line"] in failing else "after"]
                for line in port_lines
            }
            memory.expect({at: data.to_bytes(LINE, "little") for at, data in contents.items()})


equality_tests = rows_equal_spark(TB)


@cocotb.test()
async def faults_of_the_memory_are_reported(dut):
    await TB(dut, STALLS[-1], faults=True).run()


@points(
    {"ports": 1, "data_width": 256, "buffer_lines": 64},
    {"ports": 2, "data_width": 128, "ring_lines": 32, "buffer_lines": 16},
    {"ports": 4, "data_width": 256, "ring_lines": 64, "stripe_lines": 4, "buffer_lines": 16},
    {"ports": 1, "data_width": 512},
)
def test_line_memory(point, simulator, tmp_path):
    run_bench(__name__, "line-memory", point, simulator, tmp_path)
