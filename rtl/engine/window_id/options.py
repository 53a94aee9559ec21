"""The build options of the window-ID engine, and the queries that the engine can run."""

from dataclasses import dataclass, replace

from query.query import Query
from query.window import Range
from rtl.contract.options import check, option
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.refusals import ungrouped_refusal
from rtl.engine.parts.time_windows import check_lengths, count_width_option, punctuations_option

MODULES_MAX = 1024


def refusal(query):
    """Returns None, or the reason why the engine cannot run ``query``."""
    return ungrouped_refusal(query, Range)


def open_window_count(range_, slide, slack):
    """Returns N, the number of windows that are open at a time (seed 002, equations 1 and 2)."""
    return -(-range_ // slide) - (-slack // slide)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the window-ID engine.

    RANGE, SLIDE, SLACK and the start are not built in: the host writes them to registers, and may
    write other values before any stream. With SLACK 0 the engine is the replicated design of
    Glacier, the baseline of the seeds: as many modules as windows may contain the same tuple.
    """

    query: Query
    constants: str = constants_option()
    count_width: int = count_width_option()
    punctuations: str = punctuations_option()
    modules: int | None = option(
        "windows that may be open at a time",
        unit="windows",
        range=(1, MODULES_MAX),
        absent="ceil(RANGE / SLIDE) + ceil(SLACK / SLIDE)",
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that window-id can run: {reason}")
        check_lengths(self.query)
        if self.modules is None and self._required > MODULES_MAX:
            raise ValueError(
                f"modules must be at most {MODULES_MAX}, and the query needs {self._required}"
            )
        if self.modules is not None and self._required > self.modules:
            raise ValueError(
                f"modules must be at least {self._required} for the query, not {self.modules}"
            )

    @property
    def _required(self):
        window = self.query.window
        return open_window_count(window.size, window.slide, window.slack)

    @property
    def resolved(self):
        """The options with ``modules`` set; the default is the least number for the query."""
        return self if self.modules is not None else replace(self, modules=self._required)
