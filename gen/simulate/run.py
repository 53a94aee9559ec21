"""Runs the shipped Verilog of a design on data, and compares its rows with golden's."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import Any

from gen.design.build import Build
from gen.design.network import RX, Wire, network_counters, network_writes
from gen.design.register_writes import register_writes
from gen.prediction.expected_rate import foretell
from gen.prediction.rate_bound import RateBound
from gen.simulate import evicted_keys, result_rows
from gen.simulate.comparison import Comparison
from gen.simulate.input_beats import input_beats
from gen.simulate.run_counters import memory_figures, register_names
from gen.simulate.run_result import DROPPED, Simulation
from gen.simulate.steady_part import stretch_of
from gen.verilog.axi_view import axi_view, view_name
from gen.verilog.shipped_verilog import verilog_of
from golden.answer import Answer
from golden.plans.lives import Evictions
from golden.tuples import Tuples
from query.errors import UserError
from query.window import WholeStream
from rtl.bus.top_registers import registers_of
from sim.bench import Bench
from sim.job import ANY_NUMBER
from sim.memory import Memory

SIMULATORS = {"verilator": "compiled", "icarus": "icarus"}  # back end of each simulator
MOST_ROWS = 20_000_000  # a million rows take about half a GB of memory
#: Cycles without a transfer that count as a hang, beyond those that the engine may need: twice its
#: latency, and its `Prediction.pause` and `Prediction.search`. With a latency of 100 cycles, and 0
#: for the other two, 10,200 cycles without a transfer are a hang.
IDLE = 10_000
#: Cycles without a beat that end a complete run, beyond the engine's latency and its
#: `Prediction.pause`: 164 for the same engine.
DRAIN = 64
SHORT = 100_000  # cycles of a run up to which optimising the compiled model saves no time
#: Models of the memory behind the design's memory masters. Their random numbers come from the seed
#: of the run.
MEMORIES = {
    "ideal": Memory(),
    "restless": Memory(delay=60, stall=0.25, reorder=True),
    "ddr3": Memory(backend="ddr3"),
}


def simulate(
    build: Build,
    tuples: Tuples,
    expected: Answer,
    *,
    simulator: str,
    cache: str | PathLike,
    step: Callable[[str], AbstractContextManager],
    answer_with_evictions: Callable[[Evictions], Answer],
    stalls: tuple[float, float] = (0.0, 0.0),
    seed: int = 0,
    verilog: str | None = None,
    memory: str = "ideal",
    allow_evictions: bool = False,
) -> Simulation:
    """Generates the Verilog, builds its model, runs the model and compares the rows with golden's.

    Parameters
    ----------
    build : gen.design.build.Build
        Query, design and board.
    tuples : Tuples
        Input of the run.
    expected : golden.answer.Answer
        Golden's rows for these tuples without evictions, and the start of window 0 of RANGE.
    simulator : str
        ``"verilator"`` (a compiled loop) or ``"icarus"`` (through cocotb, for small inputs).
    cache : path-like
        Directory of the cache, for Verilog and built models.
    step : callable
        Shows the progress, see ``gen.terminal.console.Output.step``.
    answer_with_evictions : callable
        Computes golden's answer for these tuples with the Evictions of the run.
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    seed : int
        Seed of the gaps and of the memory's random numbers.
    verilog : str or None
        Verilog of the design, if it has been generated already.
    memory : str
        Memory behind the memory masters, one of `MEMORIES`.
    allow_evictions : bool
        If True, the rows are compared with golden's answer for the evictions of the run. If False,
        an eviction is a failed check.

    Returns
    -------
    Simulation

    Raises
    ------
    UserError
        If a time, such as the start of the answer, does not fit in its register, or there are more
        than `MOST_ROWS` rows.
    ValueError, ToolMissingError, BuildError, ProtocolError
        See :meth:`sim.bench.Bench.run`.
    """
    design, count = build.design, expected.rows.num_rows
    if count > MOST_ROWS:
        raise UserError(f"at most {MOST_ROWS:,} rows are simulated, and this answer has {count:,}")
    registers = registers_of(design)
    writes = register_writes(design, registers, expected.start)
    if verilog is None:
        with step("generating Verilog"):
            verilog = verilog_of(design, build.name, cache)
    inputs: Any = input_beats(design, tuples, expected.start)
    # With results=select the tuples are sent once for each selected result.
    streams = max(1, len(design.settings.functions))
    # The rate is measured in this part of the stream.
    stretch = stretch_of(build.query, tuples, expected.start)
    prediction, unpredicted = foretell(
        design, tuples, stretch, memory, expected.start, expected.rows, stalls
    )
    predicted_rate = (prediction or design.prediction).tuples_per_cycle
    wire = None
    if design.face.network:
        wire = Wire.of(design, inputs, expected.rows, predicted_rate, 1 - stalls[1])
        inputs = {RX: wire.beats}
        # Through a network there is one stream only, see `gen.design.network.check_results`.
        writes = {0: network_writes(design, registers) + writes[0]}
    view = axi_view(build.name, design)
    bench = Bench(
        top=view_name(build.name) if view else build.name,
        streams=design.pins,
        memories=design.memories,
        verilog="\n".join([verilog, *view.values()]),
        cache=Path(cache) / "bench",
        simulator=SIMULATORS[simulator],
        level="-O0" if len(tuples) < SHORT * predicted_rate else None,
    )
    options = {
        "writes": writes,
        "reads": [registers[name].address for name in register_names(design)],
        "stall_input": stalls[0],
        "stall_output": stalls[1],
        "seed": seed,
        "memory": MEMORIES[memory],
    }
    options |= _end_conditions(design, streams, expected.rows, wire)
    result = _run(bench, inputs, options, step, simulator)
    comparison = Comparison.of(
        build, tuples, expected, result, streams, wire, answer_with_evictions, allow_evictions
    )
    if prediction is not None and stalls[1] and comparison.evictions:
        prediction, unpredicted = None, "evicted keys wait at m_axis_evicted, which is stalled"
    counters = comparison.counters
    return Simulation(
        run=result,
        streams=streams,
        lanes=_tuples_of_a_beat(design.streams[0]),
        stretch=stretch,
        has_stream_windows=_has_stream_windows(build.query.window),
        predicted=None if prediction is None else predicted_rate,
        unpredicted=unpredicted,
        clearing=design.prediction.clearing,
        bound=None
        if prediction is None
        else RateBound.of_run(
            design, prediction, len(tuples), stretch, comparison.expected, stalls
        ),
        tuples=len(tuples),
        start=expected.start,
        rows=comparison.rows,
        expected=comparison.expected,
        counters=counters,
        problems=comparison.problems,
        mismatches=comparison.mismatches,
        dropped=tuple(dict.fromkeys((*DROPPED, *(c.name for c in design.counters if c.dropped)))),
        evictions=comparison.evictions,
        losses=comparison.losses,
        memory=memory_figures(design, memory, counters, streams),
        network=None if wire is None else network_counters(counters),
        pcap=None if wire is None else wire.pcap(result),
    )


def _end_conditions(design, streams, rows, wire):
    """Returns the options of :meth:`sim.bench.Bench.run` that say when the run ends.

    ``packets``: expected number of packets at each output. ``drain``: cycles without a beat after
    which a complete run ends. ``idle_timeout``: cycles without a transfer that count as a hang.

    The number of packets follows from golden's rows. The number is unknown before the run in three
    cases: if packets depend on the rows and keys may be evicted; with ``packets=beats:N``, see
    :func:`gen.simulate.result_rows.allowed_packet_counts`; and through a network, because rows are
    missing if datagrams of tuples are lost. Then the run accepts any number of packets, and
    ``drain`` is the number of cycles that would otherwise count as a hang. ``idle_timeout`` is
    greater by `IDLE`, so that ``drain`` ends the run first. The bit ``busy`` of the status register
    shows tuples that are still inside at the end.
    """
    prediction = design.prediction
    # Apart from `pause`, an output is silent for at most the latency of a window. A drain of this
    # length also lets a window arrive that golden does not expect.
    latency = max(latency.cycles for latency in prediction.latencies)
    pause = prediction.pause
    hang = IDLE + 2 * latency + pause + prediction.search + (0 if wire is None else wire.longest)
    evicted_bus, main_name = evicted_keys.bus_of(design), design.pins[1].name
    packets = {} if evicted_bus is None else {evicted_bus.name: streams}
    may_evict = evicted_bus is not None
    is_unknown = design.face.beats or wire is not None
    is_unknown = is_unknown or (may_evict and result_rows.packets_depend_on_rows(design))
    if is_unknown:
        packets[main_name] = ANY_NUMBER
        return {"packets": packets, "drain": hang, "idle_timeout": IDLE + hang}
    packets[main_name] = streams * result_rows.packet_count(design, rows)
    return {"packets": packets, "drain": DRAIN + latency + pause, "idle_timeout": hang}


def _has_stream_windows(window):
    """Returns True if the query has windows of the stream: ROWS or RANGE without PARTITION BY.

    Then a rate can be measured from the end of one window to the end of another.
    """
    return not isinstance(window, WholeStream) and window.partition is None


def _tuples_of_a_beat(bus):
    """Returns the number of tuples in a transfer at the pins.

    The number may be a fraction: tuples of 24 bytes over 16 bytes of ``tdata`` are 2/3 in a beat.
    """
    return bus.lanes if bus.bits is None else Fraction(bus.bytes, bus.packing.bytes)


def _run(bench, inputs, options, step, simulator):
    """Runs the bench; the first run of a design builds its model."""
    with step("building the model"):
        bench.build()
    with step(f"simulating in {simulator}") as update:

        def progress(cycles, accepted, beats):
            update(f"{accepted:,} of {beats:,} beats")

        return bench.run(inputs, progress=progress, **options)
