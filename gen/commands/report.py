"""Runs `sluice report`: counts a design's resources and levels of logic."""

from dataclasses import asdict, replace
from typing import Annotated, Any

import typer
from rich.table import Table

from gen.commands.arguments import (
    CACHE,
    BoardName,
    Cache,
    Engine,
    Json,
    Lanes,
    OptionalQuery,
    Settings,
    refuse_options_of_engines,
)
from gen.design.build import check_beats, resolve, with_lanes
from gen.design.key_memory import KeyMemory
from gen.jobs.resources import engine_report, report_values, target_of
from gen.report import seed_figures as seeds
from gen.report.part_use import part_lines
from gen.report.synthesis import Report, synthesise
from gen.report.targets import TARGETS
from gen.terminal.console import Output, table
from gen.units.registry import unit as named_unit
from gen.verilog.elaboration import to_rtlil
from query.design import settings as read_settings
from query.errors import UserError
from rtl.engine import ENGINES

_FIGURES = ("lut", "lutram", "ff", "bram36", "uram", "dsp", "depth", "logic_ps", "fmax_mhz")


def report(
    query: OptionalQuery = None,
    target: Annotated[
        str | None, typer.Option(help="xcup, xc7, xc6v, alm or ecp5; the board's if not given.")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(help="Report one block instead of an engine; `sluice engines --units`."),
    ] = None,
    wrapper: Annotated[bool, typer.Option("--wrapper", help="With the bus around it.")] = False,
    by_block: Annotated[
        bool, typer.Option("--by-block", help="Each block by itself, once: for large designs.")
    ] = False,
    engine: Engine = None,
    given: Settings = None,
    board: BoardName = None,
    lanes: Lanes = None,
    json: Json = False,
    cache: Cache = CACHE,
) -> None:
    """Resources and timing of an engine, by Yosys (and nextpnr for ecp5): estimates."""
    out = Output(json)
    if (query is None) == (unit is None):
        raise UserError("report needs either a query or --unit")
    if query is None:
        refuse_options_of_engines(
            {"engine": engine, "board": board, "wrapper": wrapper, "by-block": by_block}
        )
        _report_unit(
            out,
            unit,
            given or [],
            lanes,
            target_of(None, target),
            cache,
        )
        return
    build = resolve(query, engine=engine, board=board, options=given or [], lanes=lanes)
    target = target_of(build, target)
    figures, values = report_values(out, build, target, wrapper, cache, by_block)
    memory = KeyMemory.of(build.design)
    rows = [figures_row(_label(build.design), figures)]
    unselected, note = _beside(build.design)
    if unselected is not None:
        other = engine_report(out, unselected, target, wrapper, cache, by_block)
        values["beside"] = {"parameters": unselected.parameters} | other.as_json()
        rows.append(figures_row(_label(unselected), other))
    seed = None if wrapper else seeds.of_design(build.design, target)
    notes = [note] if note else []
    notes += [] if memory is None else [f"memory of a key: {memory.text}"]
    notes += part_lines(build, figures)
    _show(out, f"{build.name}: {build.design.engine}", values, rows, figures, seed, notes)


def figures_table(title: str, rows: list[tuple[str, dict[str, Any]]]) -> Table:
    """Returns the table of designs; each row is a name and a mapping with some of the figures."""
    drawn = [name for name in _FIGURES if any(values.get(name) is not None for _, values in rows)]
    body = [[name, *(values.get(key) for key in drawn)] for name, values in rows]
    return table(title, ["", *drawn], body)


def _report_unit(out, name, given, lanes, target, cache):
    options = read_settings(with_lanes(given, lanes))
    settings, component = named_unit(name, options)
    with out.step(f"synthesising {name} for {target}"):
        figures = synthesise(to_rtlil(component), target, cache)
    values = {"unit": name, "parameters": settings} | figures.as_json()
    label = ", ".join(f"{key}={value}" for key, value in settings.items())
    seed = seeds.of_unit(name, settings, target)
    _show(out, name, values, [figures_row(label, figures)], figures, seed)


def _show(out, title, values, rows, figures, seed, notes=()):
    notes = [*notes, figures.note, figures.tool]
    if seed is not None:
        values["seed"] = asdict(seed)
        rows.append(("the seed's", asdict(seed)))
        notes.append(f"the seed's: {seed.design} ({seed.source})")
    about = TARGETS[figures.target].about
    alms = [] if figures.alm is None else [f"ALMs: {figures.alm[0]:,} to {figures.alm[1]:,}"]
    drawn = figures_table(f"{title}, for {about} ({figures.target}), estimated", rows)
    path = f"longest path: {_path(figures.critical_path)}"
    out.result(values, drawn, "", *alms, path, *notes)


def figures_row(name: str, figures: Report) -> tuple[str, dict[str, Any]]:
    """Returns the row of :func:`figures_table` for a report."""
    return name, asdict(figures)


def _label(design):
    """Returns the name of a design's row: the option ``results``, or without it the engine."""
    results = design.parameters.get("results")
    return design.engine if results is None else f"results={results}"


def _beside(design):
    """Returns the design with every result if the design selects one result, and a note.

    The design is None if there is none, or if its rows do not fit the face; then the note says why.
    """
    if design.parameters.get("results") != "select":
        return None, None
    other = ENGINES[design.engine].design(replace(design.options, results="all"))
    try:
        check_beats(other)
        return other.with_face(design.face), None
    except (ValueError, UserError) as error:
        return None, f"there is no design with results=all beside it: {error}"


def _path(steps):
    """Returns the path on one line, with the number of equal cells in a row."""
    drawn = []
    for step in steps:
        if drawn and drawn[-1][0] == step:
            drawn[-1][1] += 1
        else:
            drawn.append([step, 1])
    return " > ".join(name if n == 1 else f"{n} {name}" for name, n in drawn) or "none"
