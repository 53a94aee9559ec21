"""The kernels: results out of windows that come line by line."""

from amaranth.hdl import Cat, Module, Mux
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.network.reduction import Reduction
from rtl.sort.ranked import Ranked
from rtl.stream.beat import build, split, wire
from rtl.stream.queue import StreamQueue


class Kernels(wiring.Component):
    """Gives the results of each window of lines: all items of a query, in their order.

    ::

             +--> reduction --> queue --+
        i ---+    all but percentiles   +--> states --> lower --> o
             +--> ranked ---------------+    joined     sum / count
                  percentiles

    The reduction is there when anything but percentiles is asked for, ``ranked`` when percentiles
    are; with only one of them there is no queue. Both take every line together, and give one state
    for each window, in the order of the windows. A percentile's state is its value, so one
    :class:`~rtl.aggregate.lower.Lower` makes the results of them all.

    Cannot deadlock: the queue has room for as many windows as can be in ``ranked``, and no window
    waits for a later one. When it is full, all windows in it have been taken whole, and those leave
    ``ranked`` whatever comes behind them; the oldest of both sides is then joined.

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
        self._reduction = self._queue = self._ranked = None
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
        if self._reduction is not None and self._ranked is not None:
            depth = Ranked.windows_of(**plan.sizes)
            self._queue = StreamQueue(self._reduction.o.p.shape(), depth)
        self._lower = Lower(plan.operator, 1, tuples=plan.window_max, passenger=plan.passenger)

    @property
    def latency(self):
        """That of a window of one line."""
        return self._plan.latency_of(1)

    def elaborate(self, platform):
        m = Module()
        m.submodules.lower = lower = self._lower
        reduced, ranked = self._reduce(m), self._rank(m)
        self._join(m, reduced, ranked)
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

    def _reduce(self, m):
        """Every line to the reduction; returns its states, None without."""
        if self._reduction is None:
            return None
        m.submodules.reduction = reduction = self._reduction
        others = 1 if self._ranked is None else self._ranked.i.ready
        target = reduction.i.p
        m.d.comb += [target[name].eq(self.i.p[name]) for name in ("tuples", "valid", "last")]
        if "context" in target.shape().members:
            m.d.comb += target.context.eq(self._function())
        if "passenger" in target.shape().members:
            m.d.comb += target.passenger.eq(self._passenger())
        m.d.comb += reduction.i.valid.eq(self.i.valid & others)
        if self._queue is None:
            m.d.comb += self.i.ready.eq(reduction.i.ready)
            return reduction.o
        m.submodules.queue = self._queue
        wiring.connect(m, reduction.o, self._queue.i)
        return self._queue.o

    def _rank(self, m):
        """The percentiles' column of every line to the sorter; returns their values."""
        if self._ranked is None:
            return None
        m.submodules.ranked = ranked = self._ranked
        others = 1 if self._reduction is None else self._reduction.i.ready
        target, (column, _) = ranked.i.p, self._plan.column
        tuples = split(m, self.i.p.tuples, "tuple")
        m.d.comb += [target[name].eq(self.i.p[name]) for name in ("valid", "last", "bound")]
        m.d.comb += target.tuples.as_value().eq(Cat(tuple_[column] for tuple_ in tuples))
        if "context" in target.shape().members:
            m.d.comb += target.context.eq(self.i.p.context)
        if "passenger" in target.shape().members:
            beside = {"function": self._function(), "passenger": self._passenger()}
            m.d.comb += [target.passenger[name].eq(value) for name, value in beside.items()]
        m.d.comb += [
            ranked.i.valid.eq(self.i.valid & others),
            self.i.ready.eq(ranked.i.ready & others),
        ]
        return ranked.o

    def _join(self, m, reduced, ranked):
        """The states of a window, once all of them are there."""
        sources = [source for source in (reduced, ranked) if source is not None]
        valid, target = Cat(source.valid for source in sources).all(), self._lower.i
        m.d.comb += target.valid.eq(valid)
        m.d.comb += [source.ready.eq(target.ready & valid) for source in sources]
        if reduced is None:
            beside = split(m, ranked.p.passenger, "ranked")
            function, passenger, states = beside["function"], beside["passenger"], {}
        else:
            function, passenger = reduced.p.context, reduced.p.passenger
            states = split(m, reduced.p.state, "reduced", deep=True)
        values = [] if ranked is None else split(m, ranked.p.values, "value")
        state = build(m, target.p.lanes, "state", deep=True)[0]
        m.d.comb += [target.p.context.eq(function), target.p.passenger.eq(passenger)]
        m.d.comb += wire(state, self._states(states, values, function))

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
