"""Checks percentiles of marked tuples, by themselves and in shared hardware."""

import random

import pytest
from amaranth.hdl import Shape, signed, unsigned

from rtl.aggregate.count import Count
from rtl.aggregate.max import Max
from rtl.aggregate.operator import Product, Tuple
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from tb.bench.unit import run_stream
from tb.rtl.aggregate.models import SHAPES, Aggregation, beats_of, draw
from tb.rtl.gates import evaluate


def marked(rng, shape, tuples):
    """Draws tuples, and marks the hit, a random tuple, by ``new``."""
    drawn = draw(rng, shape, tuples)
    hit = rng.randrange(tuples)
    return [t | {"new": int(k == hit)} for k, t in enumerate(drawn)]


def hit_of(tuples):
    return next((t["x"] for t in tuples if t["new"]), 0)


def results(operator, shape, streams, contexts, lanes):
    beats = beats_of(streams, lanes, contexts)
    dut = Aggregation(operator, shape, lanes, 31)
    outputs = run_stream(
        dut, beats, expected=len(beats), stall_in=0.2, stall_out=0.3, seed=5
    ).payloads
    return [result for beat in outputs for result in beat["lanes"]]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_the_hit_of_each_stream(shape, lanes):
    rng = random.Random(lanes)
    streams = [marked(rng, shape, lanes * rng.randrange(1, 6)) for _ in range(12)]
    outputs = results(Percentile("x", shape, 0), shape, streams, [0] * 12, lanes)
    assert outputs == [hit_of(tuples[: n + 1]) for tuples in streams for n in range(len(tuples))]


@pytest.mark.parametrize("shape", SHAPES)
def test_selected_beside_others(shape):
    rng = random.Random(8)
    select = Select([Max("x", shape), Percentile("x", shape, 0), Sum("x", shape, 5), Count(5)])
    streams = [marked(rng, shape, 2 * rng.randrange(1, 6)) for _ in range(12)]
    contexts = [k % 4 for k in range(12)]
    models = [lambda ts: max(t["x"] for t in ts), hit_of, lambda ts: sum(t["x"] for t in ts), len]
    assert results(select, shape, streams, contexts, 2) == [
        models[context](tuples[: n + 1])
        for tuples, context in zip(streams, contexts, strict=True)
        for n in range(len(tuples))
    ]


@pytest.mark.parametrize("hit", [0, 1, 2])
def test_each_percentile_has_its_own_mark(hit):
    """A tuple that only other percentiles mark adds nothing to this percentile."""

    def lift(x, hits):
        tuple_ = Tuple(row={"x": x}, fresh={}, valid=1, hits=tuple(hits))
        return Percentile("x", signed(5), hit).lift(tuple_, 0)

    rows = [{"x": -7, "hits": hits} for hits in range(8)]
    results = evaluate({"x": signed(5), "hits": 3}, {"value": signed(5)}, lift, rows)
    assert [result["value"] for result in results] == [-7 * (hits >> hit & 1) for hits in range(8)]


@pytest.mark.parametrize("shape", [signed(9), unsigned(64)])
def test_no_wider_than_x(shape):
    operator = Percentile("x", shape, 0)
    assert Shape.cast(operator.state(1 << 20)["value"].shape) == shape
    assert Shape.cast(operator.result) == shape
    assert not operator.invertible
    assert Product(a=operator, b=operator).context == 0
