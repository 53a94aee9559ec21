"""WHERE: every operator over every kind of type, nesting, NaNs, and counts of what is dropped."""

import math
import operator
import random
import struct

import pytest
from amaranth.hdl import Value
from amaranth.lib import data

from query.aggregate import Aggregate, Function, Item
from query.predicate import And, Comparison, Op, Or
from query.query import Query
from query.schema import Column, Schema
from query.types import Double, Fixed, Float, Int, String, UInt
from query.window import Whole
from rtl.engine.parameters import row_layout
from rtl.stream.selection import Selection
from tb.harness.payload import encode
from tb.harness.unit import run_stream, run_streams, simulate
from tb.rtl.beats import slots, sparse, streams

OPERATORS = {
    Op.EQ: operator.eq,
    Op.NE: operator.ne,
    Op.LT: operator.lt,
    Op.LE: operator.le,
    Op.GT: operator.gt,
    Op.GE: operator.ge,
}
TYPES = [Int(5), UInt(4), Fixed(2, 3), String(1), Float(), Double()]


def query(where, *columns):
    return Query(
        schema=Schema("S", columns),
        items=tuple(Item(Aggregate(Function.MIN, c, f"min({c.name})"), c.name) for c in columns),
        window=Whole(),
        where=where,
        group=columns[0],
    )


def key(type_, raw):
    """What Python compares for a raw: the text for strings, the number else, with -0 < +0."""
    value = type_.value(raw)
    if type_.floating:
        return (value, 0 if math.copysign(1, value) < 0 else 1)
    return value


def corner_raws(type_):
    if type_.floating:
        numbers = ["-inf", "-2.5", "-1e-30", "-0.0", "0.0", "1e-30", "2.5", "inf"]
        return [type_.parse(number) for number in numbers]
    if isinstance(type_, String):
        return [type_.parse(text) for text in ("", "A", "B", "a")]
    return sorted({type_.raw_min, -1 if type_.signed else 1, 0, 2, type_.raw_max})


@pytest.mark.parametrize("type_", TYPES, ids=str)
@pytest.mark.parametrize("op", list(Op))
def test_every_operator(type_, op):
    column = Column("x", type_)
    raws = corner_raws(type_)
    constants = raws[1:6:2]
    for constant in constants:
        q = query(Comparison(column, op, constant), column)
        dut = Selection(q, row_layout(q.columns), 1)
        beats = [{"tuples": [{"x": raw}], "valid": 1, "last": 0} for raw in raws]
        got = run_stream(dut, beats, expected=len(beats)).payloads
        keeps = [OPERATORS[op](key(type_, raw), key(type_, constant)) for raw in raws]
        assert [b["valid"] == 1 for b in got] == keeps, constant


A, B, F = Column("a", Int(4)), Column("b", UInt(3)), Column("f", Float())


def nested():
    return Or(
        (
            And((Comparison(A, Op.LT, -2), Or((Comparison(B, Op.EQ, 3), Comparison(B, Op.GE, 6))))),
            Comparison(A, Op.EQ, 5),
            Comparison(F, Op.GT, F.type.parse("1.5")),
        )
    )


def wanted(row):
    a, b, f = row["a"], row["b"], F.type.value(row["f"])
    return (a < -2 and (b == 3 or b >= 6)) or a == 5 or f > 1.5


def random_row(rng):
    quiet, signalling, negative = 0x7FC00000, 0x7F800001, 0xFFC12345
    numbers = [struct.unpack(">I", struct.pack(">f", x))[0] for x in (-0.0, 1.5, 1.75, math.inf)]
    f = rng.choice([*numbers, quiet, signalling, negative])
    return {"a": rng.randrange(-8, 8), "b": rng.randrange(8), "f": f}


@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.5)])
def test_nesting_nans_and_stalls(stall_in, stall_out):
    rng, lanes = random.Random(11), 3
    q = query(nested(), A, B, F)
    beats = sparse(rng, 120, lanes, lambda: random_row(rng), 0.8)
    dut = Selection(q, row_layout(q.columns), lanes)
    got = run_stream(
        dut, beats, expected=120, stall_in=stall_in, stall_out=stall_out, seed=12
    ).payloads
    expected = [
        (
            [
                t if t and not math.isnan(F.type.value(t["f"])) and wanted(t) else None
                for t in slots(b)
            ],
            b["last"],
        )
        for b in beats
    ]
    assert streams(got) == expected


def test_counts_what_was_dropped_once():
    rng, lanes = random.Random(5), 3
    q = query(nested(), A, B, F)
    beats = sparse(rng, 40, lanes, lambda: random_row(rng), 0.8)
    dut, totals, at = Selection(q, row_layout(q.columns), lanes), [], []

    async def bench(ctx):
        for k in range(80):
            valid = len(at) < len(beats) and rng.random() < 0.7
            ctx.set(dut.i.valid, valid)
            if valid:
                ctx.set(Value.cast(dut.i.payload), encode(dut.i.payload.shape(), beats[len(at)]))
            ctx.set(dut.o.ready, rng.random() < 0.7)
            _, _, ready = await ctx.tick().sample(dut.i.ready)
            taken = beats[len(at)] if valid and ready else None
            if taken:
                at.append(k)
            present = [t for t in slots(taken) if t] if taken else []
            nans = [t for t in present if math.isnan(F.type.value(t["f"]))]
            fails = [t for t in present if t not in nans and not wanted(t)]
            got = ctx.get(dut.dropped.nan), ctx.get(dut.dropped.filtered)
            assert got == (len(nans), len(fails))
            totals.append(got)

    simulate(dut, bench)
    assert sum(nan for nan, _ in totals) > 5
    assert sum(filtered for _, filtered in totals) > 5


def test_latency_and_rate():
    q = query(Comparison(A, Op.GE, 0), A)
    dut = Selection(q, row_layout(q.columns), 2)
    beats = [{"tuples": [{"a": 1}, {"a": -1}], "valid": 3, "last": 0}] * 30
    run = run_streams(dut, {"i": beats}, {"o": 30})
    assert run["i"].cycles == list(range(30))
    assert {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)} == {dut.latency}
    assert {b["valid"] for b in run["o"].payloads} == {1}


def test_context_goes_along_with_its_beat():
    q = query(Comparison(A, Op.GE, 0), A)
    dut = Selection(q, row_layout(q.columns), 1, settings=data.StructLayout({"function": 3}))
    beats = [
        {"tuples": [{"a": k % 8 - 4}], "valid": 1, "last": k & 1, "context": k % 8}
        for k in range(12)
    ]
    got = run_stream(dut, beats, expected=12, stall_out=0.5).payloads
    assert [b["context"] for b in got] == [b["context"] for b in beats]


def test_needed():
    assert Selection.needed(query(Comparison(A, Op.GE, 0), A))
    assert Selection.needed(query(None, A, F))
    assert not Selection.needed(query(None, A, B))
