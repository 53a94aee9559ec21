"""What can be built into the pane engine, and which queries it runs."""

from dataclasses import dataclass, replace
from math import gcd

from amaranth.utils import ceil_log2

from query.query import Query
from query.window import Range
from rtl.contract.options import check, option
from rtl.engine.pane.core import LEVELS
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.refusals import ungrouped
from rtl.engine.parts.time_windows import check_lengths, count_width_option, punctuations_option

MOST = {"modules": 1024, "panes": 1 << 16}


def fits(query):
    """None, or why the engine cannot run ``query``."""
    return ungrouped(query, Range)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the pane engine.

    RANGE, SLIDE, SLACK and the start are no part of the hardware: the host writes them to
    registers, and may write others before any stream. A pane is as long as the greatest common
    divisor of RANGE and SLIDE. ``modules`` are as many as panes are open at a time, which is
    ceil(SLACK / SLIDE) + 1 where SLIDE divides RANGE.

    "two-stacks" ``window_level``: a window costs a cycle, whatever RANGE / SLIDE is. "sequential":
    it costs a cycle for each of its panes, as in the seed.
    """

    query: Query
    constants: str = constants_option()
    count_width: int = count_width_option()
    punctuations: str = punctuations_option()
    modules: int | None = option(
        "panes that may be open at a time",
        unit="panes",
        range=(1, MOST["modules"]),
        absent="ceil((SLACK + SLIDE) / pane)",
    )
    panes: int | None = option(
        "panes of the largest window, a power of two",
        unit="panes",
        range=(2, MOST["panes"]),
        power_of_two=True,
        absent="as the query needs",
    )
    window_level: str = option(
        "a window in constant time, or by reading its panes one after the other",
        default="two-stacks",
        choices=tuple(LEVELS),
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := fits(self.query):
            raise ValueError(f"query must be one that pane can run: {reason}")
        check_lengths(self.query)
        window = self.query.window
        needed = self._needed | {"panes": window.size // self.pane}
        for name, most in MOST.items():
            given = getattr(self, name)
            if given is None and self._needed[name] > most:
                raise ValueError(
                    f"{name} must be at most {most}, and the query needs {self._needed[name]}"
                )
            if given is not None and given < needed[name]:
                raise ValueError(
                    f"{name} must be at least {needed[name]} for the query, not {given}"
                )

    @property
    def pane(self):
        """Length of the query's pane, in raw units of the time column."""
        return gcd(self.query.window.size, self.query.window.slide)

    @property
    def _needed(self):
        window = self.query.window
        return {
            "modules": -(-(window.slack + window.slide) // self.pane),
            "panes": max(2, 1 << ceil_log2(window.size // self.pane)),
        }

    @property
    def resolved(self):
        """The same with ``modules`` and ``panes``: as many as the query needs."""
        absent = {name: n for name, n in self._needed.items() if getattr(self, name) is None}
        return replace(self, **absent) if absent else self
