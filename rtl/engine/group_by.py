"""The group-by engine: every aggregate of a sorted stream, P tuples per cycle, never a stall."""

from dataclasses import dataclass, field

from amaranth.hdl import Shape
from amaranth.lib import data

from query.aggregate import Function
from query.query import Query
from query.window import Whole
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.division import Divider
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from rtl.engine.group_by_core import GroupBy
from rtl.engine.parameters import (
    Parameters,
    integer,
    one_of,
    power_of_two,
    row_layout,
    shape_of,
)
from rtl.network.plan import SHAPES, log2, plan
from rtl.stream.selection import Selection


def _setting(default, doc, **limits):
    return field(default=default, metadata={"doc": doc, **limits})


def operator_of(aggregate, count_width):
    """The hardware operator of one of the query's aggregates."""
    if aggregate.function is Function.COUNT:
        return Count(count_width)
    name, type_ = aggregate.column.name, aggregate.column.type
    match aggregate.function:
        case Function.COUNT_DISTINCT:
            return CountDistinct(name, count_width)
        case Function.SUM:
            return Sum(name, shape_of(type_), count_width)
        case Function.AVG:
            return Avg(name, shape_of(type_), count_width)
        case Function.MIN:
            return Min(name, shape_of(type_), type_.floating)
        case Function.MAX:
            return Max(name, shape_of(type_), type_.floating)
    raise ValueError(f"{aggregate} must be a count, sum, min, max or avg")


@dataclass(frozen=True, kw_only=True)
class GroupByParameters(Parameters):
    """A design point of the group-by engine (seed 003, section 3.1).

    Attributes
    ----------
    query : Query
        ``GROUP BY`` without a window.
    lanes : int
        P, tuples per cycle.
    results : str
        "all": every aggregate has a column of the row. "select": the row has one column, and the
        function register says which aggregate it shows; sampled at each stream's first beat.
    scan : str
        Shape of the prefix network.
    count_width : int
        Bits of a count: a group may hold up to ``2**count_width - 1`` tuples.
    """

    engine = "group-by"

    query: Query
    lanes: int = _setting(4, "tuples per cycle, a power of two", range=(1, 64))
    results: str = _setting(
        "all",
        "every aggregate in a column of its own, or one column selected at run time",
        choices=("all", "select"),
    )
    scan: str = _setting("sklansky", "shape of the prefix scan", choices=tuple(sorted(SHAPES)))
    count_width: int = _setting(
        32, "bits of a count; a group holds up to 2**count_width - 1 tuples", range=(1, 48)
    )

    def __post_init__(self):
        power_of_two("lanes", self.lanes, 1, 64)
        one_of("results", self.results, ("all", "select"))
        one_of("scan", self.scan, tuple(sorted(SHAPES)))
        integer("count_width", self.count_width, 1, 48)
        if reason := self.refuses(self.query):
            raise ValueError(f"query must be one that {self.engine} can run: {reason}")

    @classmethod
    def refuses(cls, query):
        if not isinstance(query.window, Whole):
            return f"it has the window {query.window}"
        if query.group is None:
            return "it has no GROUP BY"
        distinct = set()
        for item in query.items:
            aggregate = item.aggregate
            if aggregate.function is Function.PERCENTILE:
                return f"{aggregate} selects by rank"
            if (
                aggregate.function in (Function.SUM, Function.AVG)
                and aggregate.column.type.floating
            ):
                return f"{aggregate} adds floating-point numbers"
            if aggregate.function is Function.COUNT_DISTINCT:
                distinct.add(aggregate.column.name)
        if len(distinct) > 1:
            return (
                f"it counts distinct values of {len(distinct)} columns, and a stream has one order"
            )
        return None

    @property
    def distinct(self):
        """Names of the columns that the stream must be sorted by within each group: none or one."""
        return tuple(
            dict.fromkeys(
                item.aggregate.column.name
                for item in self.query.items
                if item.aggregate.function is Function.COUNT_DISTINCT
            )
        )

    @property
    def operators(self):
        return tuple(operator_of(item.aggregate, self.count_width) for item in self.query.items)

    @property
    def operator(self):
        """All of the query's aggregates as one operator; its parts are named r0, r1, ..."""
        if self.results == "select":
            return Product(r0=Select(self.operators))
        return Product(**{f"r{k}": operator for k, operator in enumerate(self.operators)})

    @property
    def functions(self):
        """What the function register chooses from, in the order of its values."""
        return tuple(i.name for i in self.query.items) if self.results == "select" else ()

    @property
    def selects(self):
        """A selection is built in: WHERE, or floats that may be NaN."""
        return Selection.needed(self.query)

    @property
    def tuple_layout(self):
        """Layout of an input tuple: the query's columns, in the order of the schema."""
        return row_layout(self.query.columns)

    @property
    def input_fields(self):
        """(name, shape) of each field of a tuple on the bus."""
        return tuple((column.name, shape_of(column.type)) for column in self.query.columns)

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
    def predicted_tuples_per_cycle(self):
        """Input rate while the output does not stall: P, whatever the data."""
        return float(self.lanes)

    @property
    def latency(self):
        """Cycles from the last beat of a stream to its last row, with no stall."""
        levels = len(plan(self.scan, self.lanes))
        stages = -(-log2(self.lanes) // 2)
        selection = 1 + levels + stages + 2 if self.selects else 0
        widths = [quotient.width for *_, quotient in self.operator.quotients]
        divider = max((Divider.latency_of(width) for width in widths), default=0)
        return selection + 1 + levels + divider + stages + 2

    @property
    def memory_bits(self):
        """Bits of block RAM: none."""
        return 0

    def create(self):
        return GroupBy(self)
