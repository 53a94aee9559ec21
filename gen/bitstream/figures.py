"""Reads clocks and utilisation from nextpnr's report, and counts a netlist against a part."""

import json
from collections import Counter
from dataclasses import dataclass
from math import isclose

from boards.board import Board
from gen.report.part_use import Use
from gen.report.targets import TARGETS

#: Names of the two clocks of a board with Ethernet.
ENGINE, ETHERNET = "engine", "Ethernet receiver"
#: Kinds of cells in nextpnr's report, with a name for a user.
_KINDS = {
    "TRELLIS_COMB": "LUT",
    "TRELLIS_FF": "FF",
    "DP16KD": "BRAM",
    "MULT18X18D": "DSP",
    "TRELLIS_IO": "pins",
}


@dataclass(frozen=True, kw_only=True)
class Clock:
    """Required and reached frequency of a clock of a placed design, in MHz, not rounded."""

    name: str
    asked_mhz: float
    reached_mhz: float

    @property
    def is_met(self) -> bool:
        return self.reached_mhz >= self.asked_mhz


def clocks_of(
    report: dict,
    title: str = ETHERNET,
    net: str | tuple[str, ...] = "ethernet.",
    engine_mhz: float | None = None,
) -> list[Clock]:
    """Returns the clocks of a report, the engine's first.

    nextpnr names a clock by a net somewhere on its way. Nets of the link's clock, which is called
    ``title``, begin with ``net``, or with one of several texts; the other clock is the engine's,
    of ``engine_mhz`` if it is given.

    Raises ValueError for another number of clocks, or a clock without a constraint of its own:
    nextpnr checks a clock without a constraint against 12 MHz only.
    """
    clocks = [
        Clock(
            name=title if name.removeprefix("$glbnet$").startswith(net) else ENGINE,
            asked_mhz=values["constraint"],
            reached_mhz=values["achieved"],
        )
        for name, values in report["fmax"].items()
    ]
    clocks.sort(key=lambda clock: clock.name != ENGINE)
    if [clock.name for clock in clocks] != [ENGINE, title]:
        raise ValueError(f"the report must have two clocks, not {', '.join(report['fmax'])}")
    # The engine's clock may be as slow as the user asks.
    slow = [c for c in clocks if c.asked_mhz <= 12]
    if engine_mhz is not None and isclose(clocks[0].asked_mhz, engine_mhz, rel_tol=0.01):
        slow = [c for c in slow if c.name != ENGINE]
    if unconstrained := [clock.name for clock in slow]:
        raise ValueError(f"clocks must have constraints: {', '.join(unconstrained)}")
    return clocks


def uses_of(report: dict) -> list[Use]:
    """Returns the use of each kind of resource of a placed design."""
    counts = report["utilization"]
    return [
        Use(kind=name, used=counts[cell]["used"], available=counts[cell]["available"])
        for cell, name in _KINDS.items()
    ]


def counted_uses(netlist: str, board: Board) -> list[Use]:
    """Returns the use of each kind of resource by the cells of a netlist, before placing."""
    resources, target = board.resources, TARGETS[board.target]
    assert resources is not None
    cells = Counter(
        cell["type"] for cell in json.loads(netlist)["modules"]["top"]["cells"].values()
    )
    luts = target.count(target.luts, cells) + target.count(target.lut_memories, cells)
    blocks = resources.blocks_for(target.block_ram_bits(cells))
    return [
        Use(kind="LUT", used=luts, available=resources.lut),
        Use(kind="FF", used=target.count(target.flip_flops, cells), available=resources.ff),
        Use(kind="BRAM", used=blocks, available=resources.blocks),
        Use(kind="DSP", used=target.count(target.multipliers, cells), available=resources.dsp),
    ]
