"""The kernels: results out of windows that come line by line."""

from amaranth.hdl import Cat, Module, Mux
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.network.reduction import Reduction
from rtl.network.tree_sum import TreeSum
from rtl.sort.ranked import Ranked
from rtl.stream.beat import build, split, wire
from rtl.stream.queue import StreamQueue


class Kernels(wiring.Component):
    """Gives the results of each window of lines: all items of a query, in their order.

    ::

             +--> reduction --> queue --+
             |    whole numbers         |
        i ---+--> sums -------> queue --+--> states --> lower --> o
             |    of floats             |    joined     sum / count
             +--> ranked ---------------+
                  percentiles

    Each part is there when something of its kind is asked for, of sums of floats one for each
    column, and a queue where a slower part is beside. All take every line together, and give one
    state for each window, in the order of the windows. The state of a percentile is its value, and
    that of a sum of floats the sum, so one :class:`~rtl.aggregate.lower.Lower` makes the results of
    them all.

    Cannot deadlock: no window waits for a later one, and the queues have room for as many windows
    as can be in the slowest part. When one is full, all windows in it have been taken whole, and
    those leave the other parts whatever comes behind them; the oldest of all sides is then joined.

    Order is kept. ``i`` stalls while ``o`` does, once nothing can move any more, and as the sorter
    has it. Each window has the context and the passenger of its lines, which the next window's may
    follow at once.

    Latency and the cycles from window to window: :meth:`KernelPlan.latency_of
    <rtl.engine.parts.kernel_plan.KernelPlan.latency_of>`, ``interval_of``. For example, with 8
    lanes and without percentiles a window of 64 values has its results 7 + 4 cycles after its first
    line, and windows of 8 values or fewer come and go in every cycle. Initiation interval 1 cycle.

    Parameters
    ----------
    plan : KernelPlan

    Members
    -------
    i : In(stream.Signature(plan.line))
    o : Out(stream.Signature(plan.given))

    Source: seed 000, sections 3.4.5 and 4.1.
    """

    initiation_interval = 1

    def __init__(self, plan):
        self._plan = plan
        self._beside = data.StructLayout(
            {"function": plan.operator.context, "passenger": plan.passenger}
        )
        super().__init__(
            {"i": In(stream.Signature(plan.line)), "o": Out(stream.Signature(plan.given))}
        )
        self._reduction = self._ranked = None
        self._sums = {}
        if plan.reduced is not None:
            self._reduction = Reduction(
                plan.reduced,
                plan.row,
                plan.lanes,
                tuples=plan.window_max,
                passenger=plan.passenger,
            )
        if plan.percentiles:
            column, floating = plan.column
            self._ranked = Ranked(
                plan.row[column].shape,
                **plan.sizes,
                targets=plan.targets,
                passes=plan.passes,
                floating=floating,
                context=plan.context,
                passenger=self._beside if self._reduction is None else 0,
            )
        formats = {operator.column: operator.format for operator in plan.sums.values()}
        for column, format_ in formats.items():
            beside = 0 if self._parts else self._beside
            self._sums[column] = TreeSum(format_, plan.lanes, plan.lines, passenger=beside)
        self._lower = Lower(plan.operator, 1, tuples=plan.window_max, passenger=plan.passenger)

    @property
    def latency(self):
        """That of a window of one line."""
        return self._plan.latency_of(1)

    def elaborate(self, platform):
        m = Module()
        m.submodules.lower = lower = self._lower
        self._share(m)
        self._join(m, self._reduce(m), self._rank(m), self._sum(m))
        m.d.comb += [
            self.o.valid.eq(lower.o.valid),
            lower.o.ready.eq(self.o.ready),
            *wire(self.o.p.results, lower.o.p.lanes[0]),
            self.o.p.passenger.eq(lower.o.p.passenger),
        ]
        return m

    def _function(self):
        """What steers the operators, of the line that is given."""
        if not self._plan.operator.context:
            return 0
        return self._plan.context(self.i.p.context)["function"]

    def _passenger(self):
        """That of the line that is given."""
        return self.i.p.passenger if "passenger" in self._plan.line.members else 0

    @property
    def _parts(self):
        """By the names of the submodules."""
        parts = {"reduction": self._reduction, "ranked": self._ranked}
        parts |= {f"sum_{column}": part for column, part in self._sums.items()}
        return {name: part for name, part in parts.items() if part is not None}

    def _share(self, m):
        """Every line to all parts at once."""
        ready = {name: part.i.ready for name, part in self._parts.items()}
        for name, part in self._parts.items():
            m.submodules[name] = part
            others = Cat(other for key, other in ready.items() if key != name).all()
            m.d.comb += part.i.valid.eq(self.i.valid & others)
        m.d.comb += self.i.ready.eq(Cat(ready.values()).all())

    def _behind(self, m, name, part, faster):
        """What a part gives, in a queue if it is faster than another one."""
        if not faster:
            return part.o
        queue = m.submodules[f"{name}_queue"] = StreamQueue(part.o.p.shape(), self._plan.windows)
        wiring.connect(m, part.o, queue.i)
        return queue.o

    def _reduce(self, m):
        """Every line to the reduction; returns its states, None without."""
        if (reduction := self._reduction) is None:
            return None
        target = reduction.i.p
        m.d.comb += [target[name].eq(self.i.p[name]) for name in ("tuples", "valid", "last")]
        if "context" in target.shape().members:
            m.d.comb += target.context.eq(self._function())
        if "passenger" in target.shape().members:
            m.d.comb += target.passenger.eq(self._passenger())
        return self._behind(m, "reduction", reduction, len(self._parts) > 1)

    def _rank(self, m):
        """The percentiles' column of every line to the sorter; returns their values."""
        if (ranked := self._ranked) is None:
            return None
        m.d.comb += ranked.i.p.bound.eq(self.i.p.bound)
        if "context" in ranked.i.p.shape().members:
            m.d.comb += ranked.i.p.context.eq(self.i.p.context)
        self._column(m, ranked.i.p, self._plan.column[0])
        return ranked.o

    def _sum(self, m):
        """The columns of floats of every line to their sums; returns these, by column."""
        for column, part in self._sums.items():
            if "number" in part.i.p.shape().members:
                m.d.comb += part.i.p.number.eq(self.i.p.number)
            self._column(m, part.i.p, column)
        slower = self._ranked is not None
        return {
            column: self._behind(m, f"sum_{column}", part, slower)
            for column, part in self._sums.items()
        }

    def _column(self, m, target, column):
        """A column of every line, and what is beside it."""
        tuples = split(m, self.i.p.tuples, f"{column}_of")
        m.d.comb += [target[name].eq(self.i.p[name]) for name in ("valid", "last")]
        m.d.comb += target.tuples.as_value().eq(Cat(tuple_[column] for tuple_ in tuples))
        if "passenger" in target.shape().members:
            beside = {"function": self._function(), "passenger": self._passenger()}
            m.d.comb += [target.passenger[name].eq(value) for name, value in beside.items()]

    def _join(self, m, reduced, ranked, sums):
        """The states of a window, once all of them are there."""
        sources = [s for s in (reduced, ranked, *sums.values()) if s is not None]
        valid, target = Cat(source.valid for source in sources).all(), self._lower.i
        m.d.comb += target.valid.eq(valid)
        m.d.comb += [source.ready.eq(target.ready & valid) for source in sources]
        if reduced is None:
            beside = split(m, sources[0].p.passenger, "carried")
            function, passenger, states = beside["function"], beside["passenger"], {}
        else:
            function, passenger = reduced.p.context, reduced.p.passenger
            states = split(m, reduced.p.state, "reduced", deep=True)
        values = [] if ranked is None else split(m, ranked.p.values, "value")
        added = {
            f"r{k}": operator.joined(sums[operator.column].p.sum, states.get(f"r{k}"))
            for k, operator in self._plan.sums.items()
        }
        state = build(m, target.p.lanes, "state", deep=True)[0]
        m.d.comb += [target.p.context.eq(function), target.p.passenger.eq(passenger)]
        m.d.comb += wire(state, self._states(states, values, function) | added)

    def _states(self, reduced, values, function):
        """The state of every item: reduced, or that of a percentile, which is its value."""
        percentiles = self._plan.percentiles.items()
        if not self._plan.results.select:
            found = {f"r{k}": {"value": values[operator.hit]} for k, operator in percentiles}
            return reduced | found
        state = dict(reduced.get("r0", {"value": 0}))
        for k, operator in percentiles:
            value = values[operator.hit]
            state["value"] = Mux(function == k, value, state["value"])
        return {"r0": state}
