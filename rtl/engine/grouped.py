"""What the parameter classes share of the engines that end in :class:`Aggregation`."""

from abc import abstractmethod
from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.lib import data
from amaranth.utils import bits_for, ceil_log2

from query.aggregate import Function
from query.query import Query
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.division import Divider
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from rtl.engine.parameters import (
    Parameters,
    one_of,
    power_of_two,
    setting,
    shape_of,
)
from rtl.network.plan import SHAPES, log2, plan
from rtl.network.ranks import Ranks


def operator_of(aggregate, tuples, hit=None):
    """The hardware operator of one of the query's aggregates, for groups of up to ``tuples``.

    ``hit`` is the operator's place in :attr:`~rtl.aggregate.operator.Tuple.hits`, for a percentile.
    """
    count_width = bits_for(tuples)
    if aggregate.function is Function.COUNT:
        return Count(count_width)
    name, type_ = aggregate.column.name, aggregate.column.type
    match aggregate.function:
        case Function.COUNT_DISTINCT:
            return CountDistinct(name, count_width)
        case Function.SUM:
            return Sum(name, shape_of(type_), ceil_log2(tuples))
        case Function.AVG:
            return Avg(name, shape_of(type_), count_width)
        case Function.MIN:
            return Min(name, shape_of(type_), type_.floating)
        case Function.MAX:
            return Max(name, shape_of(type_), type_.floating)
        case Function.PERCENTILE:
            return Percentile(name, shape_of(type_), hit)
    raise ValueError(f"{aggregate} must be an aggregate, not {aggregate.function}")


def columns_of(query, *functions):
    """Names of the columns that some of the functions are asked for, in order, each once."""
    asked = (item.aggregate for item in query.items)
    return tuple(dict.fromkeys(a.column.name for a in asked if a.function in functions))


def float_sum(query):
    """Why no engine here runs ``query``: it adds floats; None when it does not."""
    for item in query.items:
        function, column = item.aggregate.function, item.aggregate.column
        if function in (Function.SUM, Function.AVG) and column.type.floating:
            return f"{item.aggregate} adds floating-point numbers"
    return None


@dataclass(frozen=True, kw_only=True)
class GroupedParameters(Parameters):
    """A design point of an engine that gives a row for each group of a sorted stream.

    Attributes
    ----------
    query : Query
        With ``GROUP BY``.
    lanes : int
        P, tuples per cycle.
    results : str
        "all": every aggregate has a column of the row. "select": the row has one column, and the
        function register says which aggregate it shows; sampled at each stream's first beat.
    scan : str
        Shape of the prefix network.
    """

    query: Query
    lanes: int = setting(4, "tuples per cycle, a power of two", range=(1, 64))
    results: str = setting(
        "all",
        "every aggregate in a column of its own, or one column selected at run time",
        choices=("all", "select"),
    )
    scan: str = setting("sklansky", "shape of the prefix scan", choices=tuple(sorted(SHAPES)))

    def __post_init__(self):
        power_of_two("lanes", self.lanes, 1, 64)
        one_of("results", self.results, ("all", "select"))
        one_of("scan", self.scan, tuple(sorted(SHAPES)))
        if reason := self.refuses(self.query):
            raise ValueError(f"query must be one that {self.engine} can run: {reason}")

    @property
    @abstractmethod
    def group_max(self):
        """Tuples of the largest group that is counted right."""

    @property
    def distinct(self):
        """Names of the columns whose distinct values are counted: none or one."""
        return columns_of(self.query, Function.COUNT_DISTINCT)

    @property
    def targets(self):
        """What ranks are asked for: see :class:`~rtl.network.ranks.Ranks`."""
        return ()

    def hit_of(self, aggregate):
        """Index into :attr:`targets` of a percentile."""
        raise ValueError(f"{aggregate} must not be a percentile")

    @property
    def ranks(self):
        """The component that finds the percentiles; None when there is none to find."""
        if not self.targets:
            return None
        return Ranks(
            self.tuple_layout,
            self.lanes,
            targets=self.targets,
            tuples=self.group_max,
            distinct=self.distinct,
            context=self.context_layout,
            scan=self.scan,
        )

    @property
    def operators(self):
        """The operator of each item of the query."""
        return tuple(
            operator_of(
                item.aggregate,
                self.group_max,
                self.hit_of(item.aggregate)
                if item.aggregate.function is Function.PERCENTILE
                else None,
            )
            for item in self.query.items
        )

    @property
    def operator(self):
        """All of the query's aggregates as one operator; its parts are named r0, r1, ..."""
        if self.results == "select":
            return Product(r0=Select(self.operators))
        return Product(**{f"r{k}": operator for k, operator in enumerate(self.operators)})

    @property
    def functions(self):
        return tuple(i.name for i in self.query.items) if self.results == "select" else ()

    @property
    def context_layout(self):
        """Layout of what steers the aggregation of a stream."""
        return self.settings_layout

    @property
    def dropped(self):
        return ("nan", "filtered") if self.selects else ()

    @property
    def row_fields(self):
        """(name, shape) of each field of a row on the bus: the group, then the results."""
        key = (self.query.group.name, shape_of(self.query.group.type))
        shapes = [Shape.cast(part.result) for part in self.operator.parts.values()]
        if self.results == "select":
            return (key, ("result", shapes[0]))
        names = [item.name for item in self.query.items]
        return (key, *zip(names, shapes, strict=True))

    @property
    def result_shapes(self):
        """Shape of each item's result, which may be narrower than the one ``result`` column."""
        return tuple(Shape.cast(operator.result) for operator in self.operators)

    @property
    def row_layout(self):
        """Layout of an output row: ``key`` and, for each result, r0, r1, ..."""
        return data.StructLayout(
            {"key": shape_of(self.query.group.type), "results": self.operator.result}
        )

    @property
    def selection_latency(self):
        """Cycles of the selection in front, from the last beat of a stream to its last tuples."""
        return 1 + self._levels + self._stages + 2 if self.selects else 0

    @property
    def aggregation_latency(self):
        """Cycles from the last beat of a sorted stream to its last row."""
        widths = [quotient.width for *_, quotient in self.operator.quotients]
        divider = max((Divider.latency_of(width) for width in widths), default=0)
        ranks = self.ranks.latency if self.targets else 0
        return 1 + ranks + self._levels + divider + self._stages + 2

    @property
    def _levels(self):
        return len(plan(self.scan, self.lanes))

    @property
    def _stages(self):
        return -(-log2(self.lanes) // 2)
