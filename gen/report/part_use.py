"""Compares the figures of a report with the part and the clock of a board."""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gen.prediction.board_rate import (
    link_tuples_per_second,
    rate_text,
    tuples_per_second,
)

if TYPE_CHECKING:
    from gen.design.build import Build


@dataclass(frozen=True, kw_only=True)
class Use:
    """Number of used and of available resources of one kind."""

    kind: str
    used: int
    available: int

    @property
    def percent(self) -> float:
        return round(100 * self.used / self.available, 1)

    @property
    def text(self) -> str:
        """For instance ``LUT 38.9 % (17,064 of 43,848)``."""
        return f"{self.kind} {self.percent:g} % ({self.used:,} of {self.available:,})"


def uses_of_part(build: "Build", figures: Any) -> list[Use]:
    """Returns the use of each kind of resource; empty if the figures are not for the board's part.

    LUTs that serve as memory count as LUTs. For a family with ALMs, the lower estimate of ALMs
    counts. Its block RAMs are computed from the bits of the engine's memories, because Yosys counts
    blocks of another family.
    """
    board = build.board
    if board is None or board.resources is None or figures.target != board.target:
        return []
    resources = board.resources
    if figures.alm is None:
        logic = Use(kind="LUT", used=figures.lut + figures.lutram, available=resources.lut)
        blocks = resources.blocks_for(figures.block_ram_bits)
    else:
        logic = Use(kind="ALM", used=figures.alm[0], available=resources.lut)
        blocks = resources.blocks_for(build.design.predict().memory_bits or 0)
    return [
        logic,
        Use(kind="FF", used=figures.ff, available=resources.ff),
        Use(kind="BRAM", used=blocks, available=resources.blocks),
        Use(kind="DSP", used=figures.dsp, available=resources.dsp),
    ]


def estimated_mhz(figures: Any) -> float | None:
    """Returns the estimated clock: of nextpnr, or without it the logic's delay without routing.

    The clock of a delay is rounded down to 0.1 MHz, so that a clock that is just missed is not
    taken for met.
    """
    if figures.fmax_mhz is not None:
        return figures.fmax_mhz
    return None if figures.logic_ps is None else math.floor(1e7 / figures.logic_ps) / 10


def part_lines(build: "Build", figures: Any) -> Iterator[str]:
    """Yields lines about the part and the clock of a board; none without a board."""
    board = build.board
    if board is None or board.part is None:
        return
    if uses := uses_of_part(build, figures):
        yield f"{board.part} of {board.name}: {', '.join(use.text for use in uses)}"
    yield f"clock of {board.name}: {_clock_phrase(board, figures)}{rate_text(build)}"


def _clock_phrase(board, figures):
    clock = estimated_mhz(figures) if figures.target == board.target else None
    if clock is None:
        return ""
    routed = "" if figures.fmax_mhz is not None else " without routing"
    return f"{clock:g} MHz estimated{routed}, the board's is "


def clock_warnings(build: "Build", figures: Any) -> list[str]:
    """Returns a line if the estimated clock is below the board's."""
    board = build.board
    if board is None or board.part is None or figures.target != board.target:
        return []
    clock = estimated_mhz(figures)
    if clock is None or clock >= board.clock_mhz:
        return []
    text = (
        f"the estimated clock of {clock:g} MHz is below the {board.clock_mhz:g} MHz of {board.name}"
    )
    if "clock_mhz" in board.option_names:
        return [f"{text}: choose a smaller clock_mhz"]
    has_lanes = "lanes" in build.design.parameters
    return [f"{text}: choose fewer lanes" if has_lanes else text]


def part_figures(build: "Build", figures: Any) -> dict[str, Any] | None:
    """Returns the part, its use and its clock as plain data for ``--json``; None without a
    board."""
    board = build.board
    if board is None or board.part is None:
        return None
    uses = uses_of_part(build, figures)
    return {
        "name": board.part,
        "use": [asdict(use) | {"percent": use.percent} for use in uses],
        "estimated_mhz": estimated_mhz(figures) if figures.target == board.target else None,
        "clock_mhz": board.clock_mhz,
        "tuples_per_second": tuples_per_second(build),
        "link_tuples_per_second": link_tuples_per_second(build),
    }
