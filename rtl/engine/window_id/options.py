"""What can be built into the window-ID engine, and which queries it runs."""

from dataclasses import dataclass, replace

from query.query import Query
from query.window import Range
from rtl.contract.options import check, option
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.refusals import ungrouped
from rtl.engine.parts.time_windows import check_lengths, count_width_option, punctuations_option

MOST = 1024


def fits(query):
    """None, or why the engine cannot run ``query``."""
    return ungrouped(query, Range)


def windows_open(range_, slide, slack):
    """N, windows that are open at a time (seed 002, equations 1 and 2)."""
    return -(-range_ // slide) - (-slack // slide)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the window-ID engine.

    RANGE, SLIDE, SLACK and the start are no part of the hardware: the host writes them to
    registers, and may write others before any stream. With no slack the engine is the replicated
    design of Glacier, which the seeds compare with: as many modules as windows overlap.
    """

    query: Query
    constants: str = constants_option()
    count_width: int = count_width_option()
    punctuations: str = punctuations_option()
    modules: int | None = option(
        "windows that may be open at a time",
        unit="windows",
        range=(1, MOST),
        absent="ceil(RANGE / SLIDE) + ceil(SLACK / SLIDE)",
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := fits(self.query):
            raise ValueError(f"query must be one that window-id can run: {reason}")
        check_lengths(self.query)
        if self.modules is None and self._needed > MOST:
            raise ValueError(f"modules must be at most {MOST}, and the query needs {self._needed}")
        if self.modules is not None and self._needed > self.modules:
            raise ValueError(
                f"modules must be at least {self._needed} for the query, not {self.modules}"
            )

    @property
    def _needed(self):
        window = self.query.window
        return windows_open(window.size, window.slide, window.slack)

    @property
    def resolved(self):
        """The same with ``modules``: as many as the query needs."""
        return self if self.modules is not None else replace(self, modules=self._needed)
