"""Runs `sluice generate`: writes the Verilog, and the files around the Verilog."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from gen.cocotb_bench.made_tuples import GREATEST_COUNT
from gen.commands.arguments import (
    CACHE,
    MASTER,
    BoardName,
    BoardStart,
    Cache,
    Engine,
    Format,
    Json,
    Lanes,
    Master,
    OptionalQuery,
    Settings,
    refuse_options_of_engines,
)
from gen.commands.generate_unit import generate_unit
from gen.design.build import Build, resolve, with_lanes
from gen.directory.readme import packet_of
from gen.directory.whole_directory import check_directory
from gen.files.paths import checked_path
from gen.jobs.bench_data import files_of_bench
from gen.jobs.directory import generate_directory
from gen.prediction.board_rate import rate_text
from gen.prediction.rate_bound import RateBound
from gen.report.part_use import Use
from gen.terminal.console import Output, table
from query.errors import UserError
from rtl.contract.face import can_join


def generate(
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", parser=checked_path, metavar="PATH", help="Directory for the files."
        ),
    ],
    query: OptionalQuery = None,
    unit: Annotated[
        str | None,
        typer.Option(
            help="Write one block instead of an engine; `sluice engines --units` lists them."
        ),
    ] = None,
    engine: Engine = None,
    given: Settings = None,
    board: BoardName = None,
    lanes: Lanes = None,
    start: BoardStart = None,
    docs: Annotated[
        bool, typer.Option("--docs", help="Also the register map as HTML (some megabytes).")
    ] = False,
    bench: Annotated[
        bool,
        typer.Option("--bench/--no-bench", help="With the bench in cocotb, with rows of PySpark."),
    ] = True,
    tuples: Annotated[
        Path | None,
        typer.Option(
            parser=checked_path,
            metavar="PATH",
            help="Tuples of the bench: CSV, Parquet, or a trace with --format; made if not given.",
        ),
    ] = None,
    format: Format = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--tuple-count",
            min=1,
            max=GREATEST_COUNT,
            help="Number of tuples that are made; so many that windows close if not given.",
        ),
    ] = None,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """Verilog, manifest, register map and board files: the same bytes for the same input."""
    out = Output(json)
    if (query is None) == (unit is None):
        raise UserError("generate needs either a query or --unit")
    if query is None:
        refuse_options_of_engines(
            {"engine": engine, "board": board, "docs": docs, "tuples": tuples}
            | {"format": format, "tuple-count": count, "start": start}
            | {"master": master != MASTER, "no-bench": not bench}
        )
        generate_unit(out, unit or "", output, with_lanes(given or [], lanes))
        return
    build = resolve(
        query, engine=engine, board=board, options=given or [], lanes=lanes, start=start
    )
    if start is not None and build.link is None:
        raise UserError(
            "--start is for a board with a link, which writes its own registers; on any other "
            "board the host writes the register start"
        )
    check_directory(output)
    out.warn(*build.warnings)
    bench_contents = None
    if bench:
        bench_contents = files_of_bench(out, build, tuples, format, count, master, cache)
    elif tuples is not None or count is not None or format is not None or master != MASTER:
        raise UserError(
            "--tuples, --format, --tuple-count and --master are for the bench, which --no-bench "
            "leaves out"
        )
    files, described = generate_directory(
        out, build, output, cache, docs=docs, bench=bench_contents, reads=[tuples] if tuples else []
    )
    bound = RateBound.of(build.design, build.design.prediction)
    out.result(
        {"directory": str(output), "warnings": list(build.warnings)} | described,
        configuration_table(build),
        *(f"{n['cycles']} cycles from {n['from']} to {n['to']}" for n in described["latencies"]),
        f"{bound.predicted:g} tuples per cycle, bounded by {bound.text}",
        *packets_line(build),
        *fit_lines(build),
        f"{len(files)} files in {output}: {', '.join(_shown(files))}",
    )


def packets_line(build: Build) -> Iterator[str]:
    """Yields a line about packets of rows if a packet is also a transfer of the board's DMA.

    A board has a DMA only in a design for which Sluice builds the whole system.
    """
    board = build.board
    if board is None or not board.transfer_per_packet or build.design.face.network:
        return
    if board.registers_at(build.ports) is None:
        return
    packet = packet_of(build.design)
    other = "; --set packets=window makes one of each window"
    chosen = build.design.face.packets == "stream" and can_join(build.design.rows)
    yield (f"a packet of rows, which is a transfer of the board's DMA, is {packet}{other * chosen}")


def fit_lines(build: Build) -> Iterator[str]:
    """Yields lines about the board's part and clock, as far as they need no synthesis."""
    board = build.board
    if board is None or board.resources is None:
        return
    blocks = board.resources.blocks_for(build.design.predict().memory_bits or 0)
    memory = Use(kind="BRAM", used=blocks, available=board.resources.blocks)
    yield (
        f"{board.part} of {board.name}: the engine's memories take {memory.text}; `sluice report "
        f"--board {board.name}` counts LUT, FF and DSP, and estimates the clock"
    )
    yield f"clock of {board.name}: {rate_text(build)}"


def configuration_table(build: Build) -> Table:
    """Returns the resolved configuration as a table."""
    rows = [("query", build.query.select), ("engine", build.design.engine)]
    rows += [(name, str(value)) for name, value in build.design.parameters.items()]
    rows += [(name, str(value)) for name, value in build.design.face.values().items()]
    if build.board is not None:
        board = build.board
        rows.append(("board", f"{board.name}: {board.title}, {board.clock_mhz:g} MHz"))
    return table(build.name, ["", ""], rows)


def _shown(files):
    """Returns the paths of the files, with the HTML site as one path."""
    html = "registers/html/"
    paths = [path for path in sorted(files) if not path.startswith(html)]
    return paths + ([html] if len(paths) < len(files) else [])
