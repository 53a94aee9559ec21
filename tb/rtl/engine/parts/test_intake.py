"""The intake: tuples that WHERE rejects or that have a NaN, and streams with refused settings."""

import math
import random
from functools import reduce

import pytest
from amaranth.hdl import Value
from amaranth.lib import data

from query.predicate import Comparison, Op
from query.schema import Column
from query.types import UInt
from rtl.contract.settings import HostSetting, HostSettings
from rtl.engine.parts.columns import tuple_layout
from rtl.engine.parts.intake import Intake, IntakePlan
from tb.bench.payload import encode
from tb.bench.unit import collect, put, run_stream, run_streams, simulate
from tb.rtl.beats import beat, dense, slots, sparse, streams, tuples
from tb.rtl.stream.nested_where import A, B, F, nested, passes, query, random_row

X = Column("x", UInt(4))
FUNCTIONS = tuple("pqrs")
SIZE = HostSetting(name="size", doc="refused above 20", width=5, maximum=20)
LIMIT = HostSetting.full_range(name="where0", doc="x is below it", bits=4)
NONE = HostSettings()


def plan_of(query, lanes, settings=NONE, **options):
    return IntakePlan(
        query=query, row=tuple_layout(query.columns), lanes=lanes, settings=settings, **options
    )


def is_nan(row):
    return math.isnan(F.type.value(row["f"]))


def is_selected(row):
    return not is_nan(row) and passes(row)


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.5)])
def test_gaps_stay_where_tuples_were_left_out(stall_in, stall_out):
    rng, lanes = random.Random(11), 3
    beats = sparse(rng, 120, lanes, lambda: random_row(rng), 0.8)
    dut = Intake(plan_of(query(nested(), A, B, F), lanes, dense=False))
    actual = run_stream(
        dut, beats, expected=120, stall_in=stall_in, stall_out=stall_out, seed=12
    ).payloads
    assert streams(actual) == [
        ([t if t and is_selected(t) else None for t in slots(b)], b["last"]) for b in beats
    ]


@pytest.mark.parametrize("lanes", [1, 4])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.5)])
def test_gaps_are_closed(lanes, stall_in, stall_out):
    """Gaps are closed within each stream, also in a stream without any selected tuple."""
    rng = random.Random(f"{lanes} {stall_in}")
    parts = [sparse(rng, n, lanes, lambda: random_row(rng), 0.8) for n in (1, 30, 2, 1, 1, 17, 3)]
    expected = reduce(
        list.__add__, [dense(filter(is_selected, tuples(beats)), lanes) for beats in parts]
    )
    dut = Intake(plan_of(query(nested(), A, B, F), lanes))
    actual = run_stream(
        dut,
        [b for beats in parts for b in beats],
        expected=len(expected),
        stall_in=stall_in,
        stall_out=stall_out,
        seed=lanes,
    ).payloads
    assert streams(actual) == streams(expected)


def test_counts_each_dropped_tuple_once():
    rng, lanes = random.Random(5), 3
    beats = sparse(rng, 40, lanes, lambda: random_row(rng), 0.8)
    dut, totals, at = Intake(plan_of(query(nested(), A, B, F), lanes, dense=False)), [], []
    assert dut.events.shape() == data.StructLayout({"nan": 2, "filtered": 2})

    async def bench(ctx):
        for k in range(80):
            valid = len(at) < len(beats) and rng.random() < 0.7
            ctx.set(dut.i.valid, valid)
            if valid:
                ctx.set(Value.cast(dut.i.payload), encode(dut.i.payload.shape(), beats[len(at)]))
            ctx.set(dut.o.ready, rng.random() < 0.7)
            _, _, ready = await ctx.tick().sample(dut.i.ready)
            accepted = beats[len(at)] if valid and ready else None
            if accepted:
                at.append(k)
            present = [t for t in slots(accepted) if t] if accepted else []
            nans = [t for t in present if is_nan(t)]
            fails = [t for t in present if t not in nans and not passes(t)]
            actual = ctx.get(dut.events.nan), ctx.get(dut.events.filtered)
            assert actual == (len(nans), len(fails))
            totals.append(actual)

    simulate(dut, bench)
    assert sum(nan for nan, _ in totals) > 5
    assert sum(filtered for _, filtered in totals) > 5


@pytest.mark.parametrize("settings", [NONE, HostSettings(numbers=(SIZE,))], ids=["plain", "set"])
def test_latency_and_rate(settings):
    """The latency is one cycle, with tuples to judge, settings to judge, or both."""
    where = Comparison(A, Op.GE, 0)
    plan = plan_of(query(where, A), 2, settings, dense=False)
    beats = [{"tuples": [{"a": 1}, {"a": -1}], "valid": 3, "last": 0}] * 30
    beats = [b | ({"context": 20} if settings.numbers else {}) for b in beats]
    dut = Intake(plan)
    run = run_streams(dut, {"i": beats}, {"o": 30})
    assert run["i"].cycles == list(range(30))
    assert {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)} == {1}
    assert plan.latency == dut.latency == 1
    assert {b["valid"] for b in run["o"].payloads} == {1}
    assert plan_of(query(None, A), 2, settings).latency == (1 if settings.numbers else 0)


@pytest.mark.parametrize("lanes", [1, 2, 8])
def test_latency_to_the_remaining_tuples_at_the_end(lanes):
    plan = plan_of(query(Comparison(A, Op.GE, 0), A), lanes)
    stream = dense([{"a": k % 16 - 8} for k in range(10 * lanes)] + [{"a": 1}], lanes)
    selected = dense([t for t in tuples(stream) if t["a"] >= 0], lanes)
    dut = Intake(plan)
    run = run_streams(dut, {"i": stream}, {"o": len(selected)})
    assert run["i"].cycles == list(range(len(stream)))
    assert streams(run["o"].payloads) == streams(selected)
    assert run["o"].cycles[-1] - run["i"].cycles[-1] == plan.latency == dut.latency


def test_unnecessary_parts_are_not_built():
    plan = plan_of(query(None, A), 2)
    dut = Intake(plan)
    assert list(dut.signature.members) == ["i", "o"]
    beats = dense([{"a": k % 8} for k in range(9)], 2)
    run = run_streams(dut, {"i": beats}, {"o": 5})
    assert run["o"].cycles == run["i"].cycles
    assert streams(run["o"].payloads) == streams(beats)
    assert (plan.latency, plan.counters, plan.flags) == (0, (), ())


def settings_of(where):
    """Returns a function and a size, and the constant of WHERE, if any."""
    return HostSettings(numbers=(SIZE, LIMIT) if where else (SIZE,), functions=FUNCTIONS)


def run_watched(dut, beats, out, seed):
    """Returns the output under stalls, and the sums of events, errors and ``swallowed_end``.

    Checks that ``out`` beats leave.
    """
    ports = {name: dut.events[name] for name in dut.events.shape().members}
    ports |= {name: dut.errors[name] for name in dut.errors.shape().members}
    ports |= {"swallowed_end": dut.swallowed_end}
    totals, actual = dict.fromkeys(["transfers", *ports], 0), []

    async def source(ctx):
        await put(ctx, dut.i, beats, 0.3, random.Random(seed))

    async def sink(ctx):
        run = await collect(ctx, dut.o, out, stall=0.3, rng=random.Random(seed + 1))
        actual.extend(run.payloads)
        ctx.set(dut.o.ready, 1)

    async def watch(ctx):
        seen = {"transfers": dut.o.valid & dut.o.ready, **ports}
        for _ in range(20 * len(beats)):
            _, _, *values = await ctx.tick().sample(*seen.values())
            for name, value in zip(seen, values, strict=True):
                totals[name] += value

    simulate(dut, source, sink, watch, streams={"i": dut.i, "o": dut.o})
    assert totals.pop("transfers") == out
    return actual, totals


@pytest.mark.parametrize("is_dense", [True, False], ids=["dense", "gaps"])
@pytest.mark.parametrize("where", [None, Comparison(X, Op.LT, 0)], ids=str)
def test_swallows_refused_streams(where, is_dense):
    """A refused stream has no output, and its selected tuples count as overrun.

    The constant of WHERE does not leave with the other settings.
    """
    rng, lanes = random.Random(2), 4
    plan = plan_of(query(where, X), lanes, settings_of(where), dense=is_dense)
    assert list(plan.passed_settings.members) == ["function", "size"]
    inputs, passed, expected = [], [], {"bad_setting": 0, "overrun": 0, "swallowed_end": 0}
    expected |= {"nan": 0, "filtered": 0} if where else {}
    for size in [3, 21, 20, 31, 22, 0, 9, 25]:
        function, limit = rng.randrange(4), rng.randrange(16)
        rows = [{"x": rng.randrange(16)} for _ in range(rng.randrange(30))]
        beats = dense(rows, lanes)
        selected = [row for row in rows if not where or row["x"] < limit]
        context = function | size << 2 | limit << 7 if where else function | size << 2
        inputs += [b | {"context": context} for b in beats]
        expected["filtered"] = expected.get("filtered", 0) + len(rows) - len(selected)
        if size > 20:
            expected["bad_setting"] += 1
            expected["swallowed_end"] += 1
            expected["overrun"] += len(selected)
            continue
        if is_dense:
            beats = dense(selected, lanes)
        else:
            beats = [
                beat([t if t in selected else None for t in slots(b)], b["last"]) for b in beats
            ]
        passed += [b | {"context": function | size << 2} for b in beats]
    if not where:
        assert expected.pop("filtered") == 0
    dut = Intake(plan)
    actual, totals = run_watched(dut, inputs, len(passed), 3)
    assert streams(actual) == streams(passed)
    assert [b["context"] for b in actual] == [b["context"] for b in passed]
    assert totals == expected


def test_numbers_that_do_not_go_together():
    """Each number is allowed; some combinations are refused."""
    other = HostSetting(name="slide", doc="at most the size", width=5, maximum=20)
    settings = HostSettings(
        numbers=(SIZE, other), rule=lambda values: values["slide"] > values["size"]
    )
    dut = Intake(plan_of(query(None, X), 2, settings))
    cases = [(9, 9), (9, 10), (20, 3), (3, 20), (21, 3), (0, 0)]
    beats = [
        b | {"context": size | slide << 5}
        for size, slide in cases
        for b in dense([{"x": size % 16}] * 3, 2)
    ]
    good = [b for b in beats if (b["context"] >> 5) <= (b["context"] & 31) <= 20]
    assert len(good) == 2 * 3
    actual, totals = run_watched(dut, beats, len(good), 5)
    assert streams(actual) == streams(good)
    assert totals == {"overrun": 3 * 3, "bad_setting": 3, "swallowed_end": 3}


def test_a_refused_stream_is_swallowed_at_full_rate():
    """The stream is swallowed even while the output stalls, once the register is free."""
    dut = Intake(plan_of(query(None, X), 1, HostSettings(numbers=(SIZE,))))
    bad = [
        {"tuples": [{"x": 1}], "valid": 1, "last": int(k == 49), "context": 21} for k in range(50)
    ]
    cycles = []

    async def source(ctx):
        cycles.extend((await put(ctx, dut.i, bad)).cycles)

    async def end(ctx):
        await ctx.tick().repeat(60)
        assert cycles == list(range(50))

    simulate(dut, source, end, streams={"i": dut.i, "o": dut.o})
