"""The core of the group-by engine."""

from amaranth.hdl import Module
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.aggregate.operator import Product, Segmented, Tuple
from rtl.network.boundaries import GroupBoundaries
from rtl.network.compactor import RoundRobin, RoundRobinCompactor, Router
from rtl.network.rolling import RollingScan
from rtl.stream.beat import beat, build, split, wire
from rtl.stream.selection import Selection


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

    def __init__(self, parameters):
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
