"""Runs the shipped Verilog of a design on data, and compares its rows with golden's."""

from fractions import Fraction
from pathlib import Path

from gen import evicted, results
from gen.axi_view import axi_view, view_name
from gen.input_beats import input_beats
from gen.network import RX, Wire, network_counters, network_writes
from gen.predicted import foretell
from gen.register_writes import register_writes
from gen.selected_tuples import filtered_count
from gen.simulated import DROPPED, Simulation, rounded
from gen.stretch import stretch_of
from gen.verilog import verilog_of
from golden.answer import nan_count
from golden.cache import cached_answer
from golden.comparison import first_difference, mismatches
from golden.tuples import Tuples
from query.errors import UserError
from query.window import Whole
from rtl.bus.top import counters_of, registers_of
from tb.harness.bench import Bench
from tb.harness.errors import ProtocolError
from tb.harness.memory import Memory

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
#: What a design counts of its memory, if it does.
MEMORY_COUNTERS = ("m3_lines_read", "m3_lines_written", "m3_read_modify_writes")
#: Values of windows, and those of them that were read from the memory, if it counts these.
WINDOW_VALUES = ("window_values", "m3_window_values")


def expect(query, tuples: Tuples, master, cache, start=None, evictions=None, codec=None):
    """Golden's answer, computed once for each content."""
    kept = Path(cache) / "golden"
    return cached_answer(query, tuples, master, kept, start, evictions, codec)


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
):
    """Generates the design, builds its model, runs it and compares.

    Parameters
    ----------
    build : gen.build.Build
    tuples : Tuples
    expected : golden.answer.Answer
    simulator : str
        ``"verilator"`` (a compiled loop) or ``"icarus"`` (through cocotb, for small inputs).
    cache : path-like
    step : callable
        As ``gen.console.Output.step``.
    again : callable
        From Evictions to golden's answer, for a design that throws out keys.
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    seed : int
    verilog : str or None
        The design's text, when it has been generated already.
    memory : str
        What is behind memory masters, one of `MEMORIES`.

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
    packets = results.packets(design, expected.rows)
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
    # A window takes up to its latency after the one before, so does one that should not come.
    prediction = design.prediction
    latency, pause = max(latency.cycles for latency in prediction.latencies), prediction.pause
    options = {
        "writes": writes,
        "reads": [registers[name].address for name in _read_names(design)],
        "packets": _packets(design, streams, packets if wire is None else wire.datagrams),
        "stall_input": stalls[0],
        "stall_output": stalls[1],
        "seed": seed,
        "drain": DRAIN + latency + pause,
        "idle_timeout": IDLE + 2 * latency + pause + (0 if wire is None else wire.longest),
        "memory": MEMORIES[memory],
    }
    result = _run(bench, fed, options, step, simulator)
    counters, status = _registers(design, result.reads)
    problems = [*result.violations, *([result.hang] if result.hang else [])]
    if status:
        names = [f.name for f in registers["status"].fields if status >> f.low & 1]
        problems.append(f"the status register shows {', '.join(names)}")
    gone, wrong = (None, []) if result.hang else _evictions(build, tuples, result, streams)
    if gone and not wrong:
        expected = again(gone)
    problems += wrong
    rows, count, found = None, expected.rows.num_rows, None
    if not result.hang:
        try:
            beats = result.beats if wire is None else wire.received(result)
            rows = results.rows(design, beats)
        except (ProtocolError, ValueError) as error:
            problems.append(str(error))
    if rows is not None:
        count = mismatches(expected.rows, rows)
        found = first_difference(expected.rows, rows)
    if found is not None:
        index, wanted, got = found
        problems.append(f"row {index} must be {_row(wanted)}, not {_row(got)}")
    if not result.hang:
        out = 0 if gone is None else len(gone)
        problems += _miscounted(build.query, tuples, expected, rows, counters, streams, out)
        problems += [] if wire is None else wire.miscounted(counters)
    return Simulation(
        run=result,
        streams=streams,
        packets=packets,
        lanes=_tuples_of_a_beat(design.streams[0]),
        stretch=stretch,
        windows=_of_the_whole_stream(build.query.window) and _packets_are_windows(design),
        predicted=rate,
        unpredicted=unpredicted,
        clearing=prediction.clearing,
        tuples=len(tuples),
        start=expected.start,
        rows=rows,
        expected=expected.rows,
        counters=counters,
        problems=tuple(problems),
        mismatches=count,
        dropped=tuple(dict.fromkeys((*DROPPED, *(c.name for c in design.counters if c.dropped)))),
        evictions=gone,
        memory=_memory(design, memory, counters, streams),
        network=None if wire is None else network_counters(counters),
        pcap=None if wire is None else wire.pcap(result),
    )


def _of_the_whole_stream(window):
    """Whether windows end for all tuples at once, so that a rate can be measured between them."""
    return not isinstance(window, Whole) and window.partition is None


def _packets_are_windows(design):
    """Whether the ends of packets tell when windows end."""
    face, rows = design.face, design.rows
    return not (face.network or face.beats or face.joins(rows) or face.marks(rows))


def _tuples_of_a_beat(bus):
    """Tuples of a transfer at the pins, of which one may have a part."""
    return bus.lanes if bus.bits is None else Fraction(bus.bytes, bus.packing.bytes)


def _packets(design, streams, packets):
    """How many packets to wait for, by the stream that gives them."""
    waited = {design.pins[1].name: streams * packets}
    return waited | ({evicted.BUS: streams} if evicted.bus_of(design) else {})


def _evictions(build, tuples, result, streams):
    """The keys that were thrown out, None where nobody tells; and what is wrong about them."""
    if evicted.bus_of(build.design) is None:
        return None, []
    try:
        gone = evicted.evictions(build.design, result.outputs[evicted.BUS].beats, streams)
    except (ProtocolError, ValueError) as error:
        return None, [str(error)]
    return gone, evicted.impossible(build.query, tuples, gone)


def _memory(design, back_end, counters, streams):
    """`Simulation.memory`: lines are counted for each time that the tuples were fed."""
    if not design.memories:
        return None
    told = {name: counters.get(name) for name in (*MEMORY_COUNTERS, *WINDOW_VALUES)}
    told = {name: None if n is None else n // streams for name, n in told.items()}
    values, read = (told[name] for name in WINDOW_VALUES)
    share = rounded(1 - read / values) if values else None
    return {"back_end": back_end} | told | {"on_chip_share": share}


def _run(bench, fed, options, step, simulator):
    """One run, in ``simulator`` as a user calls it; the first of a design builds its model."""
    with step("building the model"):
        bench.build()
    with step(f"simulating in {simulator}") as update:

        def progress(cycles, taken, beats):
            update(f"{taken:,} of {beats:,} beats")

        return bench.run(fed, progress=progress, **options)


def _read_names(design):
    """Names of the registers that are read after a run."""
    halves = [f"{c.name}_{half}" for c in counters_of(design) for half in ("low", "high")]
    return [*halves, "status"]


def _registers(design, reads):
    """Counters by name, and the status register; zeros when the run ended before the reads."""
    value = dict.fromkeys(_read_names(design), 0)
    value |= dict(zip(value, reads, strict=False))
    counters = {
        c.name: value[f"{c.name}_low"] | value[f"{c.name}_high"] << 32 for c in counters_of(design)
    }
    return counters, value["status"]


def _miscounted(query, tuples, answer, rows, counters, streams, out=0):
    """What the hardware counted wrongly, a line each; ``out`` keys of a stream were thrown out."""
    expected = {"tuples": len(tuples), "streams": 1, "nan": nan_count(query, tuples)}
    expected |= {"filtered": filtered_count(query, tuples), "late": answer.late}
    expected |= {"overrun": 0, "collision": out}
    expected |= {} if rows is None else {"rows": rows.num_rows}
    return [
        f"counter {name} must be {streams * value}, not {counters.get(name, 0)}"
        for name, value in expected.items()
        if counters.get(name, 0) != streams * value
    ]


def _row(row):
    return "no row" if row is None else str(tuple(row.values()))
