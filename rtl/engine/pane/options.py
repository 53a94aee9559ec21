"""The build options of the pane engine, and the queries that the engine can run."""

from dataclasses import dataclass, replace
from math import gcd

from amaranth.utils import ceil_log2

from query.query import Query
from query.window import Range
from rtl.contract.options import check, option
from rtl.engine.pane.core import LEVELS
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.refusals import ungrouped_refusal
from rtl.engine.parts.time_windows import check_lengths, count_width_option, punctuations_option

#: Greatest values of the options, by name.
LIMITS = {"modules": 1024, "panes": 1 << 16}


def refusal(query):
    """Returns None, or the reason why the engine cannot run ``query``."""
    return ungrouped_refusal(query, Range)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the pane engine.

    RANGE, SLIDE, SLACK and the start are not built in: the host writes them to registers, and may
    write other values before each stream, as long as ``modules`` and ``panes`` suffice. The tuples
    of a stream that needs more are dropped, and count as ``overrun`` or ``late``.

    A pane is as long as the greatest common divisor of RANGE and SLIDE. ``modules`` is the number
    of panes that are open at a time: ceil((SLACK + SLIDE) / pane). For instance with RANGE 50,
    SLIDE 20 and SLACK 15 a pane is 10 long, and 4 panes are open.

    With ``window_level`` "two-stacks" a window costs a cycle for each pane of SLIDE, however long
    RANGE is; with "sequential" it costs a cycle for each of its panes, as in the seed. For instance
    with RANGE 50 and SLIDE 20 a window costs 2 or 5 cycles.
    """

    query: Query
    constants: str = constants_option()
    count_width: int = count_width_option()
    punctuations: str = punctuations_option()
    modules: int | None = option(
        "panes that may be open at a time",
        unit="panes",
        range=(1, LIMITS["modules"]),
        absent="ceil((SLACK + SLIDE) / pane)",
    )
    panes: int | None = option(
        "panes of the largest window, a power of two",
        unit="panes",
        range=(2, LIMITS["panes"]),
        power_of_two=True,
        absent="as the query needs",
    )
    window_level: str = option(
        "a window in SLIDE / pane cycles, or by reading its panes one after the other",
        default="two-stacks",
        choices=tuple(LEVELS),
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that pane can run: {reason}")
        check_lengths(self.query)
        window = self.query.window
        # The panes of the query, before they are rounded up to a power of two.
        unrounded = self._required | {"panes": window.size // self.pane}
        for name, limit in LIMITS.items():
            value = getattr(self, name)
            least = self._required[name]
            if value is None and least > limit:
                raise ValueError(
                    f"{name} must be at most {limit}, and the query needs {unrounded[name]}"
                )
            if value is not None and value < least:
                raise ValueError(f"{name} must be at least {least} for the query, not {value}")

    @property
    def pane(self):
        """Length of the query's pane, in raw units of the time column."""
        return gcd(self.query.window.size, self.query.window.slide)

    @property
    def _required(self):
        """Least values of the options for the query, by name; panes rounded up to a power of 2."""
        window = self.query.window
        return {
            "modules": -(-(window.slack + window.slide) // self.pane),
            "panes": max(2, 1 << ceil_log2(window.size // self.pane)),
        }

    @property
    def resolved(self):
        """These options with ``modules`` and ``panes``: as many as the query needs."""
        absent = {name: n for name, n in self._required.items() if getattr(self, name) is None}
        return replace(self, **absent) if absent else self
