"""Runs the shipped Verilog of a design on data, and compares its rows with golden's."""

from fractions import Fraction
from pathlib import Path

from gen.design.network import RX, Wire, network_counters, network_writes
from gen.design.register_writes import register_writes
from gen.prediction.expected_rate import foretell
from gen.prediction.rate_bound import RateBound
from gen.simulate import evicted_keys as evicted
from gen.simulate import result_rows as results
from gen.simulate.comparison import Comparison
from gen.simulate.input_beats import input_beats
from gen.simulate.run_counters import memory_figures, register_names
from gen.simulate.run_result import DROPPED, Simulation
from gen.simulate.steady_part import stretch_of
from gen.verilog.axi_view import axi_view, view_name
from gen.verilog.shipped_verilog import verilog_of
from query.errors import UserError
from query.window import WholeStream
from rtl.bus.top import registers_of
from sim.bench import Bench
from sim.job import ANY_NUMBER
from sim.memory import Memory

SIMULATORS = {"verilator": "compiled", "icarus": "icarus"}  # by their names for a user
MOST_ROWS = 20_000_000  # at about half a GB of memory for a million
IDLE = 10_000  # cycles without a transfer, beyond the engine's latency, that are a hang
DRAIN = 64  # quiet cycles, beyond it, that are the end
SHORT = 100_000  # cycles, of which none is so slow that a better compiled model would save time
#: What may be behind memory masters; its random numbers are those of the run's seed.
MEMORIES = {
    "ideal": Memory(),
    "restless": Memory(delay=60, stall=0.25, reorder=True),
    "ddr3": Memory(backend="ddr3"),
}


def simulate(
    build,
    tuples,
    expected,
    *,
    simulator,
    cache,
    step,
    again,
    stalls=(0.0, 0.0),
    seed=0,
    verilog=None,
    memory="ideal",
    allow_evictions=False,
):
    """Generates the design, builds its model, runs it and compares.

    Parameters
    ----------
    build : gen.design.build.Build
    tuples : Tuples
    expected : golden.answer.Answer
    simulator : str
        ``"verilator"`` (a compiled loop) or ``"icarus"`` (through cocotb, for small inputs).
    cache : path-like
    step : callable
        As ``gen.terminal.console.Output.step``.
    again : callable
        From Evictions to golden's answer for them.
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    seed : int
    verilog : str or None
        The design's text, when it has been generated already.
    memory : str
        What is behind memory masters, one of `MEMORIES`.
    allow_evictions : bool
        Whether keys may be evicted: rows are then compared with golden's answer for these
        evictions. Otherwise an eviction is a failed check.

    Returns
    -------
    Simulation

    Raises
    ------
    UserError
        When the engine cannot begin where the answer does, or the rows are more than `MOST_ROWS`.
    """
    design, count = build.design, expected.rows.num_rows
    if count > MOST_ROWS:
        raise UserError(f"at most {MOST_ROWS:,} rows are simulated, and this answer has {count:,}")
    registers = registers_of(design)
    writes = register_writes(design, registers, expected.start)
    if verilog is None:
        with step("generating Verilog"):
            verilog = verilog_of(design, build.name, cache)
    fed = input_beats(design, tuples, expected.start)
    streams = max(1, len(design.settings.functions))
    stretch = stretch_of(build.query, tuples, expected.start)
    rate, unpredicted = foretell(
        design, tuples, stretch, memory, expected.start, expected.rows, stalls
    )
    likely = design.prediction.tuples_per_cycle if rate is None else rate
    wire = None
    if design.face.network:
        rate_of_wire = (1 - stalls[1]) * likely
        wire = Wire.of(design, fed, expected.rows, rate_of_wire)
        fed, writes = {RX: wire.beats}, {0: network_writes(design, registers) + writes[0]}
    view = axi_view(build.name, design)
    bench = Bench(
        top=view_name(build.name) if view else build.name,
        streams=design.pins,
        memories=design.memories,
        verilog="\n".join([verilog, *view.values()]),
        cache=Path(cache) / "bench",
        simulator=SIMULATORS[simulator],
        level="-O0" if len(tuples) < SHORT * likely else None,
    )
    options = {
        "writes": writes,
        "reads": [registers[name].address for name in register_names(design)],
        "stall_input": stalls[0],
        "stall_output": stalls[1],
        "seed": seed,
        "memory": MEMORIES[memory],
    }
    options |= _ends(design, streams, expected.rows, wire)
    result = _run(bench, fed, options, step, simulator)
    compared = Comparison.of(build, tuples, expected, result, streams, wire, again, allow_evictions)
    counters = compared.counters
    return Simulation(
        run=result,
        streams=streams,
        packets=results.packets(design, expected.rows),
        lanes=_tuples_of_a_beat(design.streams[0]),
        stretch=stretch,
        windows=_of_the_whole_stream(build.query.window) and _packets_are_windows(design),
        predicted=rate,
        unpredicted=unpredicted,
        clearing=design.prediction.clearing,
        bound=RateBound.of_run(design, likely, len(tuples), expected.rows, stalls),
        tuples=len(tuples),
        start=expected.start,
        rows=compared.rows,
        expected=compared.expected,
        counters=counters,
        problems=compared.problems,
        mismatches=compared.mismatches,
        dropped=tuple(dict.fromkeys((*DROPPED, *(c.name for c in design.counters if c.dropped)))),
        evictions=compared.evictions,
        losses=compared.losses,
        memory=memory_figures(design, memory, counters, streams),
        network=None if wire is None else network_counters(counters),
        pcap=None if wire is None else wire.pcap(result),
    )


def _ends(design, streams, rows, wire):
    """How the run finds its end: how many packets come, and for how long nothing may come.

    Packets are counted from golden's rows. Before the run their number is not known where packets
    depend on the rows and keys may be evicted; nor with ``packets=beats:N``, see
    :func:`gen.simulate.result_rows.numbers_of_packets`. Then any number may come, and the run ends
    when nothing has come for as long as would otherwise be a hang. Should anything be inside still,
    the status register shows it.
    """
    prediction = design.prediction
    # A window takes up to its latency after the one before, so does one that should not come.
    latency, pause = max(latency.cycles for latency in prediction.latencies), prediction.pause
    longest = IDLE + 2 * latency + pause + (0 if wire is None else wire.longest)
    gone, main = evicted.bus_of(design), design.pins[1].name
    packets = {} if gone is None else {gone.name: streams}
    if design.face.beats or (gone is not None and results.packets_depend_on_rows(design)):
        packets[main] = ANY_NUMBER
        return {"packets": packets, "drain": longest, "idle_timeout": IDLE + longest}
    packets[main] = streams * (results.packets(design, rows) if wire is None else wire.datagrams)
    return {"packets": packets, "drain": DRAIN + latency + pause, "idle_timeout": longest}


def _of_the_whole_stream(window):
    """Whether windows end for all tuples at once, so that a rate can be measured between them."""
    return not isinstance(window, WholeStream) and window.partition is None


def _packets_are_windows(design):
    """Whether the ends of packets tell when windows end."""
    face, rows = design.face, design.rows
    return not (face.network or face.beats or face.joins(rows) or face.marks(rows))


def _tuples_of_a_beat(bus):
    """Tuples of a transfer at the pins, of which one may have a part."""
    return bus.lanes if bus.bits is None else Fraction(bus.bytes, bus.packing.bytes)


def _run(bench, fed, options, step, simulator):
    """One run, in ``simulator`` as a user calls it; the first of a design builds its model."""
    with step("building the model"):
        bench.build()
    with step(f"simulating in {simulator}") as update:

        def progress(cycles, taken, beats):
            update(f"{taken:,} of {beats:,} beats")

        return bench.run(fed, progress=progress, **options)
