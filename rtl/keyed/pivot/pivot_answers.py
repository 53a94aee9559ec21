"""Selects percentiles from the neighbours of pivots, and gives a verdict on each pass."""

from amaranth.hdl import Cat, Module, Signal, Value
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from rtl.aggregate.pivot_selection import PivotSelection
from rtl.stream.beat import build, split, wire
from rtl.stream.order import unranked
from rtl.stream.queue import StreamQueue

#: Greatest number of announced passes whose results have not left at ``o``. The full rate with 64
#: lanes needs 16: a pass takes 7 cycles in the reduction, 6 in the selections and 1 in the queue,
#: and its place is free 2 cycles later.
PASSES = 32


class PivotAnswers(wiring.Component):
    """Selects the percentiles of each pass, and decides whether the row of the pass is kept.

    Each pass carries a bit, its ``turn``. A pass is ``in_order`` if its turn is the current one.
    ``keep`` is high if the pass is in order and all its percentiles are found. A pass in order that
    does not find all percentiles inverts the current turn. So the passes between this pass and its
    repetition still have the old turn: they are not ``in_order``, and their rows are dropped.

    ::

        lines --> reduction --> i, started --> selections --+--> queue --> o
          |                                                 +--> verdicts
          +-- announced

    Invariant: the queue has room for the result of every pass in the reduction and the selections.
    A pass is announced when its last line enters the reduction, and ``announced`` stalls without
    room. So the reduction and the selections never stall, and a verdict comes ``verdict_latency``
    cycles after the pass at ``i``. For instance if ``o`` stalls and a pass comes in every cycle,
    32 passes are announced; all get their verdicts, and all results wait in the queue.

    Order is kept. Latency that of :class:`~rtl.aggregate.pivot_selection.PivotSelection` and
    1 cycle, of the queue. Initiation interval 1 cycle. ``announced`` stalls while :data:`PASSES`
    passes, or one less for more than a cycle, are in the reduction, the selections and the queue.

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
        Turn, slot and searches of each pass, in order. The sender must offer them no later than
        the cycle in which the pass is at ``i``; the pass does not wait for them.
    o : Out(stream.Signature(data.StructLayout({**reduced, "keep": 1})))
        With ``keep`` each member with neighbours has the percentile as its ``value``.
    verdicts : Out(stream.Signature(plan.verdict, always_ready=True))
        A verdict is sent in the cycle in which its pass leaves the selections.

    Source: ours.
    """

    verdict_latency = PivotSelection.latency
    latency = verdict_latency + StreamQueue.latency
    initiation_interval = 1

    def __init__(self, plan, reduced, searched):
        self._plan = plan
        self._searched = searched
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
        """Counts the announced passes that have not left at ``o``, and stalls ``announced``.

        ``has_room`` is a register, so that no path leads to ``ready``. It shows the count of the
        cycle before, and one more pass may be announced in that cycle. So ``ready`` falls in the
        cycle after the count has reached 31, and by then the count may be 32.
        """
        count = Signal(range(PASSES + 1))
        has_room = Signal(init=1)
        announced = self.announced.valid & self.announced.ready
        leaves = self.o.valid & self.o.ready
        m.d.comb += self.announced.ready.eq(has_room)
        m.d.sync += [count.eq(count + announced - leaves), has_room.eq(count < PASSES - 1)]

    def _judge(self, m, selections, result):
        """Joins the percentiles, and gives a verdict on each pass."""
        carried = selections[0].o.p.passenger
        found = Cat(s.o.p.found for s in selections).all()
        turn = Signal()
        verdict = self.verdicts
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
