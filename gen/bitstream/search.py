"""Finds a clock that a design reaches on its board, and a seed of the placer that meets it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from boards.platforms.platform_board import FOLDER
from gen.bitstream.figures import Clock, clocks_of, counted_uses, uses_of
from gen.bitstream.flow import SCRIPT, Project, place, synthesise
from gen.bitstream.pll_words import with_pll
from gen.design.build import Build
from gen.directory.design_files import design_files
from gen.report.part_use import Use
from gen.terminal.errors import CheckFailedError
from gen.verilog.yosys import ToolError

#: Seeds of the placer, in the order of the attempts.
SEEDS = (1, 2, 3)
#: Scripts of a project, which name the seed.
_SCRIPTS = (f"{FOLDER}/{SCRIPT}", f"{FOLDER}/{SCRIPT.replace('.sh', '.bat')}")

Step = Callable[[str], AbstractContextManager[Any]]


@dataclass(frozen=True, kw_only=True)
class Found:
    """A placed design at a clock.

    Attributes
    ----------
    build : Build
        The design, whose board has the clock.
    project : Project
    config : str
        Trellis's configuration.
    clocks : tuple of Clock
        The engine's first.
    uses : tuple of Use
    log : str
        nextpnr's log.
    seed : int
    """

    build: Build
    project: Project
    config: str
    clocks: tuple[Clock, ...]
    uses: tuple[Use, ...]
    log: str
    seed: int

    @property
    def missed(self) -> list[Clock]:
        """The clocks that are slower than asked for."""
        return [clock for clock in self.clocks if not clock.is_met]

    def files(
        self, cache: str | PathLike, extra: Mapping[str, str | bytes]
    ) -> dict[str, str | bytes]:
        """Returns the files of the design at its clock, with ``extra`` ones."""
        return design_files(self.build, cache, changed=_seeded(self.seed), extra=extra)


def find_clock(build: Build, is_fixed: bool, cache: str | PathLike, step: Step) -> Found:
    """Places a design, and returns the first attempt that meets every clock, or the last one.

    Without a fixed clock the design is placed for a clock that most designs reach, and gets the
    dividers of the fastest step of the board's family that it reaches. For a much faster clock the
    placer would neglect the clock of the Ethernet receiver, which must be met in any case. An
    attempt that misses a clock is followed by one with another seed, for the step that the engine
    has reached.

    Parameters
    ----------
    build : Build
        Its board is a :class:`~boards.platforms.platform_board.PlatformBoard` with a link.
    is_fixed : bool
        True if the clock of the board was asked for.
    cache : path-like
    step : callable
        Shows the progress, see :meth:`gen.terminal.console.Output.step`.

    Raises
    ------
    CheckFailedError
        If the design is larger than the part, or cannot be placed or routed.
    """
    board: Any = build.board
    first = build if is_fixed else at_clock(build, board.family.first_mhz)
    with step(f"generating {build.name}"):
        files = design_files(first, cache)
    with step(f"synthesising for {board.part}"):
        netlist = synthesise(Project.of(files, build.name), cache)
    _check_size(counted_uses(netlist, board), board)
    goal = first
    for seed in SEEDS:
        project = Project.of(_seeded(seed)(design_files(goal, cache)), build.name)
        with step(f"placing and routing for {_mhz(goal):g} MHz, seed {seed}"):
            found = _placed(goal, project, netlist, seed, cache)
        if not is_fixed:
            found = _at_fastest_step(found, first)
            goal = found.build if _mhz(found.build) < _mhz(goal) else goal
        if not found.missed:
            break
    return found


def at_clock(build: Build, clock_mhz: float) -> Build:
    """Returns the build with another clock of its board."""
    board: Any = build.board
    return replace(build, board=board.with_options({"clock_mhz": clock_mhz}))


def _placed(build, project, netlist, seed, cache):
    try:
        placed = place(project, netlist, cache)
    except ToolError as error:
        reasons = [line for line in str(error).splitlines() if line.startswith("ERROR: ")]
        if not reasons:
            raise
        reason = reasons[0].removeprefix("ERROR: ")
        raise CheckFailedError(f"nextpnr cannot place and route the design: {reason}") from None
    return Found(
        build=build,
        project=project,
        config=placed.config,
        clocks=tuple(clocks_of(placed.report)),
        uses=tuple(uses_of(placed.report)),
        log=placed.log,
        seed=seed,
    )


def _at_fastest_step(found, first):
    """Returns the placed design with the dividers of the fastest step that it reaches.

    If it reaches none, it gets the slowest step, which it then misses. ``first`` is the build whose
    dividers are in the netlist.
    """
    engine, *others = found.clocks
    steps = found.build.board.family.clock_steps
    reached = at_clock(
        first, next((step for step in steps if step <= engine.reached_mhz), steps[-1])
    )
    return replace(
        found,
        build=reached,
        config=with_pll(found.config, _dividers(first), _dividers(reached)),
        clocks=(replace(engine, asked_mhz=_mhz(reached)), *others),
    )


def _mhz(build):
    return build.board.clock_mhz


def _dividers(build):
    board = build.board
    return board.family.pll(board.oscillator_mhz, board.clock_mhz, None).parameters


def _check_size(uses, board):
    """Raises CheckFailedError if a netlist needs more of a resource than the part has."""
    over = [use for use in uses if use.used > use.available]
    if over:
        counts = ", ".join(
            f"{use.used:,} of {use.available:,} {use.kind} ({use.percent:g} %)" for use in over
        )
        raise CheckFailedError(
            f"the design does not fit the {board.part} of {board.name}: it takes {counts}"
        )


def _seeded(seed):
    """Returns a function that names the seed in the scripts among a design's files."""

    def change(files):
        named = {path: files[path].replace("--seed 1 ", f"--seed {seed} ") for path in _SCRIPTS}
        return files | named

    return change
