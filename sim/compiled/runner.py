"""Runs jobs on a compiled model: arrays go in, an outcome comes out.

Three libraries meet in a run, each built once for its content: the bench, the Verilated top, and
for a ``ddr3`` the controller.
"""

import ctypes
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from rtl.bus.registers import BUSY, CONTROL, STATUS
from sim import ddr3
from sim.beats import Beats
from sim.compiled import interface
from sim.compiled.glue import glue
from sim.compiled.interface import NEVER
from sim.job import ANY, ENDLESS, ResetInStream, SoftReset
from sim.memory import LINE, PAGE, RESPONSES, Contents, Traffic
from sim.outcome import InputStream, Outcome, OutputStream, hang_text
from sim.verilator import bench_library, shared_library

HERE = Path(__file__).parent
BENCH = [HERE / "bench.cpp", *sorted(HERE.glob("*.h"))]
HEADERS = [HERE / "top.h", HERE / "ports.h"]
RUNNING, DONE, HANG = range(3)


def build(bench):
    """Paths of the agents' library and the top's, each built once for its content."""
    text = glue(bench.streams, bench.memories)
    with ThreadPoolExecutor() as pool:
        agents = pool.submit(bench_library, BENCH, bench.cache)
        top = shared_library(
            bench.verilog, bench.top, text, bench.cache, headers=HEADERS, level=bench.level
        )
        return agents.result(), top


def run(bench, job, progress, chunk):
    """The outcome of a job; see :meth:`sim.bench.Bench.run`."""
    simulation = Simulation(bench, job)
    try:
        return simulation.run(progress, chunk)
    finally:
        simulation.end()


class Simulation:
    """A compiled model with its agents, from power-up and a reset on; see :func:`run`.

    To be given one job after the other, each behind the end of the one before; :meth:`end` it.
    """

    def __init__(self, bench, job):
        self.bench, self.job = bench, job
        self.config = interface.Config()
        self.kept = []  # what the configuration points to
        self.access = self._accesses()
        self.first = None
        agents, self.top = build(bench)
        self._configure(job, self.top)
        self.library = interface.load(agents)
        self.handle = self.library.simulation_new(ctypes.byref(self.config))
        for address, content in job.memory.contents.items():
            raw = np.frombuffer(bytes(content), np.uint8)
            self._call("preset", address, raw.ctypes.data, len(raw))

    def again(self, job):
        """Another job behind the end of the one before: nothing is reset, cycles go on.

        What is behind the memory masters stays as it was, and how streams stall.
        """
        before, self.kept = self.kept, []
        self.first = self.first or before  # its faults and DRAM are those of the later ones, too
        self.job = job
        self.access = self._accesses()
        self._configure(job, self.top)
        self._call("again", ctypes.byref(self.config))

    def end(self):
        self._call("delete")

    def _call(self, name, *arguments):
        return getattr(self.library, f"simulation_{name}")(self.handle, *arguments)

    def _stats(self, kind, name, *index):
        stats = kind()
        self._call(name, *index, ctypes.byref(stats))
        return stats

    def _keep(self, array):
        """The address of an array, or of ctypes data, that is kept as long as the simulation."""
        self.kept.append(array)
        return array.ctypes.data if isinstance(array, np.ndarray) else ctypes.addressof(array)

    # ------------------------------------------------------------------ what goes in
    def _accesses(self):
        rows = [(stream, 1, address, value) for stream, address, value in self.job.writes]
        rows += [(NEVER, 0, address, 0) for address in self.job.reads]
        return np.array(rows, interface.ACCESS)

    def _configure(self, job, top):
        feeds = (interface.Feed * max(1, len(job.streams)))()
        for k, beats in enumerate(job.streams.values()):
            restart = job.reset.beat if isinstance(job.reset, ResetInStream) and k == 0 else 0
            self._feed(feeds[k], beats, restart)
        faults, memory = self._faults(), job.memory
        values = {
            "accesses": len(self.access),
            "background": len(job.background_reads),
            "idle_limit": job.idle_timeout,
            "drain": job.drain,
            "limit": NEVER if job.limit is None else job.limit,
            "reset_cycle": NEVER if job.reset is None else job.reset.cycle,
            "seed": job.seed,
            "feeds": self._keep(feeds),
            "wanted": self._keep(self._wanted()),
            "access": self._keep(self.access),
            "background_address": self._keep(np.array(job.background_reads, np.uint32)),
            "faults": self._keep(faults),
            "make_dut": interface.address_of(top, "make_dut")[0],
            "ddr3": self._ddr3() if memory.backend == "ddr3" else None,
            "fault_count": len(faults),
            "latency": memory.latency,
            "delay": memory.delay,
            "fill": memory.fill,
            "hold_output": job.hold_output,
            "pace": interface.Pace(
                memory.outstanding, memory.reorder, interface.threshold(memory.stall)
            ),
            "soft": self._soft(),
            "early": job.early,
            "stall_input": interface.threshold(job.stall_input),
            "stall_output": interface.threshold(job.stall_output),
            "background_rate": interface.threshold(job.background_rate),
        }
        for name, value in values.items():
            setattr(self.config, name, value)

    def _feed(self, feed, beats, restart):
        feed.beats, feed.streams, feed.restart = len(beats), len(beats.starts), restart
        for name, array in {
            "data": np.ascontiguousarray(beats.data),
            "keep": np.packbits(beats.keep, axis=1, bitorder="little"),
            "last": np.ascontiguousarray(beats.last).view(np.uint8),
            "user": np.ascontiguousarray(beats.users).view(np.uint8),
            "starts": beats.starts.astype(np.uint64),
            "pause": np.ascontiguousarray(beats.pauses),
        }.items():
            setattr(feed, name, self._keep(array))

    def _wanted(self):
        job, rows = self.job, []
        numbers = {ENDLESS: NEVER, ANY: 0}
        for name, after in job.packets.items():
            before = job.packets_before[name]
            rows.append((numbers.get(before, before), numbers.get(after, after), before is not ANY))
        return np.array(rows, interface.WANTED)

    def _faults(self):
        rows = []
        for fault in self.job.memory.faults:
            by_access = fault.access is not None
            number = fault.access if by_access else fault.address // LINE
            reads, writes = fault.write is not True, fault.write is not False
            rows.append((RESPONSES[fault.response], by_access, number, reads, writes))
        return np.array(rows, interface.FAULT)

    def _soft(self):
        reset = self.job.reset
        if not isinstance(reset, SoftReset):
            return interface.SoftReset()
        return interface.SoftReset(CONTROL, STATUS, 1 << BUSY.low, reset.wait)

    def _ddr3(self):
        drams = [bus for bus in self.bench.memories if not bus.sram]
        path, ports = ddr3.library(drams, self.bench.cache)
        functions = interface.address_of(path, "ddr3_make", "ddr3_step", "ddr3_drop")
        return self._keep(interface.Ddr3Library(*functions, ports))

    # ------------------------------------------------------------------ what comes out
    def run(self, progress, chunk):
        job, status, start = self.job, RUNNING, time.perf_counter()
        total = len(next(iter(job.streams.values()), ()))
        while status == RUNNING:
            status = self._call("run", chunk)
            if progress is not None:
                stats = self._stats(interface.Stats, "stats")
                progress(stats.cycles, self._source(0).beat if job.streams else 0, total)
        seconds = time.perf_counter() - start
        stats = self._stats(interface.Stats, "stats")
        if job.reset is not None and not stats.reset_done and status == DONE:
            raise ValueError(f"reset.cycle must be below {stats.cycles}, not {job.reset.cycle}")
        reads = self.access["value"][len(self.access) - len(job.reads) :]
        return Outcome(
            inputs={name: self._input(k) for k, name in enumerate(job.streams)},
            outputs={name: self._output(k, name) for k, name in enumerate(job.packets)},
            cycles=stats.cycles,
            memory={bus.name: self._traffic(k) for k, bus in enumerate(self.bench.memories)},
            contents=self._contents(stats.pages),
            reads=tuple(int(value) for value in reads),
            background=self._background(stats.background_reads),
            soft_reset=_or_none(stats.soft_written),
            violations=self._violations(stats.violations),
            hang=self._hang(stats) if status == HANG else None,
            seconds=seconds,
        )

    def _source(self, k):
        return self._stats(interface.FeedStats, "source", k)

    def _sink(self, k):
        return self._stats(interface.SinkStats, "sink", k)

    def _input(self, k):
        stats = self._source(k)
        taken = np.empty(stats.accepted, np.int64)
        self._call("taken", k, taken.ctypes.data)
        return InputStream(
            accepted=stats.accepted,
            stalled=stats.stalled,
            first=_or_none(stats.first),
            last=_or_none(stats.last),
            taken=taken,
        )

    def _output(self, k, name):
        stats = self._sink(k)
        bus = next(bus for bus in self.bench.streams if bus.name == name)
        count, size = stats.beats, bus.bytes
        data, keep = np.empty((count, size), np.uint8), np.empty((count, -(-size // 8)), np.uint8)
        last, user = np.empty(count, np.uint8), np.empty(count, np.uint8)
        taken = np.empty(count, np.int64)
        self._call("output", k, *(array.ctypes.data for array in (data, keep, last, user, taken)))
        keep = np.unpackbits(keep, axis=1, count=size, bitorder="little").view(np.bool_)
        user = user.view(np.bool_) if bus.user else None
        return OutputStream(
            beats=Beats(data, keep, last.view(np.bool_), user),
            taken=taken,
            stalled=stats.stalled,
            before_reset=_or_none(stats.before_reset),
        )

    def _background(self, count):
        seen = np.empty(count, interface.SEEN)
        self._call("background", seen.ctypes.data)
        return tuple(tuple(map(int, read)) for read in seen)

    def _traffic(self, k):
        stats = self._stats(interface.MemoryStats, "memory", k)
        return Traffic(**{name: getattr(stats, name) for name, _ in stats._fields_})

    def _contents(self, count):
        if not self.bench.memories or self.job.memory.backend != "ideal":
            return None
        addresses, pages = np.empty(count, np.uint64), np.empty((count, PAGE), np.uint8)
        self._call("contents", addresses.ctypes.data, pages.ctypes.data)
        held = dict(zip(addresses.tolist(), pages, strict=True))
        return Contents(held, self.job.memory.fill)

    def _violations(self, total):
        texts, k = [], 0
        while (text := self._call("violation", k)) is not None:
            texts.append(text.decode())
            k += 1
        more = total - len(texts)
        return (*texts, f"and {more} more") if more else tuple(texts)

    def _hang(self, stats):
        job = self.job
        if stats.cycles == job.limit:
            what = f"not at its end after {job.limit} cycles"
        else:
            what = f"no transfer in {job.idle_timeout} cycles up to cycle {stats.cycles}"
        fed = sum(self._source(k).beat for k in range(len(job.streams)))
        beats = sum(map(len, job.streams.values()))
        sinks = [self._sink(k) for k, n in enumerate(job.packets.values()) if n is not ANY]
        seen, wanted = sum(sink.tlasts for sink in sinks), sum(sink.wanted for sink in sinks)
        return hang_text(what, (fed, beats), (seen, wanted))


def _or_none(cycle):
    return None if cycle == NEVER else cycle
