"""Aggregates a sorted stream: builds one row for each group."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Product, Segmented, Tuple
from rtl.contract.rows import Packet
from rtl.network.boundaries import GroupBoundaries, counted_row
from rtl.network.compactor import RoundRobin, Router
from rtl.network.ranks import Ranks
from rtl.network.rolling import RollingScan
from rtl.stream.beat import beat, build, split, wire


class Aggregation(wiring.Component):
    """Builds one row for each group of a sorted stream.

    ::

        i -> boundaries -> ranks -> rolling scan -> lower -> butterfly -> dense -> o
             (a) (b)       (c)      (c) (d)         (d)      (e)          (e)
             first, last,  hits of  aggregates,     sum /    rows to      full beats
             new value     percen-  row's lane      count    their lane
                           tiles, if there are any

    ``i`` is a stream of dense beats (see :mod:`rtl.stream.beat`), sorted by group and, when the
    query has ``count(distinct x)`` or percentiles, by x within each group; with percentiles each
    tuple carries the number of tuples in its group. ``o`` delivers one row for each group, in the
    order of the stream, in dense beats. Every input stream produces exactly one ``last`` at ``o``,
    on an empty beat when the stream has no rows. Streams may follow each other without a gap, and
    each stream has its own context.

    ``i`` stalls only if ``o`` stalls. Initiation interval 1 cycle. Latency from the last beat of a
    stream to its last row, in cycles::

        1 + levels + divider + stages + 2
        levels + targets + 1                 more with percentiles

    ``levels`` is the number of levels of the scan: log2 P for P lanes, or 2 log2 P - 1 for
    brent-kung. ``stages`` is the number of stages of the butterfly, ceil(log2(P) / 2). ``divider``
    is 0 without averages, and otherwise 2 + ceil(b / 2), where b is the bits of the widest averaged
    column; with ``results=select`` b is one more if that column is unsigned and another result is
    signed. ``targets`` is 1, or 1 + ceil(bits of a count / 4) for percentiles that are set at run
    time. The 1 at the beginning is the boundaries. The 2 at the end of the first line is the dense
    buffer: 1 cycle for a full beat, and 1 more for the remaining rows at the end of a stream. For
    instance 8 lanes with sklansky, no averages and no percentiles: 1 + 3 + 0 + 2 + 2 = 8 cycles.

    Parameters
    ----------
    plan : Grouping

    Members
    -------
    i : In(stream.Signature(beat(counted_row(plan.row, ...), plan.lanes, plan.context.size)))
        Tuples carry the size of their group only with percentiles.
    o : Out(stream.Signature(beat(plan.rows(...).layout, plan.lanes)))
    unsorted : Out(1), or none
        A beat broke the order: high from the cycle after its transfer to the next transfer. Only if
        the plan has an order.

    Source: seed 003, sections 3.1 and, for the ranks, 3.2; the letters (a) to (e) are the steps of
    section 3.1.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        lanes = plan.lanes
        row = plan.row
        out = plan.rows(Packet.STREAM).layout
        arriving = beat(counted_row(row, plan.cardinality_bits), lanes, plan.context.size)
        super().__init__(
            {
                "i": In(stream.Signature(arriving)),
                "o": Out(stream.Signature(beat(out, lanes))),
            }
            | ({"unsorted": Out(1)} if plan.order else {})
        )
        keys = data.StructLayout(
            {"keys": data.ArrayLayout(out.members["key"], lanes), "ends": lanes}
        )
        ends = data.StructLayout({"keys": keys.members["keys"], "ends": lanes, "last": 1})
        operator = plan.results.operator
        tuples = plan.tuples
        self._operator = Product(group=Segmented(operator), lane=RoundRobin(lanes))
        self._boundaries = GroupBoundaries(
            row,
            lanes,
            key=plan.key,
            distinct=plan.distinct,
            context=plan.context.size,
            cardinality=plan.cardinality_bits,
            order=plan.order,
        )
        self._ranks = None
        if plan.targets:
            self._ranks = Ranks(
                row,
                lanes,
                targets=plan.targets,
                tuples=tuples,
                distinct=plan.distinct,
                context=plan.context,
                scan=plan.scan,
            )
        self._scan = RollingScan(
            self._operator, lanes, tuples=tuples, shape=plan.scan, passenger=keys
        )
        self._lower = Lower(self._operator, lanes, tuples=tuples, passenger=ends)
        self._router = Router(out, lanes)

    @property
    def latency(self):
        return self._plan.latency

    def elaborate(self, platform):
        m = Module()
        m.submodules.boundaries = self._boundaries
        m.submodules.scan = self._scan
        m.submodules.lower = self._lower
        m.submodules.router = self._router
        wiring.connect(m, wiring.flipped(self.i), self._boundaries.i)
        if self._plan.order:
            m.d.comb += self.unsorted.eq(self._boundaries.unsorted)
        self._lift(m, self._marked_tuples(m))
        self._scan_to_lower(m)
        self._lower_to_router(m)
        wiring.connect(m, self._router.o, wiring.flipped(self.o))
        return m

    def _marked_tuples(self, m):
        """Returns the stream of tuples with every mark that the operators need."""
        if self._ranks is None:
            return self._boundaries.o
        m.submodules.ranks = self._ranks
        wiring.connect(m, self._boundaries.o, self._ranks.i)
        return self._ranks.o

    def _function(self, beat_):
        """Returns the index of the aggregate that the beat's context selects; None if the design
        has no choice."""
        if "function" not in self._plan.context.members:
            return None
        return self._plan.context(beat_["context"])["function"]

    def _lift(self, m, marked):
        """Lifts the marked tuples of step (b) to states for step (c)."""
        scan = self._scan.i
        beat_ = split(m, marked.p, "marked_beat")
        tuples = split(m, beat_["tuples"], "marked", deep=True)
        function = self._function(beat_)
        states = build(m, scan.p.states, "lifted", deep=True)
        keys = build(m, scan.p.passenger.keys, "key")
        for lane, tuple_ in enumerate(tuples):
            ends = tuple_["last"] & beat_["valid"][lane]
            marked_tuple = Tuple(
                row=tuple_["row"],
                fresh=tuple_["fresh"],
                first=tuple_["first"],
                valid=ends,
                hits=tuple_.get("hits", ()),
            )
            m.d.comb += wire(states[lane], self._operator.lift(marked_tuple, function))
            m.d.comb += [
                keys[lane].eq(tuple_["row"][self._plan.key]),
                scan.p.passenger.ends[lane].eq(ends),
            ]
        m.d.comb += [
            scan.p.context.eq(0 if function is None else function),
            scan.p.last.eq(beat_["last"]),
            scan.valid.eq(marked.valid),
            marked.ready.eq(scan.ready),
        ]

    def _scan_to_lower(self, m):
        """Connects the states of step (c) to step (d), which lowers each state to a result."""
        source = self._scan.o
        target = self._lower.i
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
        """Connects the results to step (e): the last tuple of a group becomes the group's row, and
        moves to the row's lane."""
        source = self._lower.o
        target = self._router.i
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
