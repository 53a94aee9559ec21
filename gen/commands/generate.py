"""`sluice generate`: Verilog and all that goes with it."""

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from gen.console import Output, table
from gen.design_files import MANIFEST, design_files
from gen.files import write_directory
from gen.arguments import CACHE, BoardName, Cache, Engine, Json, Lanes, Query, Settings
from gen.point import resolve


def generate(
    query: Query,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the files.")],
    engine: Engine = None,
    given: Settings = None,
    board: BoardName = None,
    lanes: Lanes = None,
    docs: Annotated[
        bool, typer.Option("--docs", help="Also the register map as HTML (some megabytes).")
    ] = False,
    json: Json = False,
    cache: Cache = CACHE,
):
    """Verilog, manifest, register map and board files: the same bytes for the same input."""
    out = Output(json)
    point = resolve(query, engine=engine, board=board, given=given or [], lanes=lanes)
    with out.step(f"generating {point.name}"):
        files = design_files(point, cache, html=docs)
    write_directory(output, files)
    described = json_module.loads(files[MANIFEST])
    out.result(
        {"directory": str(output)} | described,
        configuration_table(point),
        f"{described['latency_cycles']} cycles of latency, "
        f"{described['tuples_per_cycle']:g} tuples per cycle",
        f"{len(files)} files in {output}: {', '.join(_shown(files))}",
    )


def configuration_table(point):
    """The resolved configuration."""
    rows = [("query", point.query.select), ("engine", point.parameters.engine)]
    rows += [(name, str(value)) for name, value in point.parameters.settings().items()]
    if point.board is not None:
        board = point.board
        rows.append(("board", f"{board.name}: {board.title}, {board.clock_mhz:g} MHz"))
    return table(point.name, ["", ""], rows)


def _shown(files):
    """Paths, with the HTML site as one."""
    html = "registers/html/"
    paths = [path for path in sorted(files) if not path.startswith(html)]
    return paths + ([html] if len(paths) < len(files) else [])
