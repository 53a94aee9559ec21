"""Runs the shipped Verilog of a design on data, and compares its rows with golden's."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark import __version__ as spark_version

from gen import results
from gen.input_beats import input_beats
from gen.register_writes import register_writes
from gen.selected_tuples import filtered_count
from gen.stretch import Stretch, stretch_of
from gen.verilog import verilog_of
from golden.answer import nan_count
from golden.cache import cached_answer
from golden.rows import first_difference, mismatches
from golden.tuples import Tuples
from query.errors import UserError
from query.window import Whole
from rtl.bus.top import counters_of, registers_of
from tb.harness.bench import Bench
from tb.harness.errors import ProtocolError
from tb.harness.outcome import Outcome

DROPPED = ("late", "overrun", "nan", "collision")
SIMULATORS = {"verilator": "compiled", "icarus": "icarus"}  # by their names for a user
MOST_ROWS = 20_000_000  # at about half a GB of memory for a million
IDLE = 10_000  # cycles without a transfer, beyond the engine's latency, that are a hang
DRAIN = 64  # quiet cycles, beyond it, that are the end


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """A run and its comparison.

    Attributes
    ----------
    run : Outcome
    streams : int
        How often the tuples were fed: once for each selected result.
    packets : int
        How many packets a stream should give: its windows.
    lanes : int
        Tuples of a beat of the input.
    stretch : Stretch or None
        Over which the rate is measured; None with fewer than two ends of windows.
    windows : bool
        Rows are of windows of the whole stream: without a stretch there is no rate.
    predicted : float
        Tuples per cycle of the design for what the data do in the stretch; without one, for data
        of the default shape.
    tuples : int
    start : int or None
        Where window 0 begins, in raw units of the time column; None where there is no such thing.
    rows : pa.Table or None
        What the hardware gave; None when it broke the rules of its stream.
    expected : pa.Table
    counters : dict of str to int
        The 64-bit counters of the register map after the run.
    problems : tuple of str
        All that is wrong, a line each; empty when the hardware agrees with golden.
    mismatches : int
    dropped : tuple of str
        The counters that count tuples which have no say in any row.
    """

    run: Outcome
    streams: int
    packets: int
    lanes: int
    stretch: Stretch | None
    windows: bool
    predicted: float
    tuples: int
    start: int | None
    rows: pa.Table | None
    expected: pa.Table
    counters: dict
    problems: tuple[str, ...]
    mismatches: int
    dropped: tuple[str, ...] = DROPPED

    @property
    def cycles(self):
        """From the first beat taken at the input to the last one at the output."""
        if self.run.first_input is None or self.run.last_output is None:
            return self.run.cycles
        return self.run.last_output - self.run.first_input + 1

    @property
    def sustained(self):
        """Tuples taken at the input per cycle in the long run, summed over the streams.

        From the first window of the stretch to its last one, each when its row comes; without
        windows from the first beat of the input to the last. What only the begin of a stream
        costs, and its end, has no part in it. None without a stretch, with fewer than two beats, or
        when not all windows came.
        """
        if not self.windows:
            return self._taken_at_the_input()
        ends = self.run.taken[self.run.beats.last]
        if self.stretch is None or len(ends) != self.streams * self.packets:
            return None
        ends = ends.reshape(self.streams, self.packets)
        cycles = int(np.sum(ends[:, self.stretch.last] - ends[:, self.stretch.first]))
        return self.streams * self.stretch.tuples / max(1, cycles)

    def _taken_at_the_input(self):
        """Tuples per cycle from each stream's first beat to its last, which may not be full."""
        taken, beats = next(iter(self.run.inputs.values())).taken, -(-self.tuples // self.lanes)
        if taken is None or beats < 2 or len(taken) != self.streams * beats:
            return None
        taken = taken.reshape(self.streams, beats)
        cycles = int(np.sum(taken[:, -1] - taken[:, 0]))
        return self.streams * self.lanes * (beats - 1) / cycles

    def _count(self, name):
        """A counter for each time that the tuples were fed; 0 when the design has none such."""
        return self.counters.get(name, 0) // self.streams

    def figures(self):
        """Plain data for ``sluice simulate --json``."""
        run, sustained, first = self.run, self.sustained, None
        if run.first_output is not None and run.first_input is not None:
            first = run.first_output - run.first_input
        return {
            "tuples": self.tuples,
            "streams": self.streams,
            "cycles": self.cycles,
            "tuples_per_cycle": round(self.streams * self.tuples / max(1, self.cycles), 4),
            "sustained_tuples_per_cycle": None if sustained is None else _rounded(sustained),
            "predicted_tuples_per_cycle": _rounded(self.predicted),
            "first_result_cycles": first,
            "rows": 0 if self.rows is None else self.rows.num_rows,
            "rows_expected": self.expected.num_rows,
            "mismatches": self.mismatches,
            "dropped": {name: self._count(name) for name in self.dropped},
            "filtered": self._count("filtered"),
            "input_stalled_cycles": run.input_stalled,
            "output_stalled_cycles": run.output_stalled,
            "stream_rule_violations": len(run.violations),
            "simulation_cycles": run.cycles,
            "simulation_seconds": round(run.seconds, 4),
            "simulation_cycles_per_second": round(run.cycles_per_second),
            "verified_by": f"PySpark {spark_version}",
        }


def expect(query, tuples: Tuples, master, cache, start=None):
    """Golden's answer, computed once for each content."""
    return cached_answer(query, tuples, master, Path(cache) / "golden", start)


def simulate(
    build, tuples, expected, *, simulator, cache, step, stalls=(0.0, 0.0), seed=0, verilog=None
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
    stalls : (float, float)
        Probability of a gap in a cycle, at the input and at the output.
    seed : int
    verilog : str or None
        The design's text, when it has been generated already.

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
    bench = Bench(
        top=build.name,
        streams=design.streams,
        memories=design.memories,
        verilog=verilog,
        cache=Path(cache) / "bench",
        simulator=SIMULATORS[simulator],
    )
    # A window takes up to its latency after the one before, so does one that should not come.
    prediction = design.prediction
    latency, pause = max(latency.cycles for latency in prediction.latencies), prediction.pause
    options = {
        "writes": writes,
        "reads": [registers[name].address for name in _read_names(design)],
        "packets": streams * packets,
        "stall_input": stalls[0],
        "stall_output": stalls[1],
        "seed": seed,
        "drain": DRAIN + latency + pause,
        "idle_timeout": IDLE + 2 * latency + pause,
    }
    result = _run(bench, fed, options, step, simulator)
    counters, status = _registers(design, result.reads)
    problems = [*result.violations, *([result.hang] if result.hang else [])]
    if status:
        names = [f.name for f in registers["status"].fields if status >> f.low & 1]
        problems.append(f"the status register shows {', '.join(names)}")
    rows, count, found = None, expected.rows.num_rows, None
    if not result.hang:
        try:
            rows = results.rows(design, result.beats)
        except (ProtocolError, ValueError) as error:
            problems.append(str(error))
    if rows is not None:
        count = mismatches(expected.rows, rows)
        found = first_difference(expected.rows, rows)
    if found is not None:
        index, wanted, got = found
        problems.append(f"row {index} must be {_row(wanted)}, not {_row(got)}")
    if not result.hang:
        problems += _miscounted(build.query, tuples, expected, rows, counters, streams)
    window, stretch = build.query.window, stretch_of(build.query, tuples, expected.start)
    asked = {} if stretch is None else {"shape": stretch.shape}
    return Simulation(
        run=result,
        streams=streams,
        packets=packets,
        lanes=design.input.lanes,
        stretch=stretch,
        windows=not isinstance(window, Whole) and window.partition is None,
        predicted=design.predict(**asked).tuples_per_cycle,
        tuples=len(tuples),
        start=expected.start,
        rows=rows,
        expected=expected.rows,
        counters=counters,
        problems=tuple(problems),
        mismatches=count,
        dropped=tuple(dict.fromkeys((*DROPPED, *(c.name for c in design.counters if c.dropped)))),
    )


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


def _miscounted(query, tuples, answer, rows, counters, streams):
    """What the hardware counted wrongly, a line each."""
    expected = {"tuples": len(tuples), "streams": 1, "nan": nan_count(query, tuples)}
    expected |= {"filtered": filtered_count(query, tuples), "late": answer.late}
    expected |= {"overrun": 0, "collision": 0}
    expected |= {} if rows is None else {"rows": rows.num_rows}
    return [
        f"counter {name} must be {streams * value}, not {counters.get(name, 0)}"
        for name, value in expected.items()
        if counters.get(name, 0) != streams * value
    ]


def _rounded(rate):
    """To six digits: a rate may be as small as one over the panes of a window."""
    return float(f"{rate:.6g}")


def _row(row):
    return "no row" if row is None else str(tuple(row.values()))
