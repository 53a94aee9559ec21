"""The build options of the group-by engine, and the queries that the engine can run."""

from dataclasses import dataclass

from query.aggregate import Function
from query.query import Query
from query.window import WholeStream
from rtl.contract.options import check
from rtl.engine.parts.constants import check_constants, constants_option
from rtl.engine.parts.grouped_options import lanes_option, results_option, scan_option
from rtl.engine.parts.operators import check_results, columns_of, float_sum_refusal
from rtl.engine.parts.time_windows import count_width_option


def refusal(query):
    """Returns None, or the reason why the engine cannot run ``query``."""
    if not isinstance(query.window, WholeStream):
        return f"it has the window {query.window}"
    if query.group is None:
        return "it has no GROUP BY"
    for item in query.items:
        if item.aggregate.function is Function.PERCENTILE:
            return f"{item.aggregate} selects by rank"
    if reason := float_sum_refusal(query):
        return reason
    if (count := len(columns_of(query, Function.COUNT_DISTINCT))) > 1:
        return f"it counts distinct values of {count} columns, and a stream has one order"
    return None


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of the group-by engine."""

    query: Query
    lanes: int = lanes_option()
    results: str = results_option()
    scan: str = scan_option()
    constants: str = constants_option()
    count_width: int = count_width_option("group")

    def __post_init__(self):
        check(self)
        check_constants(self.query, self.constants)
        if reason := refusal(self.query):
            raise ValueError(f"query must be one that group-by can run: {reason}")
        check_results(self.query, self.results)

    @property
    def resolved(self):
        """The same options: each option of this engine has a default value."""
        return self
