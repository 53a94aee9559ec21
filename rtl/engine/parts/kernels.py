"""The kernels: compute the results of windows that arrive line by line."""

from amaranth.hdl import Cat, Module, Mux, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.lower import Lower
from rtl.keyed.pivot.pivot_answers import PivotAnswers
from rtl.network.reduction import Reduction
from rtl.sort.ranked import Ranked
from rtl.stream.beat import build, split, wire
from rtl.stream.queue import StreamQueue


def output_layout(plan):
    """Returns the layout of the output for each window: ``results`` (r0, r1, ...) and the
    ``passenger``."""
    return data.StructLayout({"results": plan.results.operator.result, "passenger": plan.passenger})


class Kernels(wiring.Component):
    """Computes the results of each window of lines: all results of its SELECT list, in their order.

    ::

             +--> reduction --> queue --+
             |    whole numbers         |
        i ---+--> sums -------> queue --+--> states --> lower --> o
             |    of floats             |    joined     sum / count
             +--> ranked ---------------+
                  percentiles

    With ``pivots`` in the plan there is no sorter: the reduction has the neighbours of the pivots,
    and :class:`~rtl.keyed.pivot.pivot_answers.PivotAnswers` behind it selects the percentiles. The
    answers never stall the reduction, so a verdict waits neither for rows nor for sums of floats.
    The queue of the reduction is behind the answers. The states of passes of an earlier ``turn``
    are dropped, because a pass before them has failed, and their windows are sent again; their sums
    are dropped with them.

    A part is built if an item needs it; sums of floats have one part for each column. A part has a
    queue if another part is slower. All parts accept every line in the same cycle, and produce one
    state for each window, in the order of the windows. The state of a percentile is its value, and
    the state of a sum of floats is the sum, so a single :class:`~rtl.aggregate.lower.Lower`
    computes the results of all items.

    The component cannot deadlock: no window waits for a later window, and each queue has room for
    as many windows as the slowest part can contain. When a queue is full, all lines of its windows
    have entered every part. Each part delivers these windows without further input, and then the
    oldest window of all parts is joined.

    Windows leave in the order of their lines. ``i`` stalls while ``o`` stalls and every stage is
    full, while the sorter stalls, and with pivots while 31 or 32 passes are in the reduction and
    the answers. Each window has the context and the passenger of its lines; the lines of the next
    window, with other values, may follow without a gap.

    Latency and the cycles from window to window: :meth:`KernelPlan.latency_of
    <rtl.engine.parts.kernel_plan.KernelPlan.latency_of>`, ``interval_of``. For example, with 8
    lanes, and without percentiles, averages and sums of floats, the results of a window of 64
    values leave 7 + 4 cycles after its first line: 7 for the later lines, 3 for the levels of the
    reduction and 1 for its accumulator. A window of 8 values or fewer can enter and leave in every
    cycle.
    Initiation interval 1 cycle.

    Parameters
    ----------
    plan : KernelPlan
    used : int or None
        Number of lanes that may hold a value, the lowest ones; None for all.

    Members
    -------
    i : In(stream.Signature(plan.line))
    o : Out(stream.Signature(output_layout(plan)))
    started : In(stream.Signature(plan.pivots.plan.started)), or none
    verdicts : Out(stream.Signature(plan.pivots.plan.verdict, always_ready=True)), or none
    window_kept : Out(1), or none
        With pivots: the last pass of a window has its verdict in this cycle.

    Source: seed 000, sections 3.4.5 and 4.1.
    """

    initiation_interval = 1

    def __init__(self, plan, used=None):
        self._plan = plan
        self._passenger_layout = data.StructLayout(
            {"function": plan.results.operator.context, "passenger": plan.passenger}
        )
        self._reduction = self._ranked = self._answers = None
        self._float_sums = {}
        if plan.reduced_operator is not None:
            self._reduction = Reduction(
                plan.reduced_operator,
                plan.row if plan.pivots is None else plan.pivots.row(plan.row),
                plan.lanes,
                tuples=plan.window_max,
                passenger=plan.passenger,
                used=used,
            )
        if plan.pivots is not None:
            reduced = self._reduction.o.p.shape()
            neighbours = plan.pivots.neighbours(plan.percentiles)
            self._answers = PivotAnswers(plan.pivots.plan, reduced, neighbours)
        if plan.ranked:
            column, floating = plan.column
            self._ranked = Ranked(
                plan.row[column].shape,
                **plan.sorter_sizes,
                targets=plan.targets,
                passes=plan.passes,
                floating=floating,
                context=plan.context,
                passenger=self._passenger_layout if self._reduction is None else 0,
            )
        formats = {operator.column: operator.format for operator in plan.float_sums.values()}
        for column, format_ in formats.items():
            passenger = 0 if self._parts else self._passenger_layout
            self._float_sums[column] = plan.summing.part(format_, passenger)
        self._lower = Lower(
            plan.results.operator, 1, tuples=plan.window_max, passenger=plan.passenger
        )
        members = {
            "i": In(stream.Signature(plan.line)),
            "o": Out(stream.Signature(output_layout(plan))),
        }
        if self._answers is not None:
            judged = self._answers.signature.members
            members |= {name: judged[name] for name in ("started", "verdicts")} | {
                "window_kept": Out(1)
            }
        super().__init__(members)

    @property
    def latency(self):
        """Latency of a window of one line, in cycles."""
        return self._plan.latency_of(1)

    def elaborate(self, platform):
        m = Module()
        m.submodules.lower = lower = self._lower
        self._broadcast(m)
        self._join(m, self._reduce(m), self._rank(m), self._sum(m))
        m.d.comb += [
            self.o.valid.eq(lower.o.valid),
            lower.o.ready.eq(self.o.ready),
            *wire(self.o.p.results, lower.o.p.lanes[0]),
            self.o.p.passenger.eq(lower.o.p.passenger),
        ]
        return m

    def _function(self):
        """Returns the number of the selected function of the current line; 0 without a choice."""
        if not self._plan.results.operator.context:
            return 0
        return self._plan.context(self.i.p.context)["function"]

    def _passenger(self):
        """Returns the passenger of the current line; 0 without a passenger."""
        return self.i.p.passenger if "passenger" in self._plan.line.members else 0

    @property
    def _parts(self):
        """The parts of this configuration, by the names of their submodules."""
        parts = {"reduction": self._reduction, "ranked": self._ranked}
        parts |= {f"sum_{column}": part for column, part in self._float_sums.items()}
        return {name: part for name, part in parts.items() if part is not None}

    def _broadcast(self, m):
        """Sends every line to all parts in the same cycle, and announces passes with pivots."""
        ready = {name: part.i.ready for name, part in self._parts.items()}
        if (answers := self._answers) is not None:
            all_ready = Cat(ready.values()).all()
            m.d.comb += answers.announced.valid.eq(self.i.valid & self.i.p.last & all_ready)
            ready["answers"] = answers.announced.ready
        for name, part in self._parts.items():
            m.submodules[name] = part
            others_ready = Cat(other for key, other in ready.items() if key != name).all()
            m.d.comb += part.i.valid.eq(self.i.valid & others_ready)
        m.d.comb += self.i.ready.eq(Cat(ready.values()).all())

    def _queued(self, m, name, source, has_slower):
        """Returns the output stream of a part, through a queue if another part is slower."""
        if not has_slower:
            return source
        windows = self._plan.queued_windows
        m.submodules[f"queue_of_{name}"] = queue = StreamQueue(source.p.shape(), windows)
        wiring.connect(m, source, queue.i)
        return queue.o

    def _reduce(self, m):
        """Sends the lines to the reduction; returns the stream of its states, or None."""
        if (reduction := self._reduction) is None:
            return None
        target = reduction.i.p
        m.d.comb += [target[name].eq(self.i.p[name]) for name in ("valid", "last")]
        if (pivots := self._plan.pivots) is not None and pivots.in_lanes:
            self._add_pivots(m, target.tuples)
        else:
            m.d.comb += target.tuples.eq(self.i.p.tuples)
        if "context" in target.shape().members:
            m.d.comb += target.context.eq(self._function())
        if "passenger" in target.shape().members:
            m.d.comb += target.passenger.eq(self._passenger())
        reduced = reduction.o if self._answers is None else self._judge(m, reduction.o)
        return self._queued(m, "reduction", reduced, len(self._parts) > 1)

    def _add_pivots(self, m, targets):
        """Gives each row of a line the pivots of the line."""
        targets = build(m, targets, "pivot_row")
        for target, row in zip(targets, split(m, self.i.p.tuples, "plain_row"), strict=True):
            m.d.comb += Value.cast(target).eq(Cat(Value.cast(row), self.i.p.pivots))

    def _judge(self, m, reduced):
        """Sends the states of passes to the answers; returns the stream of judged states.

        The answers have room for each state, because its pass was announced.
        """
        m.submodules.answers = answers = self._answers
        verdict = answers.verdicts.p
        m.d.comb += self.window_kept.eq(answers.verdicts.valid & verdict.in_order & verdict.found)
        wiring.connect(m, wiring.flipped(self.started), answers.started)
        wiring.connect(m, answers.verdicts, wiring.flipped(self.verdicts))
        m.d.comb += [
            answers.i.valid.eq(reduced.valid),
            reduced.ready.eq(1),
            answers.i.p.eq(reduced.p),
        ]
        return answers.o

    def _rank(self, m):
        """Sends the column of the percentiles to the sorter; returns the stream of their values."""
        if (ranked := self._ranked) is None:
            return None
        m.d.comb += ranked.i.p.bound.eq(self.i.p.bound)
        if "context" in ranked.i.p.shape().members:
            m.d.comb += ranked.i.p.context.eq(self.i.p.context)
        self._column(m, ranked.i.p, self._plan.column[0])
        return ranked.o

    def _sum(self, m):
        """Sends the columns of floats to their sums; returns the streams of the sums, by column."""
        for column, part in self._float_sums.items():
            if "number" in part.i.p.shape().members:
                m.d.comb += part.i.p.number.eq(self.i.p.number)
            self._plan.summing.feed(m, part.i.p, self.i.p, column)
            self._carry(m, part.i.p)
        has_slower = self._ranked is not None
        return {
            column: self._queued(m, f"sum_{column}", part.o, has_slower)
            for column, part in self._float_sums.items()
        }

    def _column(self, m, target, column):
        """Drives the input of the sorter with a column of the lines, and with their passengers."""
        tuples = split(m, self.i.p.tuples, f"{column}_tuples")
        m.d.comb += target.valid.eq(self.i.p.valid)
        m.d.comb += target.tuples.as_value().eq(Cat(tuple_[column] for tuple_ in tuples))
        self._carry(m, target)

    def _carry(self, m, target):
        """Drives the end of windows, and their passengers, at the input of a part."""
        m.d.comb += target.last.eq(self.i.p.last)
        if "passenger" in target.shape().members:
            passenger = {"function": self._function(), "passenger": self._passenger()}
            m.d.comb += [target.passenger[name].eq(value) for name, value in passenger.items()]

    def _join(self, m, reduced, ranked, sums):
        """Joins the outputs of all parts to the state of a window."""
        sources = [s for s in (reduced, ranked, *sums.values()) if s is not None]
        valid = Cat(source.valid for source in sources).all()
        target = self._lower.i
        if self._answers is None:
            m.d.comb += target.valid.eq(valid)
            m.d.comb += [source.ready.eq(target.ready & valid) for source in sources]
        else:
            keep = reduced.p.keep
            m.d.comb += target.valid.eq(valid & keep)
            m.d.comb += [source.ready.eq((target.ready | ~keep) & valid) for source in sources]
        if reduced is None:
            passengers = split(m, sources[0].p.passenger, "passengers")
            function = passengers["function"]
            passenger = passengers["passenger"]
            states = {}
        else:
            function = reduced.p.context
            passenger = reduced.p.passenger
            states = split(m, reduced.p.state, "reduced", deep=True)
        values = [] if ranked is None else split(m, ranked.p.values, "value")
        added = {
            f"r{k}": operator.joined(sums[operator.column].p.sum, states.get(f"r{k}"))
            for k, operator in self._plan.float_sums.items()
        }
        state = build(m, target.p.lanes, "state", deep=True)[0]
        m.d.comb += [target.p.context.eq(function), target.p.passenger.eq(passenger)]
        m.d.comb += wire(state, self._states(states, values, function) | added)

    def _states(self, reduced, values, function):
        """Returns the state of every item; the state of a percentile is its value."""
        if not self._plan.ranked:
            return reduced
        percentiles = self._plan.percentiles.items()
        if not self._plan.results.select:
            ranked = {f"r{k}": {"value": values[operator.hit]} for k, operator in percentiles}
            return reduced | ranked
        state = dict(reduced.get("r0", {"value": 0}))
        for k, operator in percentiles:
            value = values[operator.hit]
            state["value"] = Mux(function == k, value, state["value"])
        return {"r0": state}
