"""The group-by engine: every aggregate of a sorted stream, P tuples per cycle, never a stall."""

from dataclasses import dataclass

from query.aggregate import Function
from query.window import Whole
from rtl.engine.group_by_core import GroupBy
from rtl.engine.grouped import GroupedParameters
from rtl.engine.operators import columns_of, float_sum
from rtl.engine.parameters import integer, setting


@dataclass(frozen=True, kw_only=True)
class GroupByParameters(GroupedParameters):
    """A design point of the group-by engine (seed 003, section 3.1).

    Attributes
    ----------
    query : Query
        ``GROUP BY`` without a window.
    lanes, results, scan, constants
        As for every :class:`~rtl.engine.grouped.GroupedParameters`.
    count_width : int
        Bits of a count: a group may hold up to ``2**count_width - 1`` tuples.
    """

    engine = "group-by"

    count_width: int = setting(
        32, "bits of a count; a group holds up to 2**count_width - 1 tuples", range=(1, 48)
    )

    def __post_init__(self):
        super().__post_init__()
        integer("count_width", self.count_width, 1, 48)

    @classmethod
    def refuses(cls, query):
        if not isinstance(query.window, Whole):
            return f"it has the window {query.window}"
        if query.group is None:
            return "it has no GROUP BY"
        for item in query.items:
            if item.aggregate.function is Function.PERCENTILE:
                return f"{item.aggregate} selects by rank"
        if reason := float_sum(query):
            return reason
        if (count := len(columns_of(query, Function.COUNT_DISTINCT))) > 1:
            return f"it counts distinct values of {count} columns, and a stream has one order"
        return None

    @property
    def group_max(self):
        return (1 << self.count_width) - 1

    @property
    def stream_max(self):
        return self.group_max

    @property
    def run_time(self):
        return self.constant_numbers

    @property
    def run_time_values(self):
        return self.constant_values

    def refused(self, settings):
        return self.unfit_constants(settings)

    @property
    def dropped(self):
        return (*super().dropped, *(("overrun",) if self.run_time else ()))

    @property
    def predicted_tuples_per_cycle(self):
        """Input rate while the output does not stall: P, whatever the data."""
        return float(self.lanes)

    @property
    def latency(self):
        """Cycles from the last beat of a stream to its last row, with no stall."""
        guard = 1 if self.run_time else 0
        return self.selection_latency + guard + self.aggregation_latency

    @property
    def memory_bits(self):
        """Bits of block RAM: none."""
        return 0

    def create(self):
        return GroupBy(self)
