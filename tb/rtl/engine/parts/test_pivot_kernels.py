"""Checks kernels that find percentiles by pivots: their layouts, and the cycles of verdicts."""

from fractions import Fraction

import pytest
from amaranth.hdl import unsigned
from amaranth.lib import data

from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.operator import pivot_member
from rtl.engine.parts.columns import value_layout
from rtl.engine.parts.kernel_plan import KernelPlan
from rtl.engine.parts.kernels import Kernels
from rtl.engine.parts.operators import operator_of
from rtl.engine.parts.percentiles import Percentiles
from rtl.engine.parts.pivot_kernels import PivotKernels
from rtl.engine.parts.results import Results
from rtl.keyed.pivot.pivot_answers import PASSES
from rtl.keyed.pivot.pivot_plan import WINDOWS, PivotPlan
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.engine.parts.queries import query_of

PLAN = PivotPlan(
    width=8, fractions=(Fraction(1, 2), Fraction(9, 10)), neighbours=2, entries=16, lines=4
)
ROW = data.StructLayout({"x": unsigned(8)})


def kernels(operator):
    return PivotKernels(plan=PLAN, operators={3: operator})


def test_lanes_with_values_have_a_pivot_for_each_percentile():
    operator = Neighbours(
        "x", unsigned(8), tuples=16, neighbours=2, pivot=pivot_member(0), floating=False
    )
    row = kernels(operator).row(ROW)
    assert {name: member.shape for name, member in row} == {
        "x": unsigned(8),
        pivot_member(0): 8,
        pivot_member(1): 8,
    }
    line = kernels(operator).line(ROW)
    assert {name: member.shape for name, member in line} == {
        "x": unsigned(8),
        "pivots": data.ArrayLayout(8, 2),
    }


def test_lanes_with_states_have_none():
    other = kernels(object())
    assert not other.in_lanes
    assert (other.row(ROW), other.line(ROW)) == (ROW, ROW)


SUMMED = PivotPlan(width=32, fractions=(Fraction(1, 2),), neighbours=1, entries=2, lines=16)


def float_kernels(items):
    """Returns the plan of kernels for items over a column of floats; the last is a median."""
    query = query_of("float", items)
    percentiles = Percentiles(query=query, run_time=False, select=False)
    operators = [
        operator_of(i.aggregate, 64, percentiles.target_index_of(i.aggregate)) for i in query.items
    ]
    neighbours = Neighbours(
        "x", unsigned(32), tuples=64, neighbours=1, pivot=pivot_member(0), floating=True
    )
    return KernelPlan(
        row=value_layout(query),
        results=Results(items=query.items, operators=tuple(operators), select=False),
        window_max=64,
        targets=percentiles.targets,
        lanes=4,
        lines=16,
        passenger=8,
        pivots=PivotKernels(plan=SUMMED, operators={len(operators) - 1: neighbours}),
    )


def pass_of(values, pivot, slot, turn=0):
    """Returns the line of a window of up to 4 floats, and the begin of its pass.

    ``values`` and ``pivot`` are the bits of positive floats; with 0 the pivot is the least key.
    """
    rank = pivot ^ 0x80000000 if pivot else 0
    line = {"tuples": [{"x": bits} for bits in values], "valid": (1 << len(values)) - 1, "last": 1}
    search = {"pivot": rank, "low": 0, "high": (1 << 32) - 1, "tries": 0}
    begin = {"turn": turn, "slot": slot % WINDOWS, "searches": [search]}
    return line | {"passenger": slot, "pivots": [rank]}, begin


@pytest.mark.in_turn(5)
def test_a_verdict_does_not_wait_for_sums_of_floats():
    """The first pass of window 1 fails and the second finds its median; the others need one pass.

    Window 1 has the values 1.0 2.0 3.0 4.0; windows 2 to 4 have 6.0, 8.0 and 10.0 in place of 4.0.
    So the medians are 2.0, and the averages 2.5, 3.0, 3.5 and 4.0. The pass with the pivot 0 has
    the smallest value next to the pivot only. The second pass of window 1 has the other ``turn``.
    So the verdicts on the first passes of windows 2, which fails, and 3, which finds its median,
    are not in order, and these passes have no rows. Their sums are dropped, too: if they stayed,
    window 4 would get the sum of window 1.
    """
    plan = float_kernels("avg(x), median(x)")
    median = 0x40000000
    numbers = [0x3F800000, median, 0x40400000]
    last = {1: 0x40800000, 2: 0x40C00000, 3: 0x41000000, 4: 0x41200000}
    # Turn, pivot and window of each pass.
    first_passes = [(0, 0, 1), (0, 0, 2), (0, median, 3)]
    searches = [*first_passes, *((1, median, window) for window in last)]
    passes = [pass_of([*numbers, last[w]], pivot, w, turn) for turn, pivot, w in searches]
    lines, started = zip(*passes, strict=True)
    lines = [line | {"number": 0} for line in lines]
    dut = Kernels(plan)
    run = run_streams(dut, {"i": lines, "started": started}, {"o": 4, "verdicts": 7})
    verdicts, entered = run["verdicts"].payloads, run["i"].cycles
    assert [verdict["found"] for verdict in verdicts] == [0, 0, 1, 1, 1, 1, 1]
    assert [verdict["in_order"] for verdict in verdicts] == [1, 0, 0, 1, 1, 1, 1]
    assert [verdict["slot"] for verdict in verdicts] == [1, 2, 3, 1, 2, 3, 4]
    verdict_latency = plan.pivots.verdict_latency_of(plan.lanes)
    assert run["verdicts"].cycles == [cycle + verdict_latency for cycle in entered]
    assert [row["passenger"] for row in run["o"].payloads] == [1, 2, 3, 4]
    assert [row["results"]["r1"] for row in run["o"].payloads] == [median] * 4
    averages = [row["results"]["r0"] for row in run["o"].payloads]
    assert averages == [0x40200000, 0x40400000, 0x40600000, 0x40800000]
    assert plan.latency_of(4) > verdict_latency + 10
    assert run["o"].cycles == [cycle + plan.latency_of(4) for cycle in entered[3:]]


def test_all_passes_inside_have_their_verdicts_while_the_output_stalls():
    """32 windows enter in 32 cycles, and the next one enters when rows leave, from cycle 100 on."""
    plan = float_kernels("median(x)")
    values = [0x3F800000 + k for k in range(40)]
    passes = [pass_of([value], value, k) for k, value in enumerate(values)]
    lines, started = zip(*passes, strict=True)
    dut, runs = Kernels(plan), {}

    async def send(ctx):
        runs["i"] = await put(ctx, dut.i, lines)

    async def begin(ctx):
        runs["started"] = await put(ctx, dut.started, started)

    async def judge(ctx):
        runs["verdicts"] = await collect(ctx, dut.verdicts, len(lines))

    async def receive(ctx):
        await ctx.tick().repeat(100)
        runs["o"] = await collect(ctx, dut.o, len(lines))

    simulate(dut, send, begin, judge, receive)
    entered = runs["i"].cycles
    assert entered[:PASSES] == list(range(PASSES))
    assert entered[PASSES] > 100
    verdict_latency = plan.pivots.verdict_latency_of(plan.lanes)
    assert runs["verdicts"].cycles == [cycle + verdict_latency for cycle in entered]
    assert [row["results"]["r0"] for row in runs["o"].payloads] == values
