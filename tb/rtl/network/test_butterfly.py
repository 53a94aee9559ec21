"""Checks the reverse butterfly for each number of tuples, first target and source lanes."""

import random
from itertools import combinations

import pytest

from rtl.network.butterfly import ReverseButterfly
from tb.bench.unit import run_stream, run_streams
from tb.rtl.beats import slots


def routed(places, start, lanes, rng):
    """Returns a beat: tuples at ``places`` with targets from ``start`` on, random other lanes."""
    tuples = [{"tuple": rng.randrange(256), "to": rng.randrange(lanes)} for _ in range(lanes)]
    for rank, place in enumerate(places):
        tuples[place]["to"] = (start + rank) % lanes
    valid = sum(1 << place for place in places)
    return {"tuples": tuples, "valid": valid, "last": rng.randrange(2)}


def model(beat, lanes):
    out = [None] * lanes
    for slot in slots(beat):
        if slot is not None:
            out[slot["to"]] = slot["tuple"]
    return out, beat["last"]


def run(beats, lanes, radix, **options):
    dut = ReverseButterfly(8, lanes, radix=radix)
    routed_beats = run_stream(dut, beats, expected=len(beats), **options).payloads
    return [(slots(b), b["last"]) for b in routed_beats]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("radix", [2, 4])
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_every_start_and_count(lanes, radix):
    rng = random.Random(lanes)
    beats = [
        routed(places, start, lanes, rng)
        for count in range(lanes + 1)
        for places in _places(rng, lanes, count)
        for start in range(lanes)
    ]
    stalls = {"stall_in": 0.1, "stall_out": 0.2, "seed": radix}
    assert run(beats, lanes, radix, **stalls) == [model(b, lanes) for b in beats]


def _places(rng, lanes, count):
    """Returns all choices of places for ``count`` tuples; with 8 lanes and more, a sample."""
    every = list(combinations(range(lanes), count))
    return every if lanes < 8 else rng.sample(every, min(8, len(every)))


@pytest.mark.parametrize("radix", [2, 4])
@pytest.mark.parametrize("lanes", [1, 16])
def test_random(lanes, radix):
    rng = random.Random(lanes + radix)
    beats = []
    for _ in range(80):
        places = sorted(rng.sample(range(lanes), rng.randrange(lanes + 1)))
        beats.append(routed(places, rng.randrange(lanes), lanes, rng))
    assert run(beats, lanes, radix, stall_out=0.3, seed=3) == [model(b, lanes) for b in beats]


@pytest.mark.parametrize(
    ("lanes", "radix", "latency"),
    [(1, 4, 0), (2, 4, 1), (4, 4, 1), (8, 4, 2), (16, 4, 2), (8, 2, 3), (4, 2, 2)],
)
def test_latency_and_rate(lanes, radix, latency):
    rng = random.Random(0)
    dut = ReverseButterfly(8, lanes, radix=radix)
    runs = run_streams(dut, {"i": [routed((0,), 0, lanes, rng)] * 10}, {"o": 10})
    assert dut.latency == latency
    assert runs["i"].cycles == [k * dut.initiation_interval for k in range(10)]
    assert {b - a for a, b in zip(runs["i"].cycles, runs["o"].cycles, strict=True)} == {latency}


@pytest.mark.parametrize("radix", [1, 3, 8, "4"])
def test_refuses_radix(radix):
    with pytest.raises(ValueError, match=f"^radix must be 2 or 4, not {radix!r}$"):
        ReverseButterfly(8, 4, radix=radix)


def test_refuses_lanes():
    with pytest.raises(ValueError, match=r"^lanes must be a power of two, not 12$"):
        ReverseButterfly(8, 12)
