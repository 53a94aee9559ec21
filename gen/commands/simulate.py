"""Runs `sluice simulate`: the hardware on data, compared with golden."""

from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from gen.commands.arguments import (
    CACHE,
    MASTER,
    AllowEvictions,
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
    refuse_evictions_without_keys,
)
from gen.commands.golden_rows import golden_rows, ids_line
from gen.design.build import resolve
from gen.files.output_files import Outputs
from gen.files.paths import checked_path
from gen.jobs.simulation import check_simulator, simulate_and_compare
from gen.prediction.codec_model import lossy_codec
from gen.simulate import evicted_keys
from gen.simulate.result_table import check, figures, figures_table
from gen.simulate.run import SIMULATORS
from gen.terminal.console import Output
from gen.text.known_names import known
from golden import eviction_files
from golden import rows as rows_files
from golden.rows import replacing
from query.errors import UserError
from sim.memory import MOST_STALLS


def probability(text: str) -> float:
    """Returns the probability of a gap, a number from 0 to `MOST_STALLS`."""
    with suppress(ValueError):
        if 0 <= float(text) <= MOST_STALLS:
            return float(text)
    raise typer.BadParameter(f"must be a number from 0 to {MOST_STALLS}, not {text!r}")


def stall_option(side: str) -> Any:
    """Returns the option for the random gaps of a side."""
    return typer.Option(
        parser=probability, metavar="FLOAT", help=f"Probability of a cycle in which {side}."
    )


def simulate(
    query: Query,
    data: Input,
    format: Format = None,
    start: Start = None,
    rows: Annotated[
        Path | None,
        typer.Option(
            parser=checked_path,
            metavar="PATH",
            help="Write the hardware's rows to this .csv or .parquet.",
        ),
    ] = None,
    evicted: Annotated[
        Path | None,
        typer.Option(
            parser=checked_path,
            metavar="PATH",
            help="Write the keys that the hardware evicted to this .csv or .parquet.",
        ),
    ] = None,
    allow_evictions: AllowEvictions = False,
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
            parser=checked_path,
            metavar="PATH",
            help="With --network: write all frames to this .pcap.",
        ),
    ] = None,
    stall_input: Annotated[float, stall_option("the input has no tuples")] = 0.0,
    stall_output: Annotated[float, stall_option("the output takes no rows")] = 0.0,
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
) -> None:
    """Run the hardware on data in a simulator, and compare its rows with PySpark's."""
    out = Output(json)
    known("simulator", simulator, SIMULATORS)
    options = [*(given or []), *(["network=true"] if network else [])]
    build = resolve(query, engine=engine, board=board, options=options, lanes=lanes)
    refuse_evictions_without_keys(build.query.partition, allow_evictions)
    outputs = Outputs([*build.point.files, data])
    if rows is not None:
        outputs.add_rows(rows)
    if evicted is not None:
        _check_evicted(build.design)
        outputs.add_evictions(evicted)
    if pcap is not None and not build.design.face.network:
        raise UserError("--pcap is for frames of a network: take --network, too")
    check_simulator(build.design, simulator, memory)
    if pcap is not None:
        outputs.add_frames(pcap)
    out.warn(*build.warnings)
    codec = lossy_codec(build.design)
    tuples, expected = golden_rows(
        out, build.query, data, format, master, cache, start,
        codec=codec, outputs=outputs, rows=rows,
    )  # fmt: skip
    simulation = simulate_and_compare(
        out,
        build,
        tuples,
        expected,
        simulator=simulator,
        memory=memory,
        stalls=(stall_input, stall_output),
        seed=seed,
        allow_evictions=allow_evictions,
        master=master,
        cache=cache,
    )
    written = []
    # Files of an earlier run must not stand for rows or frames of this run that cannot be read.
    for path, content in (
        (rows, simulation.rows),
        (evicted, simulation.evictions),
        (pcap, simulation.pcap),
    ):
        if path is not None and content is None and path.is_file():
            path.unlink()
    if rows is not None and simulation.rows is not None:
        written += rows_files.write(simulation.rows, build.query, rows, tuples.mappings)
    ids = [ids_line(build.query, path) for path in written[1:]]
    if rows is not None and not ids:
        outputs.remove_old_originals(rows, build.query)
    if evicted is not None and simulation.evictions is not None:
        eviction_files.write(simulation.evictions, evicted)
        written.append(evicted)
    if pcap is not None and simulation.pcap is not None:
        with replacing(pcap) as scratch:
            Path(scratch).write_bytes(simulation.pcap)
        written.append(pcap)
    values = figures(build, simulator, simulation, rows, evicted)
    values["files"] = [str(path) for path in written]
    out.result(values, figures_table(build, simulator, simulation, values), *ids)
    check(simulation)


def _check_evicted(design):
    """Raises UserError if the design can have no evictions to write."""
    refuse_evictions_without_keys(design.query.partition, True, "--evicted")
    if evicted_keys.bus_of(design) is None:
        raise UserError(f"--evicted: engine {design.engine} evicts no keys")
