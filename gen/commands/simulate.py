"""`sluice simulate`: the hardware on data, compared with golden."""

from pathlib import Path
from typing import Annotated

import typer

from gen import evicted as evicted_keys
from gen.arguments import (
    CACHE,
    MASTER,
    BoardName,
    Cache,
    Engine,
    Format,
    Input,
    Json,
    Lanes,
    Master,
    Query,
    Seed,
    Settings,
    Start,
    known,
)
from gen.build import resolve
from gen.console import Output, table
from gen.errors import CheckFailedError
from gen.files import check_evicted_file, check_pcap_file, check_rows_file
from gen.lossy import lossy_codec
from gen.paths import named
from gen.simulation import MEMORIES, MEMORY_COUNTERS, SIMULATORS, expect
from gen.simulation import simulate as run_simulation
from gen.start import shown_start, start_of, start_text
from golden import eviction_files
from golden import rows as rows_files
from golden.lives import partition_column
from golden.readers import FORMATS, read
from query.errors import UserError

Stall = typer.Option(min=0.0, max=0.99, help="Probability of a random gap in a cycle.")


def simulate(
    query: Query,
    data: Input,
    format: Format = None,
    start: Start = None,
    rows: Annotated[
        Path | None,
        typer.Option(
            parser=named, metavar="PATH", help="Write the hardware's rows to this .csv or .parquet."
        ),
    ] = None,
    evicted: Annotated[
        Path | None,
        typer.Option(
            parser=named,
            metavar="PATH",
            help="Write the keys that the hardware threw out to this .csv or .parquet.",
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Behind the engine's memory masters: ideal, the default, restless or ddr3."
        ),
    ] = None,
    network: Annotated[
        bool,
        typer.Option("--network", help="Through frames; short for --set network=true."),
    ] = False,
    pcap: Annotated[
        Path | None,
        typer.Option(
            parser=named, metavar="PATH", help="With --network: write all frames to this .pcap."
        ),
    ] = None,
    stall_input: Annotated[float, Stall] = 0.0,
    stall_output: Annotated[float, Stall] = 0.0,
    seed: Seed = 0,
    simulator: Annotated[
        str, typer.Option(help="verilator, or icarus for little data.")
    ] = "verilator",
    engine: Engine = None,
    given: Settings = None,
    board: BoardName = None,
    lanes: Lanes = None,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
):
    """Run the hardware on data in a simulator, and compare its rows with PySpark's."""
    out = Output(json)
    known("simulator", simulator, SIMULATORS)
    if rows is not None:
        check_rows_file(rows, [data])
    given = [*(given or []), *(["network=true"] if network else [])]
    build = resolve(query, engine=engine, board=board, given=given, lanes=lanes)
    out.warn(*build.query.warnings)
    _check_network(build.design, simulator, pcap, [data, *filter(None, (rows, evicted))])
    back_end = _back_end(build.design, memory, simulator)
    if evicted is not None:
        _check_evicted(build.design, evicted, [data, *([] if rows is None else [rows])])
    codec = lossy_codec(build.design)
    tuples, expected = golden_rows(
        out, build.query, data, format, master, cache, start, codec=codec
    )
    simulation = run_simulation(
        build,
        tuples,
        expected,
        simulator=simulator,
        cache=cache,
        stalls=(stall_input, stall_output),
        seed=seed,
        step=out.step,
        again=golden_again(out, build.query, tuples, expected, master, cache, codec),
        memory=back_end,
    )
    if rows is not None and simulation.rows is not None:
        rows_files.write(simulation.rows, build.query, rows, tuples.mappings)
    if evicted is not None and simulation.evictions is not None:
        eviction_files.write(simulation.evictions, evicted)
    if pcap is not None:
        pcap.write_bytes(simulation.pcap)
    values = figures(build, simulator, simulation, rows, evicted)
    out.result(values, figures_table(build, simulator, values))
    check(simulation)


def _back_end(design, memory, simulator):
    """What is to be behind a design's memory masters; raises UserError when it cannot be there."""
    if memory is None:
        return "ideal"
    known("memory", memory, MEMORIES)
    if not design.memories:
        raise UserError(f"--memory is for engines with a memory, and {design.engine} has none")
    if memory != "ideal" and simulator != "verilator":
        raise UserError(f"--memory {memory} is simulated by verilator only, not {simulator}")
    return memory


def _check_network(design, simulator, pcap, files):
    """Raises UserError unless frames can be simulated, and written where they are asked for."""
    if design.face.network and simulator != "verilator":
        raise UserError(f"network=true is simulated by verilator only, not {simulator}")
    if pcap is not None:
        if not design.face.network:
            raise UserError("--pcap is for frames of a network: take --network, too")
        check_pcap_file(pcap, files)


def _check_evicted(design, path, files):
    """Raises UserError unless there are evictions to be written, and they can be to ``path``."""
    partition_column(design.query)
    if evicted_keys.bus_of(design) is None:
        raise UserError(f"--evicted: engine {design.engine} throws out no keys")
    check_evicted_file(path, files)


def figures(build, simulator, simulation, rows_file, evicted_file=None):
    """Plain data about a simulation."""
    no_rows = rows_file is None or simulation.rows is None
    not_told = evicted_file is None or simulation.evictions is None
    return {
        "engine": build.design.engine,
        "parameters": build.design.parameters,
        "simulator": simulator,
        "start": start_text(build.query, simulation.start),
        **simulation.figures(),
        "rows_file": None if no_rows else str(rows_file),
        "evicted_file": None if not_told else str(evicted_file),
        "problems": list(simulation.problems),
    }


def golden_rows(out, query, data, format, master, cache, start=None, evictions=None, codec=None):
    """The tuples of a file and golden's answer for them, with progress on ``out``.

    ``start`` is the text of ``--start``, ``evictions`` the keys that were thrown out on the way,
    ``codec`` a model of one that loses something.
    """
    if format is not None:
        known("format", format, FORMATS)
    begin, warning = start_of(query, start)
    if warning is not None:
        out.warn(warning)
    with out.step(f"reading {data}"):
        tuples = read(data, query, format)
    with out.step(f"golden rows of {len(tuples):,} tuples, by PySpark", mute=True):
        return tuples, expect(query, tuples, master, cache, begin, evictions, codec)


def golden_again(out, query, tuples, expected, master, cache, codec=None):
    """The function from evictions to golden's answer for them, of which ``expected`` had none."""

    def again(evictions):
        what = f"golden rows of {len(tuples):,} tuples, {len(evictions):,} keys thrown out"
        with out.step(f"{what}, by PySpark", mute=True):
            return expect(query, tuples, master, cache, expected.start, evictions, codec)

    return again


def figures_table(build, simulator, values):
    """The figures of a simulation as a table of two columns."""
    parameters = ", ".join(f"{k}={v}" for k, v in build.design.parameters.items())
    title = f"{build.name}: {build.design.engine} ({parameters}), in {simulator}"
    dropped = ", ".join(f"{n} {name}" for name, n in values["dropped"].items() if n) or "none"
    rate, predicted = values["tuples_per_cycle"], values["predicted_tuples_per_cycle"]
    sustained = values["sustained_tuples_per_cycle"]
    long_run = "not measured" if sustained is None else f"{sustained:.4f}"
    start = []
    if values["start"] is not None:
        start = [("the first window begins at", shown_start(build.query, values["start"]))]
    shown = [
        ("tuples", f"{values['tuples']:,}"),
        *start,
        ("cycles", f"{values['cycles']:,}"),
        ("tuples per cycle, in all", f"{rate:.3f}"),
        ("in the long run", f"{long_run} (predicted {predicted:.4f})"),
        ("cycles to the first result", values["first_result_cycles"]),
        ("cycles with the input stalled", values["input_stalled_cycles"]),
        ("dropped tuples", dropped),
        *_memory_lines(values["memory"]),
        *_network_lines(values.get("network")),
        ("rows", f"{values['rows']:,} (PySpark: {values['rows_expected']:,})"),
        ("mismatches", values["mismatches"]),
        ("stream-rule violations", values["stream_rule_violations"]),
        ("simulated", f"{values['simulation_cycles_per_second']:,} cycles per second"),
    ]
    return table(title, ["", ""], [(name, str(value)) for name, value in shown])


def _memory_lines(memory):
    """The memory's lines of the table; none without a memory."""
    if memory is None:
        return []
    counts = {name.removeprefix("m3_"): memory[name] for name in MEMORY_COUNTERS}
    told = [f"{n:,} {name.replace('_', ' ')}" for name, n in counts.items() if n is not None]
    lines = [(f"memory ({memory['back_end']})", ", ".join(told) or "not counted")]
    if (share := memory["on_chip_share"]) is not None:
        lines.append(("values of windows on the chip", f"{share:.1%}"))
    return lines


def _network_lines(network):
    """What the network face has counted; none without one."""
    if network is None:
        return []
    return [("frames", ", ".join(f"{n:,} {name}" for name, n in network.items() if n) or "none")]


def check(simulation):
    """Raises CheckFailedError, with the first thing that is wrong, unless all is well."""
    if simulation.problems:
        more = len(simulation.problems) - 1
        rest = f" (and {more} more)" if more else ""
        raise CheckFailedError(f"check failed: {simulation.problems[0]}{rest}")
