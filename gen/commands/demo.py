"""Runs `sluice demo`: golden, generate, simulate and report on a query, by default an example."""

from pathlib import Path
from typing import Annotated

import typer

from gen.commands.arguments import (
    CACHE,
    MASTER,
    AllowEvictions,
    Cache,
    Json,
    Master,
    refuse_evictions_without_keys,
)
from gen.commands.generate import configuration_table
from gen.commands.golden_rows import golden_rows, ids_line
from gen.commands.report import figures_row, figures_table
from gen.design.build import resolve
from gen.directory.design_files import design_files
from gen.directory.manifest import MANIFEST, own_files
from gen.directory.whole_directory import check_directory, write_directory
from gen.files.output_files import Outputs
from gen.files.paths import checked_path
from gen.jobs.resources import engine_report
from gen.jobs.simulation import check_simulator, simulate_and_compare
from gen.prediction.codec_model import lossy_codec
from gen.simulate.result_table import check, figures
from gen.simulate.result_table import figures_table as simulation_table
from gen.terminal.console import Output
from golden import rows as rows_files
from query.design import load
from query.errors import UserError

EXAMPLES = Path(__file__).parents[2] / "examples"
BOARD = "ultra96-v2"


def demo(
    query: Annotated[
        Path,
        typer.Argument(parser=checked_path, help="A .cql query or a .toml design point."),
    ] = EXAMPLES / "cluster_groupby.toml",
    data: Annotated[
        Path,
        typer.Option(
            "--input",
            parser=checked_path,
            metavar="PATH",
            help="CSV or Parquet, or a trace with --format.",
        ),
    ] = EXAMPLES / "cluster_trace.csv.gz",
    format: Annotated[
        str | None, typer.Option(help="Layout of the data; by its suffix if not given.")
    ] = None,
    board: Annotated[
        str | None, typer.Option(help=f"Board to build for; else the design point's, or {BOARD}.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", parser=checked_path, metavar="PATH", help="Directory for the files."
        ),
    ] = Path("build/demo"),
    allow_evictions: AllowEvictions = False,
    master: Master = MASTER,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """From a query to checked hardware: golden rows, Verilog, simulation, resources."""
    out = Output(json)
    build = resolve(query, board=(load(query).board or BOARD) if board is None else board)
    refuse_evictions_without_keys(build.query.partition, allow_evictions)
    out.warn(*build.warnings)
    reads, rows_file = [*build.point.files, data], output / "rows.csv"
    outputs = Outputs(reads, makes=output)
    outputs.add_rows(rows_file)
    check_directory(output)
    check_simulator(build.design, "verilator", None)
    _check_own(output, rows_file)
    codec = lossy_codec(build.design)
    tuples, expected = golden_rows(
        out, build.query, data, format, master, cache,
        codec=codec, outputs=outputs, rows=rows_file,
    )  # fmt: skip
    with out.step(f"generating {build.name}"):
        files = design_files(build, cache)
    simulation = simulate_and_compare(
        out,
        build,
        tuples,
        expected,
        simulator="verilator",
        memory=None,
        stalls=(0.0, 0.0),
        seed=0,
        allow_evictions=allow_evictions,
        master=master,
        cache=cache,
        verilog=str(files[f"{build.name}.v"]),
    )
    write_directory(output, files, reads)
    rows_file.unlink(missing_ok=True)  # the rows of an earlier demo
    written = []
    if simulation.rows is not None:
        written += rows_files.write(simulation.rows, build.query, rows_file, tuples.mappings)
    if not written[1:]:
        outputs.remove_old_originals(rows_file, build.query)
    resources = engine_report(out, build.design, build.board.target, False, cache)
    simulated = figures(build, "verilator", simulation, rows_file)
    values = {
        "design": build.name,
        "directory": str(output),
        "simulation": simulated | {"files": [str(path) for path in written]},
        "report": resources.as_json(),
    }
    title = f"resources for {resources.target}, estimated by {resources.tool}"
    out.result(
        values,
        configuration_table(build),
        "",
        simulation_table(build, "verilator", simulation, simulated),
        "",
        figures_table(title, [figures_row(f"{build.design.engine} engine", resources)]),
        *([resources.note] if resources.note else []),
        "",
        f"Verilog, registers and build files: {output}/ (manifest.json lists them)",
        *(f"the rows that the hardware gave: {path}" for path in written[:1]),
        *(ids_line(build.query, path) for path in written[1:]),
    )
    check(simulation)


def _check_own(directory, rows_file):
    """Raises UserError if the file of rows exists, and the directory has no intact manifest."""
    if rows_file.exists() and not own_files(directory / MANIFEST):
        raise UserError(
            f"is in the way: the hardware's rows must go there, and {MANIFEST} of the directory is "
            "missing or was changed; name another directory with -o",
            file=rows_file,
        )
