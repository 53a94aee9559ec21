"""Checks operators whose state of no tuple is zero: combining with zero changes nothing."""

import random

import pytest
from amaranth.hdl import signed

from rtl.aggregate.avg import Avg, AvgOrNull
from rtl.aggregate.count import Count
from rtl.aggregate.count_distinct import CountDistinct
from rtl.aggregate.lower import Lower
from rtl.aggregate.max import Max
from rtl.aggregate.min import Min
from rtl.aggregate.operator import Product, Segmented
from rtl.aggregate.optional import Optional
from rtl.aggregate.percentile import Percentile
from rtl.aggregate.select import Select
from rtl.aggregate.sum import Sum
from tb.aggregates import truncated
from tb.bench.payload import encode
from tb.bench.unit import run_stream
from tb.rtl.aggregate.models import bounds
from tb.rtl.gates import evaluate

SHAPE, COUNT, TUPLES = signed(4), 4, 12
SUM, MINIMUM = Sum("x", SHAPE, COUNT), Min("x", SHAPE)
EMPTY_IS_ZERO = {
    "count": Count(COUNT),
    "count distinct": CountDistinct("x", COUNT),
    "sum": SUM,
    "avg": Avg("x", SHAPE, COUNT),
    "avg or null": AvgOrNull("x", SHAPE, COUNT),
    "optional min": Optional(MINIMUM),
    "optional sum": Optional(SUM),
    "counted sum": Optional(SUM, counted=True),
    "product": Product(n=Count(COUNT), least=Optional(MINIMUM), mean=AvgOrNull("x", SHAPE, COUNT)),
}
OTHERS = {
    "min": MINIMUM,
    "max": Max("x", SHAPE),
    "percentile": Percentile("x", SHAPE, 0),
    "select": Select((Count(COUNT), SUM)),
    "segmented": Segmented(SUM),
    "product": Product(n=Count(COUNT), least=MINIMUM),
}


def draw(rng, operator):
    """Draws a state of one or more tuples."""
    if isinstance(operator, Product):
        return {name: draw(rng, part) for name, part in operator.parts.items()}
    if isinstance(operator, Optional):
        count = rng.randrange(1, TUPLES) if operator.invertible else 1
        return {"some": count, "state": draw(rng, operator.operator)}
    members = operator.state(TUPLES).members
    return {name: rng.randint(*bounds(shape)) for name, shape in members.items()}


def with_zeros(operator, seed):
    """Returns pairs of a state's bits and its combinations with zeros, by kind."""
    layout, rng = operator.state(TUPLES), random.Random(seed)
    states = [0, *(encode(layout, draw(rng, operator)) for _ in range(80))]

    def logic(zero, state):
        return {
            "before": operator.combine(zero, state, 0),
            "behind": operator.combine(state, zero, 0),
            "both": operator.combine(operator.combine(zero, state, 0), zero, 0),
            "kept": operator.restart(zero, state, 0, 0),
        }

    names = ("before", "behind", "both", "kept")
    vectors = [{"zero": 0, "state": state} for state in states]
    inputs = {"zero": layout, "state": layout}
    results = evaluate(inputs, dict.fromkeys(names, layout), logic, vectors)
    bits = [
        {name: encode(layout, value) for name, value in combined.items()} for combined in results
    ]
    return list(zip(states, bits, strict=True))


@pytest.mark.parametrize("name", EMPTY_IS_ZERO)
def test_zeros_change_nothing(name):
    operator = EMPTY_IS_ZERO[name]
    assert operator.empty_is_zero
    for state, combined in with_zeros(operator, name):
        assert combined == dict.fromkeys(combined, state)


@pytest.mark.parametrize("name", ["min", "max"])
def test_zeros_would_change_an_extremum(name):
    """The previous test would fail for an extremum."""
    assert any(
        set(combined.values()) != {state} for state, combined in with_zeros(OTHERS[name], name)
    )


@pytest.mark.parametrize("name", OTHERS)
def test_the_others_promise_nothing(name):
    assert not OTHERS[name].empty_is_zero


def averages(rng):
    """Yields (sum, count) of every count, with the least, the greatest, zero and random sums."""
    for count in range(TUPLES + 1):
        yield from ((k * count, count) for k in (-8, 0, 7))
        yield from ((rng.randint(-8 * count, 7 * count), count) for _ in range(3))


@pytest.mark.parametrize("stall_out", [0.0, 0.4])
def test_an_average_of_no_tuple_is_null(stall_out):
    """An average shares a row with another result; its valid bit is as late as the quotient."""
    operator = Product(mean=AvgOrNull("x", SHAPE, COUNT), least=Optional(MINIMUM))
    states = list(averages(random.Random(5)))
    beats = [
        {
            "lanes": [
                {
                    "mean": {"value": total, "count": count},
                    "least": {"some": min(count, 1), "state": {"value": count % 8}},
                }
            ]
        }
        for total, count in states
    ]
    dut = Lower(operator, 1, tuples=TUPLES)
    combined = run_stream(
        dut, beats, expected=len(beats), stall_in=0.2, stall_out=stall_out
    ).payloads
    for (total, count), beat in zip(states, combined, strict=True):
        (row,) = beat["lanes"]
        assert row["mean"]["valid"] == row["least"]["valid"] == (count > 0)
        if count:
            assert row["mean"]["value"] == truncated(total, count)
            assert row["least"]["value"] == count % 8


def test_an_average_or_null_is_an_average_otherwise():
    plain, other = Avg("x", SHAPE, COUNT), AvgOrNull("x", SHAPE, COUNT)
    assert other.state(TUPLES) == plain.state(TUPLES)
    assert other.quotients == plain.quotients
    assert other.invertible
    assert dict(other.result.members) == {"valid": 1, "value": plain.result}
