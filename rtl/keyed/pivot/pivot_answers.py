"""Selects percentiles from the neighbours of pivots, and gives a verdict on each pass."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.pivot_selection import PivotSelection
from rtl.stream.beat import build, split, wire
from rtl.stream.order import unranked
from rtl.stream.queue import StreamQueue

#: Greatest number of passes from ``announced`` to the end of the queue. At the full rate, with a
#: reduction of 64 lanes, 7 passes are in the reduction, 6 in the selections and 1 in the queue.
PASSES = 32


class PivotAnswers(wiring.Component):
    """Selects the percentiles of each pass, and decides whether the row of the pass is kept.

    A pass of the current ``turn``, a bit, is ``in_order``; ``keep`` is high if, besides, all
    percentiles are found. A pass of the current turn whose percentiles are not all found inverts
    the turn. So the passes between a failed pass and its repetition have the other turn: their
    verdicts are not ``in_order``, and their rows are dropped.

    ::

        lines --> reduction --> i, started --> selections --+--> queue --> o
          |                                                 +--> verdicts
          +-- announced

    Invariant: the queue has room for the result of every pass in the reduction and the selections.
    A pass is announced when its last line enters the reduction, and ``announced`` stalls without
    room. So the reduction and the selections never stall, and a verdict comes ``verdict_latency``
    cycles after the pass at ``i``. For instance if ``o`` stalls, 32 passes are announced; all get
    their verdicts, and all results wait in the queue.

    Order is kept. Latency that of :class:`~rtl.aggregate.pivot_selection.PivotSelection` and
    1 cycle, of the queue. Initiation interval 1 cycle. ``announced`` stalls while :data:`PASSES`
    passes, or one less, are in the reduction or inside.

    Parameters
    ----------
    plan : PivotPlan
    reduced : data.StructLayout
        State of a window, with ``context`` and ``passenger``.
    searched : dict of str to (Neighbours, int)
        For each member of the state with neighbours, the operator and the index of its percentile.

    Members
    -------
    announced : In(stream.Signature(0))
        A transfer for each pass, in an earlier cycle than that of the pass at ``i``.
    i : In(stream.Signature(reduced, always_ready=True))
    started : In(stream.Signature(plan.started))
        The searches of each pass, in order. A search is offered no later than its pass at ``i``.
    o : Out(stream.Signature(data.StructLayout({**reduced, "keep": 1})))
        Each member with neighbours has the percentile as its ``value``.
    verdicts : Out(stream.Signature(plan.verdict, always_ready=True))
        A verdict is sent in the cycle in which its pass leaves the selections.

    Source: ours.
    """

    verdict_latency = PivotSelection.latency
    latency = verdict_latency + StreamQueue.latency
    initiation_interval = 1

    def __init__(self, plan, reduced, searched):
        self._plan, self._searched = plan, searched
        members = {name: field.shape for name, field in reduced}
        states = {name: field.shape for name, field in members["state"]}
        others = {name: shape for name, shape in states.items() if name not in searched}
        began = {name: plan.started[name].shape for name in ("turn", "slot")}
        carried = began | {"states": data.StructLayout(others)}
        carried |= {name: members[name] for name in ("context", "passenger")}
        for name, (operator, _) in searched.items():
            states[name] = data.StructLayout({"value": operator.shape})
        result = data.StructLayout(members | {"state": data.StructLayout(states), "keep": 1})
        self._selections = {
            name: PivotSelection(
                operator, plan.fractions[k], 0 if n else data.StructLayout(carried)
            )
            for n, (name, (operator, k)) in enumerate(searched.items())
        }
        self._results = StreamQueue(result, PASSES)
        super().__init__(
            {
                "announced": In(stream.Signature(0)),
                "i": In(stream.Signature(reduced, always_ready=True)),
                "started": In(stream.Signature(plan.started)),
                "o": Out(stream.Signature(result)),
                "verdicts": Out(stream.Signature(plan.verdict, always_ready=True)),
            }
        )

    def elaborate(self, platform):
        m = Module()
        selections = list(self._selections.values())
        for name, selection in self._selections.items():
            m.submodules[f"selection_{name}"] = selection
        m.submodules.results = results = self._results
        wiring.connect(m, results.o, wiring.flipped(self.o))
        self._count(m)
        states = split(m, self.i.p.state, "state", deep=True)
        m.d.comb += self.started.ready.eq(self.i.valid)
        for name, selection in self._selections.items():
            k = self._searched[name][1]
            target = build(m, selection.i.p.state, f"neighbours_{name}", deep=True)
            m.d.comb += [
                selection.i.valid.eq(self.i.valid),
                *wire(target, states[name]),
                selection.i.p.search.eq(self.started.p.searches[k]),
            ]
        carried = selections[0].i.p.passenger
        others = {name: states[name] for name in carried.states.shape().members}
        m.d.comb += [
            carried.turn.eq(self.started.p.turn),
            carried.slot.eq(self.started.p.slot),
            *wire(carried.states, others),
            carried.context.eq(self.i.p.context),
            Value.cast(carried.passenger).eq(Value.cast(self.i.p.passenger)),
        ]
        self._judge(m, selections, results.i)
        return m

    def _count(self, m):
        """Counts the announced passes that have not left at ``o``; stalls ``announced`` at 32.

        ``has_room`` is a register, so that the path of ``ready`` begins here. Its value is computed
        a cycle earlier, in which one more pass may be announced; hence the limit of 31.
        """
        count, has_room = Signal(range(PASSES + 1)), Signal(init=1)
        announced = self.announced.valid & self.announced.ready
        leaves = self.o.valid & self.o.ready
        m.d.comb += self.announced.ready.eq(has_room)
        m.d.sync += [count.eq(count + announced - leaves), has_room.eq(count < PASSES - 1)]

    def _judge(self, m, selections, result):
        """Joins the percentiles, and gives a verdict on each pass."""
        carried, found = selections[0].o.p.passenger, Cat(s.o.p.found for s in selections).all()
        turn, verdict = Signal(), self.verdicts
        # All selections enter together, never stall, and have the same latency.
        valid = selections[0].o.valid
        percentiles = {
            name: {"value": unranked(selection.o.p.search.pivot, operator.shape, operator.floating)}
            for (name, selection), (operator, _) in zip(
                self._selections.items(), self._searched.values(), strict=True
            )
        }
        others = {name: carried.states[name] for name in carried.states.shape().members}
        state = build(m, result.p.state, "percentile_state", deep=True)
        m.d.comb += [
            result.valid.eq(valid),
            result.p.keep.eq(verdict.p.in_order & found),
            *wire(state, others | percentiles),
            result.p.context.eq(carried.context),
            Value.cast(result.p.passenger).eq(Value.cast(carried.passenger)),
            verdict.valid.eq(valid),
            verdict.p.found.eq(found),
            verdict.p.in_order.eq(carried.turn == turn),
            verdict.p.slot.eq(carried.slot),
            *(selection.o.ready.eq(1) for selection in selections),
        ]
        for selection, (_, k) in zip(selections, self._searched.values(), strict=True):
            m.d.comb += verdict.p.searches[k].eq(selection.o.p.search)
        with m.If(verdict.valid & verdict.p.in_order & ~found):
            m.d.sync += turn.eq(~turn)
