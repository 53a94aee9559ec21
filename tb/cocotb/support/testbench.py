"""The base class of all benches: clock, reset, drivers, monitors, scoreboard and coverage."""

import json
from functools import cache
from pathlib import Path

import cocotb
import pyarrow.parquet as parquet
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time

from tb.cocotb.support.answers import AnswerMonitor
from tb.cocotb.support.coverage import AT_ONCE, STALLED, Coverage, hits
from tb.cocotb.support.payloads import flat
from tb.cocotb.support.pulses import PulseCounter
from tb.cocotb.support.streams import ListMonitor, StreamDriver, StreamMonitor

#: Probability that the input and the output pause in a cycle; each test runs with each pair.
STALLS = [(0.0, 0.0), (0.4, 0.4)]
#: Nanoseconds of a cycle.
PERIOD = 10
#: Cycles without a transfer after which a run counts as a hang.
IDLE_LIMIT = 5_000
#: Cycles after the last expected payload, in which no other payload may come.
DRAIN = 50


@cache
def _read(path):
    """Returns the rows of a file; all tests of a simulation read it once.

    ``parquet.read_table`` would import pandas, which takes seconds in a simulator.
    """
    table = parquet.ParquetFile(path).read().to_pylist()
    table.sort(key=lambda row: row.pop("position"))
    return [flat(row) for row in table]


class Testbench:
    """Drives and checks a block that `sluice generate --unit` has written.

    Parameters
    ----------
    dut : cocotb handle of the block

    Attributes
    ----------
    point : dict
        The block's settings, by name.
    seed : int
        Seed of all random pauses and payloads.
    coverage : Coverage
    """

    __test__ = False  # pytest takes a class by this name for tests

    def __init__(self, dut, stalls=(0.0, 0.0)):
        job = json.loads(Path(cocotb.plusargs["bench"]).read_text())
        self.dut = dut
        self.clock = dut.clk
        self.point = job["point"]
        self.ports = job["ports"]
        self.seed = job["seed"]
        self.block = job["unit"]
        self.coverage = Coverage(self.block)
        self.in_reset = True
        self._rows = Path(job["rows"])
        self._record = Path(job["coverage"])
        self._stall_in, self._stall_out = stalls
        self._sides = {}
        self._transfers = 0
        self._was_stalled = {}
        self._samplers = []
        self._starts = {}  # time of the first transfer of each stream, in cycles
        self._timing = None
        cocotb.start_soon(Clock(self.clock, PERIOD, unit="ns").start())

    def rows(self, name):
        """Returns the rows that PySpark computed under a name, in the order of ``position``.

        A row is a dict of the block's fields, as the ports have them: an array ``tuples`` of
        structs (key, value) becomes ``lane0_key``, ``lane0_value``, ``lane1_key`` and so on.
        """
        return [dict(row) for row in _read(self._rows / f"{name}.parquet")]

    def lists(self, name, count=None):
        """Returns the rows of :meth:`rows` as lists: rows of ``stream`` k, from 0 on, are list k.

        The result has ``count`` lists; None is up to the greatest number that occurs. A column
        ``item`` stands for a tuple that is a single number, whose port has no field name.
        """
        rows = self.rows(name)
        count = 1 + max((row["stream"] for row in rows), default=-1) if count is None else count
        lists = [[] for _ in range(count)]
        for row in rows:
            stream = row.pop("stream")
            lists[stream].append({"" if key == "item" else key: row[key] for key in row})
        return lists

    def driver(self, name, side_ports=()):
        """Returns the driver of an input stream and of ports beside it, and starts the driver."""
        return self._start(StreamDriver(self, name, side_ports), self._stall_in)

    def monitor(self, name, side_ports=()):
        """Returns the monitor of an output stream and of ports beside it, and starts it."""
        return self._start(StreamMonitor(self, name, side_ports), self._stall_out)

    def list_monitor(self, name):
        """Returns the monitor of an output stream of lists of tuples, and starts it."""
        return self._start(ListMonitor(self, name), self._stall_out)

    def answer_monitor(self, name, ports):
        """Returns the monitor of output ports that answer to each payload of an input stream."""
        monitor = AnswerMonitor(self, name, ports)
        self._sides[monitor.name] = monitor
        cocotb.start_soon(monitor.run())
        return monitor

    def pulse_counter(self, name):
        """Returns the counter of a port that says how many events come in a cycle."""
        counter = PulseCounter(self, name)
        cocotb.start_soon(counter.run())
        return counter

    def _start(self, side, stall):
        side.stall = stall
        self._sides[side.name] = side
        if side.pins.ready is not None:
            self.coverage.declare(f"{side.name} pace", (AT_ONCE, STALLED))
        cocotb.start_soon(side.run())
        return side

    def cover(self, stream, point, bins, value):
        """Declares a coverage point, and samples it at each transfer of a stream.

        ``value(payload)`` returns the bin of a payload; None is no bin.
        """
        self.coverage.declare(point, bins)
        self._samplers.append((stream, point, value))

    def expect_timing(self, *, latency=None, from_="i", to="o"):
        """Declares the timing of the block, which the test without stalls checks.

        The stream ``from_`` is accepted in each cycle in which it has a payload: the initiation
        interval is 1 cycle. The first payload of the stream ``to`` is accepted ``latency`` cycles
        after the first payload of ``from_``; with None the latency depends on the data.
        """
        if not self._stall_in and not self._stall_out:
            self._timing = from_, to, latency

    def _check_timing(self):
        from_, to, latency = self._timing
        cycles = self._sides[from_].stalled_cycles
        assert not cycles, f"{from_}: stalled for {cycles} cycles, without a stall at {to}"
        cycles = self._starts[to] - self._starts[from_]
        assert latency in (None, cycles), f"the latency is {cycles} cycles, not {latency}"

    async def reset(self, cycles=4):
        """Holds ``rst`` high for some cycles, and drops all payloads that are under way."""
        self.in_reset = True
        self.dut.rst.value = 1
        for side in self._sides.values():
            side.clear()
        await ClockCycles(self.clock, cycles)
        self.dut.rst.value = 0
        self.in_reset = False
        await RisingEdge(self.clock)

    def start(self):
        """Sends the rows ``i`` to the stream ``i``, and expects the rows ``o`` at the stream ``o``.

        A bench with other streams or other rows has a method of its own.
        """
        self.i.send(self.rows("i"))
        self.o.expect(self.rows("o"))

    def check_counts(self):
        """Checks the counts of events, which are complete when all payloads have come."""

    async def run(self, reset_after=None):
        """Resets the block, and compares all payloads of :meth:`start` with the expected ones.

        With ``reset_after`` the block is reset once more after so many cycles, with payloads
        inside, and everything is sent again.
        """
        await self.reset()
        if reset_after is not None:
            self.start()
            await ClockCycles(self.clock, reset_after)
            await self.reset()
        self.start()
        await self.finish()
        self.check_counts()

    async def finish(self):
        """Waits until all payloads are sent and all expected payloads have come, and no others."""
        idle = 0
        transfers = self._transfers
        while not all(side.is_empty for side in self._sides.values()):
            await RisingEdge(self.clock)
            idle = 0 if self._transfers != transfers else idle + 1
            transfers = self._transfers
            pending = [
                f"{side.name} waits after {side.count} transfers"
                for side in self._sides.values()
                if not side.is_empty
            ]
            assert idle < IDLE_LIMIT, f"hang: {', '.join(pending)} (seed {self.seed})"
        await ClockCycles(self.clock, DRAIN)
        if self._timing is not None:
            self._check_timing()
        self._record.write_text(json.dumps(hits(self.block)))

    def note_transfer(self, stream, payload):
        """Counts a transfer for the coverage; drivers and monitors call it."""
        self._transfers += 1
        side = self._sides[stream]
        self._starts.setdefault(stream, round(get_sim_time("ns")) // PERIOD)
        if side.pins.ready is not None:
            stalled = self._was_stalled.pop(stream, False)
            self.coverage.hit(f"{stream} pace", STALLED if stalled else AT_ONCE)
        for of_stream, point, value in self._samplers:
            if of_stream == stream:
                self.coverage.hit(point, value(payload))

    def note_stall(self, stream):
        """Notes that an offered payload was not accepted in this cycle."""
        self._was_stalled[stream] = True
        self._sides[stream].stalled_cycles += 1
