"""Places a design with several seeds, and chooses the fastest clock of the placed design."""

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
#: Option of the seed in a generated script.
_FIRST_SEED = "--seed 1 "
#: Scripts of a project, which name the seed.
_SCRIPTS = (f"{FOLDER}/{SCRIPT}", f"{FOLDER}/{SCRIPT.replace('.sh', '.bat')}")

Progress = Callable[[str], AbstractContextManager[Any]]


@dataclass(frozen=True, kw_only=True)
class PlacedDesign:
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
        """Clocks below their required frequency."""
        return [clock for clock in self.clocks if not clock.is_met]

    def files(
        self, cache: str | PathLike, extra: Mapping[str, str | bytes]
    ) -> dict[str, str | bytes]:
        """Returns the generated files for the chosen clock, and the ``extra`` files."""
        return design_files(self.build, cache, changed=_seeded(self.seed), extra=extra)


def find_clock(
    build: Build, is_fixed: bool, cache: str | PathLike, progress: Progress
) -> PlacedDesign:
    """Places a design, and returns the first attempt that meets every clock, or the last one.

    Without a fixed clock the design is placed for the family's first clock, and gets the dividers
    of the fastest step that the engine reaches. nextpnr's placement hardly depends on the required
    frequency: the demo's query reached the same clocks for 75 and for 125 MHz. The clock of
    the link, an Ethernet receiver or a serial port, must be met in any case. After an attempt that
    misses a clock the next attempt has another seed. Its goal, the clock for which the placer runs,
    falls to the step that the engine reached, if this step is below the goal before. For instance
    an engine that reaches 60 of 75 MHz, with a slow clock of the link, is placed for 50 MHz next.
    The goal never rises.

    Parameters
    ----------
    build : Build
        Its board is a :class:`~boards.platforms.platform_board.PlatformBoard` with a link.
    is_fixed : bool
        True if the clock of the board was asked for.
    cache : path-like
    progress : callable
        Shows the progress, see :meth:`gen.terminal.console.Output.step`.

    Raises
    ------
    CheckFailedError
        If the design is larger than the part, or cannot be placed or routed.
    """
    board: Any = build.board
    first = build if is_fixed else at_clock(build, board.family.first_mhz)
    with progress(f"generating {build.name}"):
        files = design_files(first, cache)
    with progress(f"synthesising for {board.part}"):
        netlist = synthesise(Project.of(files, build.name), cache)
    _check_size(counted_uses(netlist, board), board)
    goal = first
    for seed in SEEDS:
        project = Project.of(_seeded(seed)(design_files(goal, cache)), build.name)
        with progress(f"placing and routing for {_mhz(goal):g} MHz, seed {seed}"):
            placed_design = _placed(goal, project, netlist, seed, cache)
        if not is_fixed:
            placed_design = _at_fastest_step(placed_design, first)
            goal = placed_design.build if _mhz(placed_design.build) < _mhz(goal) else goal
        if not placed_design.missed:
            break
    return placed_design


def at_clock(build: Build, clock_mhz: float) -> Build:
    """Returns the build with its board's clock set to ``clock_mhz``, in MHz."""
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
    port = build.board.port
    return PlacedDesign(
        build=build,
        project=project,
        config=placed.config,
        clocks=tuple(clocks_of(placed.report, port.clock_title, port.net, build.board.clock_mhz)),
        uses=tuple(uses_of(placed.report)),
        log=placed.log,
        seed=seed,
    )


def _at_fastest_step(placed_design, first):
    """Returns the placed design with the dividers of the fastest step that the engine reaches.

    A design that is slower than every step gets the slowest step. ``first`` is the build whose
    dividers are in the netlist.
    """
    engine, *others = placed_design.clocks
    steps = placed_design.build.board.family.clock_steps
    reached = at_clock(
        first, next((step for step in steps if step <= engine.reached_mhz), steps[-1])
    )
    return replace(
        placed_design,
        build=reached,
        config=with_pll(placed_design.config, _dividers(first), _dividers(reached)),
        clocks=(replace(engine, asked_mhz=_mhz(reached)), *others),
    )


def _mhz(build):
    return build.board.clock_mhz


def _dividers(build):
    board = build.board
    return board.family.pll(board.oscillator_mhz, board.clock_mhz, None).parameters


def _check_size(uses, board):
    """Raises CheckFailedError if a netlist needs more of a resource than the part has."""
    excess = [use for use in uses if use.used > use.available]
    if excess:
        counts = ", ".join(
            f"{use.used:,} of {use.available:,} {use.kind} ({use.percent:g} %)" for use in excess
        )
        raise CheckFailedError(
            f"the design does not fit the {board.part} of {board.name}: it takes {counts}"
        )


def _seeded(seed):
    """Returns a function that names the seed in the scripts among a design's files.

    The function raises ValueError if a script does not name seed 1 once.
    """

    def change(files):
        for path in _SCRIPTS:
            if (count := files[path].count(_FIRST_SEED)) != 1:
                raise ValueError(f"{path} must have {_FIRST_SEED!r} once, not {count} times")
        named = {path: files[path].replace(_FIRST_SEED, f"--seed {seed} ") for path in _SCRIPTS}
        return files | named

    return change
