"""Estimates the resources and the timing of an engine."""

from os import PathLike
from typing import Any

from gen.design.build import Build
from gen.design.key_memory import KeyMemory
from gen.design.part_fit import counted_warnings
from gen.jobs.progress import Progress
from gen.report.part_use import clock_warnings, part_figures
from gen.report.synthesis import Report, synthesise
from gen.report.targets import TARGETS
from gen.text.known_names import known
from gen.verilog.elaboration import core_rtlil, top_rtlil
from rtl.contract.design import Design


def target_of(build: Build | None, name: str | None) -> str:
    """Returns the target: ``name``, by default the board's, without a board "xcup"."""
    if name is None:
        name = build.board.target if build and build.board else "xcup"
    return known("target", name, TARGETS)


def engine_report(
    out: Progress,
    design: Design,
    target: str,
    wrapper: bool,
    cache: str | PathLike,
    by_block: bool = False,
) -> Report:
    """Returns the report of a design, with progress on ``out``.

    ``wrapper`` includes the bus. With ``by_block`` each block of hardware is synthesised by itself.
    """
    subject = f"{design.engine} with its bus" if wrapper else design.engine
    with out.step(f"synthesising {subject} for {target}"):
        source = top_rtlil(design, "top", cache) if wrapper else core_rtlil(design, cache)
        return synthesise(source, target, cache, by_block)


def report_values(
    out: Progress,
    build: Build,
    target: str,
    wrapper: bool,
    cache: str | PathLike,
    by_block: bool = False,
) -> tuple[Report, dict[str, Any]]:
    """Returns the report of a build, and all figures as plain data, as ``--json`` prints them."""
    out.warn(*build.text_warnings)  # before the work, which takes long
    figures = engine_report(out, build.design, target, wrapper, cache, by_block)
    figure_warnings = [
        *counted_warnings(build.design, build.board, figures),
        *clock_warnings(build, figures),
    ]
    out.warn(*figure_warnings)
    values = build.configuration() | {"wrapper": wrapper, "by_block": by_block} | figures.as_json()
    values["warnings"] = [*build.text_warnings, *figure_warnings]
    values["part"] = part_figures(build, figures)
    memory = KeyMemory.of(build.design)
    values["key_memory"] = None if memory is None else memory.figures()
    return figures, values
