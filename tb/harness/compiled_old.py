"""Runs the shipped top from a compiled loop over arrays: for volume, some million cycles a minute.

Example
-------
>>> model = CompiledModel.build(text, "top", 32, 32, cache_dir)                 # doctest: +SKIP
>>> result = model.run(Beats.from_streams([tuples], lanes=4), stall_output=0.5, seed=1).checked()
"""

import ctypes
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tb.harness.beats import Beats
from tb.harness.result import RunResult
from tb.harness.verilator import shared_library

BENCH = Path(__file__).with_name("compiled.cpp")
NEVER = (1 << 64) - 1
RUNNING, DONE, HANG = range(3)
VIOLATIONS = (  # in the order of the codes in compiled.cpp
    "m_axis_tvalid withdrawn before tready",
    "m_axis payload changed before tready",
    "m_axis_tvalid or its payload depends on m_axis_tready in the same cycle",
    "a valid output during reset",
    "m_axis beat after the last expected tlast",
    "s_axil_bvalid withdrawn before bready",
    "s_axil_rvalid withdrawn before rready",
    "s_axil_rdata changed before rready",
    "s_axil_bvalid without a write",
    "s_axil_rvalid without a read",
    "s_axil_bresp is an error",
    "s_axil_rresp is an error",
)


def _struct(name, **fields):
    return type(name, (ctypes.Structure,), {"_fields_": list(fields.items())})


_U32, _U64, _POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
_ACCESS = np.dtype(
    [("before", "<u8"), ("write", "<u4"), ("address", "<u4"), ("value", "<u4")], True
)
_VIOLATION = np.dtype([("cycle", "<u8"), ("code", "<u4")], True)
_COUNTS = (
    *("beats", "accesses", "background", "idle_limit", "drain", "reset_cycle", "restart_beat"),
    "packets",
)
_Config = _struct(
    "Config",
    **dict.fromkeys((*_COUNTS, "seed"), _U64),
    **dict.fromkeys(("data", "keep", "last", "user", "access", "background_address"), _POINTER),
    **dict.fromkeys(("stall_input", "stall_output", "background_rate"), _U32),
)
_STATS = (
    *("cycles", "accepted", "input_stalled", "output_stalled", "first_input", "last_input"),
    *("out_beats", "out_before_reset", "background_reads", "violations"),
    *("beat", "tlasts", "tlasts_expected", "accesses"),
)
_Stats = _struct("Stats", **dict.fromkeys(_STATS, _U64))


@dataclass(frozen=True)
class ResetInStream:
    """A reset during a run: ``aresetn`` falls at ``cycle``, then feeding restarts at ``beat``.

    Register writes that are due by then are made again, as the reset has undone them.
    """

    cycle: int
    beat: int = 0


@dataclass(frozen=True)
class CompiledModel:
    """The Verilated top with its driving loop, as a shared library."""

    library: Path
    in_bytes: int
    out_bytes: int
    user: bool = False

    @classmethod
    def build(cls, verilog, top, in_bytes_per_beat, out_bytes_per_beat, cache_dir, *, user=False):
        """Builds the model, or finds it in the cache.

        Parameters
        ----------
        verilog : str or pathlib.Path
            Text of the design, or the file that holds it.
        top : str
            Top module, with the ports ``aclk aresetn s_axis_* m_axis_* s_axil_*``.
        in_bytes_per_beat, out_bytes_per_beat : int
            Widths of ``s_axis_tdata`` and ``m_axis_tdata`` in bytes.
        cache_dir : path-like
        user : bool
            The top has ``s_axis_tuser``, of one bit.

        Raises
        ------
        ToolMissingError, BuildError
        """
        text = verilog.read_text() if isinstance(verilog, Path) else verilog
        defines = {"IN_BYTES": in_bytes_per_beat, "OUT_BYTES": out_bytes_per_beat}
        defines |= {"IN_USER": 1} if user else {}
        library = shared_library(text, top, BENCH, defines, cache_dir)
        return cls(library, in_bytes_per_beat, out_bytes_per_beat, user)

    def run(
        self,
        beats,
        *,
        writes=(),
        reads=(),
        packets=None,
        stall_input=0.0,
        stall_output=0.0,
        seed=0,
        reset=None,
        background_reads=(),
        background_rate=0.1,
        idle_timeout=10_000,
        drain=64,
        progress=None,
        chunk=100_000,
    ):
        """Feeds ``beats`` from power-up and a reset, until all packets have come out.

        A packet is what ends with a tlast. The run is at its end when every beat has been taken,
        every packet has come and then nothing has for ``drain`` cycles.

        Parameters
        ----------
        beats : Beats
        writes : sequence of (address, value), or dict of stream index to such sequences
            Register writes before the first beat, or before the first beat of a stream: that beat
            waits for their responses, but earlier streams may still be inside.
        reads : sequence of int
            Registers to be read after the last beat.
        packets : int or None
            How many packets to wait for, none included; None is one for each stream. One more is a
            violation. With a reset, how many to wait for after it.
        stall_input, stall_output : float
            Probability that a beat is held back, and that ``m_axis_tready`` is low, in a cycle. One
            pause of the output in four waits until ``m_axis_tvalid`` has been seen.
        seed : int
        reset : ResetInStream or None
        background_reads : sequence of int
            Registers read at random during the whole run; what they hold is not looked at.
        background_rate : float
            Probability that one such read begins in a cycle in which the bus is idle.
        idle_timeout : int
            Cycles without any transfer after which the run is given up.
        drain : int
            Cycles in which no beat may follow, once all is taken and has come. An engine that gives
            more than it should, but later, is not caught.
        progress : callable or None
            Called as ``progress(cycles, beats taken, beats)`` after every ``chunk`` of cycles.
        chunk : int

        Returns
        -------
        RunResult
            Broken rules and hangs are in it; ``.checked()`` raises them.
        """
        if beats.bytes != self.in_bytes:
            raise ValueError(f"beats must be of {self.in_bytes} bytes, not {beats.bytes}")
        if beats.user is not None and not self.user:
            raise ValueError("beats must be without user, as the model has no s_axis_tuser")
        for name, rate in (("stall_input", stall_input), ("stall_output", stall_output)):
            if not 0 <= rate <= 0.99:
                raise ValueError(f"{name} must be between 0 and 0.99, not {rate}")
        if packets is not None and packets < 0:
            raise ValueError(f"packets must be at least 0, not {packets}")
        if reset is not None and not 0 <= reset.beat < len(beats):
            raise ValueError(f"reset.beat must be below {len(beats)}, not {reset.beat}")
        access = _accesses(beats, writes, reads)
        arrays = {
            "data": np.ascontiguousarray(beats.data),
            "keep": np.packbits(beats.keep, axis=1, bitorder="little"),
            "last": np.ascontiguousarray(beats.last).view(np.uint8),
            "user": np.ascontiguousarray(beats.users).view(np.uint8),
            "access": access,
            "background_address": np.array(background_reads, np.uint32),
        }
        config = _Config(
            beats=len(beats),
            accesses=len(access),
            background=len(background_reads),
            idle_limit=idle_timeout,
            drain=drain,
            reset_cycle=NEVER if reset is None else reset.cycle,
            restart_beat=0 if reset is None else reset.beat,
            packets=NEVER if packets is None else packets,
            seed=seed,
            stall_input=_threshold(stall_input),
            stall_output=_threshold(stall_output),
            background_rate=_threshold(background_rate),
            **{name: array.ctypes.data for name, array in arrays.items()},
        )
        library = _load(self.library)
        simulation = library.simulation_new(ctypes.byref(config))
        try:
            stats, status, start = _Stats(), RUNNING, time.perf_counter()
            while status == RUNNING:
                status = library.simulation_run(simulation, chunk)
                library.simulation_stats(simulation, ctypes.byref(stats))
                if progress is not None:
                    progress(stats.cycles, stats.beat, len(beats))
            seconds = time.perf_counter() - start
            output, taken = self._output(library, simulation, stats.out_beats)
            violations = _violations(library, simulation, stats.violations)
        finally:
            library.simulation_delete(simulation)
        if reset is not None and stats.out_before_reset == NEVER and status == DONE:
            raise ValueError(f"reset.cycle must be below {stats.cycles}, not {reset.cycle}")
        return RunResult(
            beats=output,
            taken=taken,
            cycles=stats.cycles,
            input_stalled=stats.input_stalled,
            output_stalled=stats.output_stalled,
            first_input=_or_none(stats.first_input),
            last_input=_or_none(stats.last_input),
            first_output=int(taken[0]) if len(taken) else None,
            last_output=int(taken[-1]) if len(taken) else None,
            reads=tuple(int(value) for value in access["value"][len(access) - len(reads) :]),
            background_reads=stats.background_reads,
            beats_before_reset=_or_none(stats.out_before_reset),
            violations=violations,
            hang=_hang(stats, len(beats), idle_timeout) if status == HANG else None,
            seconds=seconds,
        )

    def _output(self, library, simulation, count):
        data = np.empty((count, self.out_bytes), np.uint8)
        keep = np.empty((count, -(-self.out_bytes // 8)), np.uint8)
        last, taken = np.empty(count, np.uint8), np.empty(count, np.int64)
        pointers = (array.ctypes.data for array in (data, keep, last, taken))
        library.simulation_output(simulation, *pointers)
        keep = np.unpackbits(keep, axis=1, count=self.out_bytes, bitorder="little")
        return Beats(data, keep.view(np.bool_), last.view(np.bool_)), taken


def _load(path):
    library = ctypes.CDLL(str(path))
    library.simulation_new.restype = _POINTER
    library.simulation_new.argtypes = [_POINTER]
    library.simulation_run.argtypes = [_POINTER, _U64]
    library.simulation_stats.argtypes = [_POINTER, _POINTER]
    library.simulation_output.argtypes = [_POINTER] * 5
    library.simulation_violations.argtypes = [_POINTER] * 2
    library.simulation_delete.argtypes = [_POINTER]
    return library


def _threshold(rate):
    return min(int(rate * (1 << 32)), (1 << 32) - 1)


def _or_none(cycle):
    return None if cycle == NEVER else cycle


def _accesses(beats, writes, reads):
    starts = beats.starts
    by_stream = writes if isinstance(writes, Mapping) else {0: writes}
    rows = []
    for stream, pairs in sorted(by_stream.items()):
        if not 0 <= stream < max(1, len(starts)):
            raise ValueError(f"writes must name a stream below {len(starts)}, not {stream}")
        before = int(starts[stream]) if len(starts) else 0
        rows += [(before, 1, address, value) for address, value in pairs]
    return np.array([*rows, *((NEVER, 0, address, 0) for address in reads)], _ACCESS)


def _violations(library, simulation, total):
    found = np.zeros(16, _VIOLATION)
    found = found[: library.simulation_violations(simulation, found.ctypes.data)]
    texts = [f"{VIOLATIONS[code]} (cycle {cycle})" for cycle, code in found]
    more = total - len(texts)
    return (*texts, f"and {more} more") if more else tuple(texts)


def _hang(stats, beats, idle):
    return (
        f"hang: no transfer in {idle} cycles up to cycle {stats.cycles}, with {stats.beat} of "
        f"{beats} input beats taken and {stats.tlasts} of {stats.tlasts_expected} tlasts seen"
    )
