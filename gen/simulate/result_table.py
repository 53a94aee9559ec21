"""Returns the figures of a simulation as plain data and as a table, and checks for problems."""

from pathlib import Path

from rich.table import Table

from gen.design.build import Build
from gen.design.first_window import shown_start, start_text
from gen.design.key_memory import KeyMemory
from gen.simulate.overflows import OVERFLOWED
from gen.simulate.run_counters import MEMORY_COUNTERS
from gen.simulate.run_result import Simulation
from gen.terminal.console import table
from gen.terminal.errors import CheckFailedError

#: Name of the counter of evicted keys, which `--json` lists among the dropped tuples.
EVICTED = "collision"


def figures(
    build: Build,
    simulator: str,
    simulation: Simulation,
    rows_file: Path | None,
    evicted_file: Path | None = None,
) -> dict:
    """Returns the figures of a simulation as plain data."""
    memory = KeyMemory.of(build.design)
    no_rows = rows_file is None or simulation.rows is None
    no_evictions = evicted_file is None or simulation.evictions is None
    return {
        "engine": build.design.engine,
        "parameters": build.design.parameters,
        "simulator": simulator,
        "key_memory": None if memory is None else memory.figures(),
        "start": start_text(build.query, simulation.start),
        **simulation.figures(),
        "rows_file": None if no_rows else str(rows_file),
        "evicted_file": None if no_evictions else str(evicted_file),
        "problems": list(simulation.problems),
        "warnings": list(build.warnings),
    }


def figures_table(build: Build, simulator: str, simulation: Simulation, values: dict) -> Table:
    """Returns the figures of a simulation as a table of two columns."""
    parameters = ", ".join(f"{k}={v}" for k, v in build.design.parameters.items())
    title = f"{build.name}: {build.design.engine} ({parameters}), in {simulator}"
    counts = {name: n for name, n in values["dropped"].items() if n and name != EVICTED}
    dropped = ", ".join(f"{n:,} {name}" for name, n in counts.items()) or "none"
    rate, predicted = values["tuples_per_cycle"], values["predicted_tuples_per_cycle"]
    sustained = values["sustained_tuples_per_cycle"]
    long_run = "not measured" if sustained is None else f"{sustained:.4f}"
    prediction = "no prediction" if predicted is None else f"predicted {predicted:.4f}"
    start = []
    if values["start"] is not None:
        start = [("the first window begins at", shown_start(build.query, values["start"]))]
    first = values["first_result_cycles"]
    lines = [
        ("tuples", f"{values['tuples']:,}"),
        *start,
        ("cycles", f"{values['cycles']:,}"),
        ("tuples per cycle, in all", f"{rate:.3f}"),
        ("in the long run", f"{long_run} ({prediction})"),
        *([] if simulation.bound is None else [("bounded by", simulation.bound.text)]),
        ("cycles to the first result", "none" if first is None else first),
        ("cycles with the input stalled", values["input_stalled_cycles"]),
        ("dropped tuples", dropped),
        *_eviction_lines(simulation),
        *_overflow_lines(simulation, values["overflowed_windows"]),
        *_memory_lines(values["memory"]),
        *_key_memory_lines(build.design),
        *_network_lines(values.get("network")),
        ("rows", f"{values['rows']:,} (PySpark: {values['rows_expected']:,})"),
        ("mismatches", values["mismatches"]),
        ("stream-rule violations", values["stream_rule_violations"]),
        ("simulated", f"{values['simulation_cycles_per_second']:,} cycles per second"),
    ]
    return table(title, ["", ""], [(name, str(value)) for name, value in lines])


def _eviction_lines(simulation):
    """Returns the table's line of evicted keys; no line for a design without evictions."""
    if simulation.evictions is None:
        return []
    lost = "" if simulation.losses is None else f" ({simulation.losses.text})"
    count = len(simulation.evictions)
    return [("evicted keys", f"{count:,}{lost}" if count else "none")]


def _overflow_lines(simulation, count):
    """Returns the line of windows that did not fit; no line for a design without their counter."""
    if OVERFLOWED not in simulation.counters:
        return []
    return [("overflowed windows", f"{count:,}" if count else "none")]


def _memory_lines(memory):
    """Returns the lines of the table about the memory; no line without a memory."""
    if memory is None:
        return []
    counts = {name.removeprefix("m3_"): memory[name] for name in MEMORY_COUNTERS}
    texts = [f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items() if n is not None]
    lines = [(f"memory ({memory['back_end']})", ", ".join(texts) or "not counted")]
    if (share := memory["on_chip_share"]) is not None:
        lines.append(("values of windows on the chip", f"{share:.1%}"))
    if (passes := memory.get("passes")) is not None:
        lines.append(("passes of windows", f"{passes:,}"))
    return lines


def _key_memory_lines(design):
    """Returns the table's line of the memory of a key; no line without keys in a memory."""
    memory = KeyMemory.of(design)
    return [] if memory is None else [("memory of a key", memory.text)]


def _network_lines(network):
    """Returns the line with the counters of the network face; no line without a face."""
    if network is None:
        return []
    return [("frames", ", ".join(f"{n:,} {name}" for name, n in network.items() if n) or "none")]


def check(simulation: Simulation) -> None:
    """Raises CheckFailedError with the first problem of the simulation, if there is a problem."""
    if simulation.problems:
        further = len(simulation.problems) - 1
        suffix = f" (and {further} more)" if further else ""
        raise CheckFailedError(f"check failed: {simulation.problems[0]}{suffix}")
