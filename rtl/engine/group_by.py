"""The group-by engine: every aggregate of a sorted stream, P tuples per cycle, never a stall."""

from dataclasses import dataclass, field

from amaranth.hdl import Module, Shape
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from query.aggregate import Function
from query.query import Query
from query.window import Whole
from rtl.aggregate.avg import Avg
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.division import Divider
from rtl.aggregate.lower import Lower
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product, Segmented, Tuple
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from rtl.engine.parameters import (
    Parameters,
    integer,
    one_of,
    power_of_two,
    row_layout,
    shape_of,
)
from rtl.network.boundaries import GroupBoundaries
from rtl.network.compactor import RoundRobin, RoundRobinCompactor, Router
from rtl.network.plan import SHAPES, log2, plan
from rtl.network.rolling import RollingScan
from rtl.stream.beat import beat, build, split, wire
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


class GroupBy(wiring.Component):
    """Groups a sorted stream.

    ::

        i -> selection -> boundaries -> rolling scan -> lower -> butterfly -> dense -> o
             WHERE, NaN   (a) (b)       (c) (d)         (d)      (e)          (e)
             only if the  first, last,  aggregates,     sum /    rows to      full beats
             query asks   new value     row's lane      count    their lane

    ``i`` is a stream of dense beats (see :mod:`rtl.stream.beat`), sorted by group and, when the
    query has ``count(distinct x)``, by x within each group; with a selection in front the beats may
    have gaps. ``o`` gives one row for each group, in the order of the stream, in dense beats; every
    stream in gives exactly one ``last`` out, on an empty beat when there are no rows. Streams may
    follow each other without a gap, each with a function of its own.

    Never stalls its input while ``o`` does not stall. Initiation interval 1 cycle. Latency from the
    last beat of a stream to its last row, in cycles::

        1 + levels + divider + stages + 2
        1 + levels + stages + 2             more with a selection

    where ``levels`` are the scan's (log2 P, or 2 log2 P - 1 for brent-kung), ``stages`` the
    butterfly's, ceil(log2(P) / 2), and ``divider`` is 2 + ceil(bits of x / 2) with ``avg(x)`` and
    0 without. One cycle of each 2 is the dense buffer's, which gives what is left at the end one
    cycle later than a full beat.

    Members
    -------
    i : In(stream.Signature(beat(parameters.tuple_layout, lanes, context)))
        With ``results="select"`` there is a context: index into the query's aggregates.
    o : Out(stream.Signature(beat(parameters.row_layout, lanes)))
    dropped : Out(StructLayout of ``nan`` and ``filtered``)
        Tuples of the beat being taken that were dropped for a NaN and by WHERE. Only with a
        selection.

    Source: seed 003, section 3.1.
    """

    initiation_interval = 1

    def __init__(self, parameters: GroupByParameters):
        self.parameters = parameters
        lanes, row = parameters.lanes, parameters.tuple_layout
        out = parameters.row_layout
        operator = parameters.operator
        context = operator.context
        members = {
            "i": In(stream.Signature(beat(row, lanes, context))),
            "o": Out(stream.Signature(beat(out, lanes))),
        }
        self._selection = self._compactor = None
        if parameters.selects:
            self._selection = Selection(parameters.query, row, lanes, context=context)
            self._compactor = RoundRobinCompactor(row, lanes, scan=parameters.scan, context=context)
            members["dropped"] = Out(self._selection.dropped.shape())
        super().__init__(members)

        keys = data.StructLayout(
            {"keys": data.ArrayLayout(out.members["key"], lanes), "ends": lanes}
        )
        ends = data.StructLayout({"keys": keys.members["keys"], "ends": lanes, "last": 1})
        self._operator = Product(group=Segmented(operator), lane=RoundRobin(lanes))
        self._boundaries = GroupBoundaries(
            row,
            lanes,
            key=parameters.query.group.name,
            distinct=parameters.distinct,
            context=context,
        )
        tuples = (1 << parameters.count_width) - 1
        self._scan = RollingScan(
            self._operator, lanes, tuples=tuples, shape=parameters.scan, passenger=keys
        )
        self._lower = Lower(self._operator, lanes, tuples=tuples, passenger=ends)
        self._router = Router(out, lanes)

    @property
    def latency(self):
        parts = (self._selection, self._compactor, self._boundaries, self._scan, self._lower)
        held_back = 1 if self._compactor is None else 2
        parts = [part for part in parts if part is not None]
        return sum(part.latency for part in parts) + self._router.latency + held_back

    def elaborate(self, platform):
        m = Module()
        m.submodules.boundaries = self._boundaries
        m.submodules.scan = self._scan
        m.submodules.lower = self._lower
        m.submodules.router = self._router
        self._select(m)
        self._lift(m)
        self._scan_to_lower(m)
        self._lower_to_router(m)
        wiring.connect(m, self._router.o, wiring.flipped(self.o))
        return m

    def _select(self, m):
        """Only tuples that the query wants, without gaps."""
        if self._selection is None:
            wiring.connect(m, wiring.flipped(self.i), self._boundaries.i)
            return
        m.submodules.selection = self._selection
        m.submodules.compactor = self._compactor
        wiring.connect(m, wiring.flipped(self.i), self._selection.i)
        wiring.connect(m, self._selection.o, self._compactor.i)
        wiring.connect(m, self._compactor.o, self._boundaries.i)
        m.d.comb += self.dropped.eq(self._selection.dropped)

    def _lift(self, m):
        """Steps (b) to (c): from marked tuples to states."""
        marked, scan = self._boundaries.o, self._scan.i
        beat_ = split(m, marked.p, "marked_beat")
        tuples = split(m, beat_["tuples"], "marked", deep=True)
        function = beat_.get("context")
        states = build(m, scan.p.states, "lifted", deep=True)
        keys = build(m, scan.p.passenger.keys, "key")
        for lane, tuple_ in enumerate(tuples):
            ends = tuple_["last"] & beat_["valid"][lane]
            seen = Tuple(
                row=tuple_["row"], fresh=tuple_["fresh"], first=tuple_["first"], valid=ends
            )
            m.d.comb += wire(states[lane], self._operator.lift(seen, function))
            m.d.comb += [
                keys[lane].eq(tuple_["row"][self.parameters.query.group.name]),
                scan.p.passenger.ends[lane].eq(ends),
            ]
        m.d.comb += [
            scan.p.context.eq(0 if function is None else function),
            scan.p.last.eq(beat_["last"]),
            scan.valid.eq(marked.valid),
            marked.ready.eq(scan.ready),
        ]

    def _scan_to_lower(self, m):
        """Step (d): from states to results."""
        source, target = self._scan.o, self._lower.i
        m.d.comb += [
            target.p.lanes.eq(source.p.states),
            target.p.context.eq(source.p.context),
            target.p.passenger.keys.eq(source.p.passenger.keys),
            target.p.passenger.ends.eq(source.p.passenger.ends),
            target.p.passenger.last.eq(source.p.last),
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
        ]

    def _lower_to_router(self, m):
        """Step (e): each group's last tuple is its row, and goes to the next lane in turn."""
        source, target = self._lower.o, self._router.i
        results = split(m, source.p.lanes, "result", deep=True)
        keys = split(m, source.p.passenger.keys, "key")
        routed = build(m, target.p.tuples, "routed", deep=True)
        for lane, result in enumerate(results):
            row = {"key": keys[lane], "results": result["group"]}
            m.d.comb += wire(routed[lane], {"tuple": row, "to": result["lane"]})
        m.d.comb += [
            target.p.valid.eq(source.p.passenger.ends),
            target.p.last.eq(source.p.passenger.last),
            target.valid.eq(source.valid),
            source.ready.eq(target.ready),
        ]
