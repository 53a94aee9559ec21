"""Generates, simulates and reports an engine: the functions behind the commands of these names."""

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from gen.jobs.bench_data import files_of_bench
from gen.jobs.directory import generate_directory
from gen.jobs.expected_rows import expect
from gen.jobs.progress import Silent
from gen.jobs.resources import report_values, target_of
from gen.jobs.simulation import check_simulator, simulate_and_compare
from gen.prediction.codec_model import lossy_codec
from gen.simulate.result_table import figures
from sluice.answers import MASTER, tuples, user_rows
from sluice.arguments import (
    begin_of,
    cache_of,
    check_master,
    check_names,
    check_seed,
    check_stalls,
    path_of,
)
from sluice.queries import AnyQuery, build_for
from sluice.tables import like


@dataclass(frozen=True, eq=False)
class Simulated:
    """Result of a simulation.

    Attributes
    ----------
    rows : table or None
        The hardware's rows, as a table of the input's kind; None if they cannot be read.
    figures : dict
        The figures of ``sluice simulate --json``: cycles, rates, counters.
    problems : tuple of str
        Each difference from PySpark's answer, and each broken rule; empty for a correct run.
    """

    rows: Any
    figures: dict[str, Any]
    problems: tuple[str, ...]


def simulate(
    query: AnyQuery,
    table: Any,
    *,
    order: str | None = None,
    start: str | int | None = None,
    engine: str | None = None,
    board: str | None = None,
    simulator: str = "verilator",
    memory: str | None = None,
    stalls: tuple[float, float] = (0.0, 0.0),
    seed: int = 0,
    allow_evictions: bool = False,
    master: str = MASTER,
    cache: str | PathLike[str] | None = None,
    options: Mapping[str, int | bool | str] | None = None,
) -> Simulated:
    """Runs the shipped Verilog on a table in a simulator, and compares its rows with PySpark's.

    Parameters
    ----------
    query, table, order, start, master, cache
        As in `sluice.answer`.
    engine, board : str or None
        Engine and board; None takes the design point's, or the first engine that fits.
    simulator, memory, stalls, seed, allow_evictions
        As the options of ``sluice simulate``; ``stalls`` are the probabilities of a gap at the
        input and at the output.
    options : mapping or None
        Options of the engine and of the bus by name, such as ``{"lanes": 8}``.

    Raises
    ------
    UserError
        For a table that `sluice.answer` refuses, for ``stalls`` that are not two numbers from 0 to
        0.99, for a ``seed`` that is no whole number from 0 to 2^63 - 1, for names that are no str,
        and for an engine that cannot run the query. A difference from PySpark's rows raises no
        error: it is among the ``problems``.
    """
    out = Silent()
    check_stalls(stalls)
    check_seed(seed)
    check_names(simulator=simulator, memory=memory)
    check_master(master)
    build = build_for(query, engine, board, options or {})
    out.warn(*build.warnings)
    check_simulator(build.design, str(simulator), memory)  # str: None is refused as an unknown name
    begin = begin_of(build.query, start)
    folder = cache_of(cache)
    arrivals = tuples(build.query, table, order=order)
    codec = lossy_codec(build.design)
    expected = expect(build.query, arrivals, master, folder, begin, codec=codec)
    simulation = simulate_and_compare(
        out,
        build,
        arrivals,
        expected,
        simulator=simulator,
        memory=memory,
        stalls=stalls,
        seed=seed,
        allow_evictions=allow_evictions,
        master=master,
        cache=folder,
    )
    rows = simulation.rows
    return Simulated(
        rows=None if rows is None else like(table, user_rows(build.query, rows)),
        figures=figures(build, simulator, simulation, None),
        problems=simulation.problems,
    )


def generate(
    query: AnyQuery,
    directory: str | PathLike[str],
    *,
    engine: str | None = None,
    board: str | None = None,
    name: str | None = None,
    docs: bool = False,
    bench: bool = False,
    master: str = MASTER,
    cache: str | PathLike[str] | None = None,
    options: Mapping[str, int | bool | str] | None = None,
) -> dict[str, Any]:
    """Writes the Verilog, manifest, register map and board files of an engine to a directory.

    Parameters
    ----------
    query, engine, board, master, cache, options
        As in `simulate`.
    directory : path-like
        It may exist already. All files of an earlier design in it are replaced, or none; other
        files stay.
    name : str or None
        Name of the design, only for a query without a file: a file and a design point have names.
    docs, bench : bool
        ``docs`` adds the register map as HTML, ``bench`` the bench in cocotb with PySpark's rows.

    Returns
    -------
    dict
        The manifest. ``sluice.Engine.open(directory)`` opens the engine.
    """
    out = Silent()
    build = build_for(query, engine, board, options or {}, name)
    out.warn(*build.warnings)
    folder = cache_of(cache)
    place = path_of(directory)
    check_master(master)
    contents = files_of_bench(out, build, None, None, None, master, folder) if bench else None
    return generate_directory(out, build, place, folder, docs=docs, bench=contents)[1]


def report(
    query: AnyQuery,
    target: str | None = None,
    *,
    engine: str | None = None,
    board: str | None = None,
    wrapper: bool = False,
    by_block: bool = False,
    cache: str | PathLike[str] | None = None,
    options: Mapping[str, int | bool | str] | None = None,
) -> dict[str, Any]:
    """Returns the figures of ``sluice report --json``: resources and timing, estimated by Yosys.

    Parameters
    ----------
    query, engine, board, cache, options
        As in `simulate`.
    target : str or None
        ``xcup``, ``xc7``, ``xc6v``, ``alm`` or ``ecp5``; None takes the board's.
    wrapper : bool
        Includes the bus around the engine.
    by_block : bool
        Estimates each kind of block once, by itself, for large designs.
    """
    check_names(target=target)
    build = build_for(query, engine, board, options or {})
    folder = cache_of(cache)
    return report_values(Silent(), build, target_of(build, target), wrapper, folder, by_block)[1]
