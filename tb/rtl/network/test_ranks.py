"""Checks selection by rank against the definition of percentiles."""

import random
from fractions import Fraction
from math import ceil

import pytest
from amaranth.lib import data

from rtl.network.plan import SHAPES
from rtl.network.ranks import Ranks
from tb.bench.unit import run_streams

ROW = data.StructLayout({"g": 4, "x": 5})
SETTINGS = data.StructLayout({"function": 2, "a": 17, "b": 17})
COMPILED = (Fraction(1, 2), Fraction(9, 10), Fraction(1), Fraction(1, 100))
RUN_TIME = ("a", "b")
LARGEST = 40


def packed(settings):
    return settings["function"] | settings["a"] << 2 | settings["b"] << 19


def draw(rng, lanes, count, settings):
    """Draws a window of ``count`` tuples in groups, as marked beats; the last may not be full."""
    sizes = []
    while (output_cycles := count - sum(sizes)) > 0:
        sizes.append(min(output_cycles, LARGEST, rng.choice((1, 1, 2, lanes, lanes + 1, 30))))
    tuples = [
        {
            "row": {"g": group % 16, "x": rng.randrange(32)},
            "first": int(k == 0),
            "last": int(k == size - 1),
            "fresh": {"x": rng.randrange(2)},
            "cardinality": size,
            "rank": k + 1,
        }
        for group, size in enumerate(sizes)
        for k in range(size)
    ]
    rubbish = tuples[0] | {"first": rng.randrange(2), "cardinality": rng.randint(1, LARGEST)}
    padded = tuples + [rubbish] * (-count % lanes)
    return [
        {
            "tuples": padded[k : k + lanes],
            "valid": (1 << min(lanes, count - k)) - 1,
            "last": int(k + lanes >= count),
            "context": packed(settings),
        }
        for k in range(0, count, lanes)
    ]


def fractions_of(targets, settings):
    """Returns the fractions of ``targets``, compiled in or from ``settings``."""
    return [Fraction(settings[t], 65536) if isinstance(t, str) else t for t in targets]


def marked(beat, fractions):
    """Returns the expected output of a beat."""
    tuples = []
    for tuple_ in beat["tuples"]:
        rank, n = tuple_["rank"], tuple_["cardinality"]
        hits = sum((rank == ceil(p * n)) << k for k, p in enumerate(fractions))
        members = {k: v for k, v in tuple_.items() if k not in ("rank", "cardinality")}
        tuples.append(members | {"hits": hits})
    return beat | {"tuples": tuples}


def visible(beat):
    """Returns a beat without the tuples of lanes that are not valid, whose hits are undefined."""
    lanes = enumerate(beat["tuples"])
    return beat | {"tuples": [tuple_ for lane, tuple_ in lanes if beat["valid"] >> lane & 1]}


def input_beat(beat):
    tuples = [{k: v for k, v in t.items() if k != "rank"} for t in beat["tuples"]]
    return beat | {"tuples": tuples}


def build(lanes, targets, scan="sklansky"):
    return Ranks(
        ROW, lanes, targets=targets, tuples=LARGEST, distinct=("x",), context=SETTINGS, scan=scan
    )


def run(lanes, targets, windows, scan="sklansky", seed=3, **options):
    rng = random.Random(seed)
    beats, expected = [], []
    for count in windows:
        settings = {"function": rng.randrange(4)}
        settings |= {name: rng.choice((1, 32768, 65536, rng.randrange(65536) + 1)) for name in "ab"}
        window = draw(rng, lanes, count * lanes - rng.randrange(lanes), settings)
        beats += window
        expected += [marked(beat, fractions_of(targets, settings)) for beat in window]
    dut = build(lanes, targets, scan)
    inputs = {"i": [input_beat(beat) for beat in beats]}
    runs = run_streams(dut, inputs, {"o": len(beats)}, seed=seed, **options)
    assert list(map(visible, runs["o"].payloads)) == list(map(visible, expected))
    return dut, runs


@pytest.mark.in_turn
@pytest.mark.parametrize("targets", [COMPILED, RUN_TIME], ids=["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.4}], ids=["", "stalls"])
def test_hits(targets, lanes, stalls):
    run(lanes, targets, [30, 1, 1, 2, 17, 9, 1, 25], **stalls)


@pytest.mark.parametrize("scan", SHAPES)
def test_every_shape_of_scan(scan):
    run(8, COMPILED[:2], [9, 2, 30], scan, stall_out=0.3)


@pytest.mark.parametrize("targets", [COMPILED[1:2], RUN_TIME[:1]], ids=["compiled", "run-time"])
@pytest.mark.parametrize("lanes", [1, 4])
def test_latency_and_rate(targets, lanes):
    dut, runs = run(lanes, targets, [5, 1, 6])
    input_cycles, output_cycles = runs["i"].cycles, runs["o"].cycles
    assert input_cycles == [k * dut.initiation_interval for k in range(12)]
    assert {b - a for a, b in zip(input_cycles, output_cycles, strict=True)} == {dut.latency}
    target_latency = 1 if targets == COMPILED[1:2] else 1 + 2  # LARGEST, 40, has 6 bits
    assert dut.latency == {1: 0, 4: 2}[lanes] + target_latency + 1


def test_refuses_a_mixture():
    with pytest.raises(ValueError, match=r"^targets must be all of one kind, not "):
        build(2, ("a", Fraction(1, 2)))
