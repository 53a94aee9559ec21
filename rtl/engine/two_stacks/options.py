"""The build options of the two-stacks engine, and the queries that the engine can run."""

from dataclasses import dataclass, replace

from amaranth.utils import ceil_log2

from query.query import Query
from query.window import Rows
from rtl.contract.options import check, option
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.refusals import ungrouped_refusal

WINDOW_MAX_LIMIT = 1 << 20


def refusal(query):
    """Returns None, or the reason why the engine cannot run ``query``."""
    return ungrouped_refusal(query, Rows) or (None if query.columns else "it reads no column")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the two-stacks engine.

    ROWS and SLIDE of the query are not built in: the host writes them to registers, and may write
    other values before each stream.
    """

    query: Query
    constants: str = constants_option()
    window_max: int | None = option(
        "tuples of the largest window, a power of two",
        unit="tuples",
        range=(2, WINDOW_MAX_LIMIT),
        power_of_two=True,
        absent="as the query needs",
    )

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that two-stacks can run: {reason}")
        size = self.query.window.size
        if size > WINDOW_MAX_LIMIT:
            raise ValueError(f"ROWS must be at most {WINDOW_MAX_LIMIT}, not {size}")
        if self.window_max is not None and size > self.window_max:
            text = f"ROWS must be at most window_max, {self.window_max}, not {size}"
            raise ValueError(f"{text}; window_max={_least_window_max(size)} would do")

    @property
    def resolved(self):
        """Options with a ``window_max``: as given, or the least power of two that holds ROWS."""
        if self.window_max is not None:
            return self
        return replace(self, window_max=_least_window_max(self.query.window.size))


def _least_window_max(size):
    """Returns the least ``window_max`` for windows of ``size`` tuples: 64 for 33 to 64 tuples."""
    return max(2, 1 << ceil_log2(size))
