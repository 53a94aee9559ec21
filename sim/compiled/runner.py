"""Runs jobs on a compiled model, and returns outcomes.

A run uses up to three libraries, each built once for its content: the bench, the Verilated top, and
for ``ddr3`` the controller.
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

FOLDER = Path(__file__).parent
BENCH = [FOLDER / "bench.cpp", *sorted(FOLDER.glob("*.h"))]
HEADERS = [FOLDER / "top.h", FOLDER / "ports.h"]
RUNNING, DONE, HANG = range(3)


def build(bench):
    """Returns the paths of the bench's library and the top's library, built once per content."""
    text = glue(bench.streams, bench.memories)
    with ThreadPoolExecutor() as pool:
        agents = pool.submit(bench_library, BENCH, bench.cache)
        top = shared_library(
            bench.verilog, bench.top, text, bench.cache, headers=HEADERS, level=bench.level
        )
        return agents.result(), top


def run(bench, job, progress, chunk):
    """Returns the outcome of a job, see :meth:`sim.bench.Bench.run`."""
    simulation = Simulation(bench, job)
    try:
        return simulation.run(progress, chunk)
    finally:
        simulation.end()


class Simulation:
    """A compiled model with its agents, which starts with a reset and runs one or more jobs.

    Further jobs start with :meth:`continue_with` after the end of the previous job. The caller must
    call :meth:`end` at last.
    """

    def __init__(self, bench, job):
        self.bench = bench
        self.job = job
        self.config = interface.Config()
        self.references = []  # objects that the configuration points to
        self.access = self._accesses()
        self.first_references = None
        agents, self.top = build(bench)
        self._configure(job, self.top)
        self.library = interface.load(agents)
        self.handle = self.library.simulation_new(ctypes.byref(self.config))
        for address, content in job.memory.contents.items():
            raw = np.frombuffer(bytes(content), np.uint8)
            self._call("preset", address, raw.ctypes.data, len(raw))

    def continue_with(self, job):
        """Prepares another job after the end of the previous one, without a reset.

        Cycles continue to count, and the memory and the stalls of streams stay the same.
        """
        previous_references, self.references = self.references, []
        # Later jobs use the faults and the DRAM of the first job, so its objects must stay alive.
        self.first_references = self.first_references or previous_references
        self.job = job
        self.access = self._accesses()
        self._configure(job, self.top)
        self._call("again", ctypes.byref(self.config))

    def end(self):
        """Deletes the simulation."""
        self._call("delete")

    def _call(self, name, *arguments):
        """Calls a function of the bench's library."""
        return getattr(self.library, f"simulation_{name}")(self.handle, *arguments)

    def _stats(self, kind, name, *index):
        """Returns counters of the simulation as a structure of type ``kind``."""
        stats = kind()
        self._call(name, *index, ctypes.byref(stats))
        return stats

    def _pointer_to(self, array):
        """Returns the address of an array or of ctypes data, and keeps a reference to it."""
        self.references.append(array)
        return array.ctypes.data if isinstance(array, np.ndarray) else ctypes.addressof(array)

    # ------------------------------------------------------------------ inputs
    def _accesses(self):
        """Returns the register accesses of the job: writes in order, then reads."""
        rows = [(stream, 1, address, value) for stream, address, value in self.job.writes]
        rows += [(NEVER, 0, address, 0) for address in self.job.reads]
        return np.array(rows, interface.ACCESS)

    def _configure(self, job, top):
        """Fills the configuration for a job."""
        feeds = (interface.Feed * max(1, len(job.streams)))()
        for k, beats in enumerate(job.streams.values()):
            restart = job.reset.beat if isinstance(job.reset, ResetInStream) and k == 0 else 0
            self._feed(feeds[k], beats, restart)
        faults = self._faults()
        memory = job.memory
        values = {
            "accesses": len(self.access),
            "background": len(job.background_reads),
            "idle_limit": job.idle_timeout,
            "drain": job.drain,
            "limit": NEVER if job.limit is None else job.limit,
            "reset_cycle": NEVER if job.reset is None else job.reset.cycle,
            "seed": job.seed,
            "feeds": self._pointer_to(feeds),
            "wanted": self._pointer_to(self._expected_tlasts()),
            "access": self._pointer_to(self.access),
            "background_address": self._pointer_to(np.array(job.background_reads, np.uint32)),
            "faults": self._pointer_to(faults),
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
        """Fills the structure for the beats of a slave."""
        feed.beats, feed.streams, feed.restart = len(beats), len(beats.starts), restart
        for name, array in {
            "data": np.ascontiguousarray(beats.data),
            "keep": np.packbits(beats.keep, axis=1, bitorder="little"),
            "last": np.ascontiguousarray(beats.last).view(np.uint8),
            "user": np.ascontiguousarray(beats.users).view(np.uint8),
            "starts": beats.starts.astype(np.uint64),
            "pause": np.ascontiguousarray(beats.pauses),
        }.items():
            setattr(feed, name, self._pointer_to(array))

    def _expected_tlasts(self):
        """Returns for each master the numbers of tlasts to wait for, before and after a reset, and
        whether the master is awaited at all."""
        job = self.job
        rows = []
        numbers = {ENDLESS: NEVER, ANY: 0}
        for name, after in job.packets.items():
            before = job.packets_before[name]
            rows.append((numbers.get(before, before), numbers.get(after, after), before is not ANY))
        return np.array(rows, interface.WANTED)

    def _faults(self):
        """Returns the faults of the memory."""
        rows = []
        for fault in self.job.memory.faults:
            by_access = fault.access is not None
            number = fault.access if by_access else fault.address // LINE
            reads, writes = fault.write is not True, fault.write is not False
            rows.append((RESPONSES[fault.response], by_access, number, reads, writes))
        return np.array(rows, interface.FAULT)

    def _soft(self):
        """Returns the structure for a soft reset; without a soft reset all its members are 0."""
        reset = self.job.reset
        if not isinstance(reset, SoftReset):
            return interface.SoftReset()
        return interface.SoftReset(CONTROL, STATUS, 1 << BUSY.low, reset.wait)

    def _ddr3(self):
        """Returns the address of the structure with the functions of the DDR3 controller."""
        drams = [bus for bus in self.bench.memories if not bus.sram]
        path, ports = ddr3.library(drams, self.bench.cache)
        functions = interface.address_of(path, "ddr3_make", "ddr3_step", "ddr3_drop")
        return self._pointer_to(interface.Ddr3Library(*functions, ports))

    # ------------------------------------------------------------------ results
    def run(self, progress, chunk, *, copies_memory=True):
        """Runs the job to its end, and returns its outcome.

        With ``copies_memory`` the outcome has the contents of an ideal memory.
        """
        job = self.job
        status = RUNNING
        start = time.perf_counter()
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
        reads = self.access["value"][len(self.access) - len(job.reads) : stats.accesses]
        return Outcome(
            inputs={name: self._input(k) for k, name in enumerate(job.streams)},
            outputs={name: self._output(k, name) for k, name in enumerate(job.packets)},
            cycles=stats.cycles,
            memory={bus.name: self._traffic(k) for k, bus in enumerate(self.bench.memories)},
            contents=self._contents(stats.pages) if copies_memory else None,
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
        beat_cycles = np.empty(stats.accepted, np.int64)
        self._call("taken", k, beat_cycles.ctypes.data)
        return InputStream(
            accepted=stats.accepted,
            stalled=stats.stalled,
            first=_or_none(stats.first),
            last=_or_none(stats.last),
            beat_cycles=beat_cycles,
        )

    def _output(self, k, name):
        stats = self._sink(k)
        bus = next(bus for bus in self.bench.streams if bus.name == name)
        count, size = stats.beats, bus.bytes
        data, keep = np.empty((count, size), np.uint8), np.empty((count, -(-size // 8)), np.uint8)
        last, user = np.empty(count, np.uint8), np.empty(count, np.uint8)
        beat_cycles = np.empty(count, np.int64)
        self._call(
            "output", k, *(array.ctypes.data for array in (data, keep, last, user, beat_cycles))
        )
        keep = np.unpackbits(keep, axis=1, count=size, bitorder="little").view(np.bool_)
        user = user.view(np.bool_) if bus.user else None
        return OutputStream(
            beats=Beats(data, keep, last.view(np.bool_), user),
            beat_cycles=beat_cycles,
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
        pages_by_address = dict(zip(addresses.tolist(), pages, strict=True))
        return Contents(pages_by_address, self.job.memory.fill)

    def _violations(self, total):
        texts = []
        k = 0
        while (text := self._call("violation", k)) is not None:
            texts.append(text.decode())
            k += 1
        hidden_count = total - len(texts)
        return (*texts, f"and {hidden_count} more") if hidden_count else tuple(texts)

    def _hang(self, stats):
        """Returns a line about a hang."""
        job = self.job
        if stats.cycles == job.limit:
            reason = f"not at its end after {job.limit} cycles"
        else:
            reason = f"no transfer in {job.idle_timeout} cycles up to cycle {stats.cycles}"
        accepted = sum(self._source(k).beat for k in range(len(job.streams)))
        beats = sum(map(len, job.streams.values()))
        sinks = [self._sink(k) for k, n in enumerate(job.packets.values()) if n is not ANY]
        tlasts = sum(sink.tlasts for sink in sinks)
        # A sink without an end wants NEVER tlasts.
        expected = sum(sink.wanted for sink in sinks if sink.wanted != NEVER)
        return hang_text(reason, (accepted, beats), (tlasts, expected))


def _or_none(cycle):
    """Returns the cycle, or None for ``NEVER``."""
    return None if cycle == NEVER else cycle
