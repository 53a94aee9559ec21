"""The build options of the sliding-window engine, and the queries that the engine can run."""

from dataclasses import dataclass, replace
from math import gcd

from amaranth.utils import ceil_log2

from query.aggregate import Function
from query.query import Query
from query.window import Rows
from rtl.contract.options import check, integer, option
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.grouped_options import lanes_option, results_option, scan_option
from rtl.engine.parts.operators import check_results, columns_of, float_sum_refusal
from rtl.engine.parts.percentiles import check_percentiles, percentiles_option
from rtl.engine.parts.refusals import partition_refusal, window_refusal
from rtl.sort.merge_sorter import PASSES

#: Greatest value of the option ``capacity``. Windows have at most CAPACITY_MAX**2 tuples.
CAPACITY_MAX = 1024


def sorted_by(query):
    """Returns the names of the columns to sort within a group; `refusal` allows at most one."""
    return columns_of(query, Function.COUNT_DISTINCT, Function.PERCENTILE)


def refusal(query):
    """Returns None, or the reason why the engine cannot run ``query``."""
    if not isinstance(query.window, Rows):
        return window_refusal(query, "ROWS")
    if reason := partition_refusal(query):
        return reason
    if query.group is None:
        return "it has no GROUP BY"
    if reason := float_sum_refusal(query):
        return reason
    if (count := len(sorted_by(query))) > 1:
        return (
            f"it asks for distinct values or percentiles of {count} columns, and a window has one "
            "order"
        )
    return None


@dataclass(frozen=True, kw_only=True)
class Options:
    """Holds the build options of the sliding-window engine, and checks them against the query.

    ROWS and SLIDE of the query are not built in: the host writes them to registers, and may write
    other values before any stream.

    ``passes`` "shared": one merge tree sorts chunks and also merges large windows, so the rate is
    halved for windows above ``capacity``. "pipelined": each pass has its own merge tree. For
    instance with ``capacity`` 128 a window of 256 tuples is sorted as two chunks of 128, which are
    merged in the second pass.
    """

    query: Query
    lanes: int = lanes_option()
    results: str = results_option()
    scan: str = scan_option()
    constants: str = constants_option()
    capacity: int = option(
        "tuples that are sorted as they arrive (k), a power of two, at least lanes",
        default=128,
        unit="tuples",
        range=(4, CAPACITY_MAX),
        power_of_two=True,
    )
    window_max: int | None = option(
        "tuples of the largest window, a power of two",
        unit="tuples",
        range=(1, CAPACITY_MAX**2),
        absent="min(capacity**2, 16384)",
    )
    passes: str = option(
        "merge trees: one for both passes of the sorter, or one for each",
        default="shared",
        choices=PASSES,
    )
    percentiles: str = percentiles_option()

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that swag can run: {reason}")
        check_results(self.query, self.results)
        if self.capacity < self.lanes:
            raise ValueError(f"capacity must be at least lanes, {self.lanes}, not {self.capacity}")
        if self.window_max is not None:
            integer("window_max", self.window_max, 1, CAPACITY_MAX**2)
            if self.window_max < self.lanes or self.window_max & (self.window_max - 1):
                raise ValueError(
                    f"window_max must be {self.lanes} times a power of two, not {self.window_max}"
                )
            if self.window_max > self.capacity**2:
                raise ValueError(
                    f"window_max must be at most capacity squared, {self.capacity**2}, not "
                    f"{self.window_max}"
                )
        self._check_window()
        check_percentiles(self.query, self.percentiles)

    def _check_window(self):
        """Raises ValueError unless ROWS and SLIDE are multiples of lanes, and ROWS has room."""
        window = self.query.window
        window_max = self.resolved.window_max
        for name, value in (("ROWS", window.size), ("SLIDE", window.slide)):
            if value % self.lanes:
                lanes = gcd(self.lanes, window.size, window.slide)
                raise ValueError(
                    f"{name} must be a multiple of lanes, {self.lanes}, not {value}; "
                    f"lanes={lanes} would do"
                )
        if window.size > window_max:
            raise ValueError(
                f"ROWS must be at most window_max, {window_max}, not {window.size}"
                f"{self._options_for(window.size)}"
            )

    def _options_for(self, size):
        """Returns the end of a message: least options for a window, or nothing if there are none.

        For instance windows of 20,000 tuples need ``window_max=32768``, and ``capacity=256``,
        because ``window_max`` is at most the square of ``capacity``.
        """
        window_max = 1 << ceil_log2(size)
        capacity = 1 << (ceil_log2(window_max) + 1) // 2
        if capacity > CAPACITY_MAX:
            return ""
        capacity_hint = f" with capacity={capacity}" if capacity > self.capacity else ""
        return f"; window_max={window_max}{capacity_hint} would do"

    @property
    def resolved(self):
        """The options with a ``window_max``: by default min(capacity**2, 16384)."""
        if self.window_max is not None:
            return self
        return replace(self, window_max=min(self.capacity**2, 16384))
