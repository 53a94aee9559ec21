"""Checks prefix and rolling scans of affine maps modulo 2**WIDTH, which do not commute."""

import random

import pytest
from amaranth.hdl import Mux, signed
from amaranth.lib import data

from rtl.aggregate.operator import Operator
from rtl.network.plan import SHAPES
from rtl.network.rolling import RollingScan
from rtl.network.scan import PrefixScan
from tb.bench.unit import run_stream, run_streams

WIDTH = 6
MASK = (1 << WIDTH) - 1


class Affine(Operator):
    """The map x -> a*x + b, composed left to right, or right to left with context 1."""

    context = 1

    def state(self, tuples):
        return data.StructLayout({"a": WIDTH, "b": WIDTH})

    def lift(self, tuple_, context):
        return {"a": tuple_.row["a"], "b": tuple_.row["b"]}

    def combine(self, left, right, context):
        forth = left["b"] * right["a"] + right["b"]
        back = right["b"] * left["a"] + left["b"]
        return {"a": (left["a"] * right["a"])[:WIDTH], "b": Mux(context, back, forth)[:WIDTH]}

    @property
    def result(self):
        return self.state(1)

    def lower(self, state, quotients, context):
        return state


def compose(left, right, context):
    if context:
        left, right = right, left
    a = left["a"] * right["a"] & MASK
    return {"a": a, "b": left["b"] * right["a"] + right["b"] & MASK}


def draw(rng, lanes, context=0):
    return {
        "states": [{"a": rng.randrange(1 << WIDTH), "b": rng.randrange(64)} for _ in range(lanes)],
        "context": context,
        "last": int(rng.random() < 0.2),
        "passenger": rng.randrange(32) - 16,
    }


def model(beats, rolling):
    state = None
    for beat in beats:
        out = []
        for tuple_ in beat["states"]:
            state = tuple_ if state is None else compose(state, tuple_, beat["context"])
            out.append(state)
        if beat["last"] or not rolling:
            state = None
        yield beat | {"states": out}


def build(rolling, lanes, shape="sklansky"):
    options = {"shape": shape, "passenger": signed(5)}
    if rolling:
        return RollingScan(Affine(), lanes, tuples=99, **options)
    return PrefixScan(Affine(), lanes, **options)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("rolling", [False, True], ids=["prefix", "rolling"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_scan(rolling, shape, lanes):
    seed, count = 40 + lanes, 24
    rng = random.Random(seed)
    beats = [draw(rng, lanes) for _ in range(count)]
    dut = build(rolling, lanes, shape)
    run = run_stream(dut, beats, expected=count, stall_in=0.3, stall_out=0.4, seed=seed)
    assert run.payloads == list(model(beats, rolling))


@pytest.mark.parametrize("rolling", [False, True], ids=["prefix", "rolling"])
@pytest.mark.parametrize("lanes", [2, 8])
def test_context_travels_with_its_beat(lanes, rolling):
    rng = random.Random(8)
    beats, context = [], 0
    for _ in range(60):  # a stream keeps its context
        beats.append(draw(rng, lanes, context))
        context = rng.randrange(2) if beats[-1]["last"] else context
    run = run_stream(build(rolling, lanes), beats, expected=60, stall_in=0.3, stall_out=0.3, seed=9)
    assert run.payloads == list(model(beats, rolling))


@pytest.mark.parametrize("rolling", [False, True], ids=["prefix", "rolling"])
@pytest.mark.parametrize(
    ("shape", "lanes", "latency"),
    [("sklansky", 1, 0), ("sklansky", 8, 3), ("kogge-stone", 4, 2), ("brent-kung", 8, 5)],
)
def test_latency_and_rate(rolling, shape, lanes, latency):
    rng = random.Random(1)
    dut = build(rolling, lanes, shape)
    run = run_streams(dut, {"i": [draw(rng, lanes) for _ in range(12)]}, {"o": 12})
    assert dut.latency == latency
    assert run["i"].cycles == [k * dut.initiation_interval for k in range(12)]
    assert {b - a for a, b in zip(run["i"].cycles, run["o"].cycles, strict=True)} == {latency}


def test_order_matters_by_hand():
    # x -> 2x + 1, then x -> 3x: 6x + 3. The opposite order is 6x + 1.
    beats = [
        {"states": [{"a": 2, "b": 1}, {"a": 3, "b": 0}], "context": 0, "last": last, "passenger": 0}
        for last in (0, 1, 0)
    ]
    results = run_stream(build(True, 2), beats, expected=3).payloads
    # then 2(6x + 3) + 1 = 12x + 7, and 36x + 21; the scan restarts after the last beat
    assert [b["states"] for b in results] == [
        [{"a": 2, "b": 1}, {"a": 6, "b": 3}],
        [{"a": 12, "b": 7}, {"a": 36, "b": 21}],
        [{"a": 2, "b": 1}, {"a": 6, "b": 3}],
    ]


@pytest.mark.parametrize("rolling", [False, True], ids=["prefix", "rolling"])
def test_refuses(rolling):
    with pytest.raises(ValueError, match=r"^lanes must be a power of two, not 6$"):
        build(rolling, 6)
    with pytest.raises(ValueError, match=r"^scan must be one of .*, not 'tree'$"):
        build(rolling, 4, "tree")
