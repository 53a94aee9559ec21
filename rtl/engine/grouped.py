"""What the parameter classes share of the engines that end in :class:`Aggregation`."""

from abc import abstractmethod
from dataclasses import dataclass

from amaranth.hdl import Shape
from amaranth.lib import data

from query.aggregate import Function
from query.query import Query
from rtl.aggregate.division import Divider
from rtl.aggregate.operator import Product
from rtl.aggregate.select import Select
from rtl.engine.operators import columns_of, operator_of
from rtl.engine.parameters import (
    Parameters,
    constants_setting,
    one_of,
    power_of_two,
    setting,
    shape_of,
)
from rtl.network.plan import SHAPES, log2, plan
from rtl.network.ranks import Ranks


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
    constants : str
        "compiled": those of WHERE as in the query. "run-time": each in a register.
    """

    query: Query
    lanes: int = setting(4, "tuples per cycle, a power of two", range=(1, 64))
    results: str = setting(
        "all",
        "every aggregate in a column of its own, or one column selected at run time",
        choices=("all", "select"),
    )
    scan: str = setting("sklansky", "shape of the prefix scan", choices=tuple(sorted(SHAPES)))
    constants: str = constants_setting()

    def __post_init__(self):
        power_of_two("lanes", self.lanes, 1, 64)
        one_of("results", self.results, ("all", "select"))
        one_of("scan", self.scan, tuple(sorted(SHAPES)))
        self.check_constants()
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
        return data.StructLayout({"function": self.operator.context} if self.functions else {})

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
