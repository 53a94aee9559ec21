"""Selection by rank against sorted lists."""

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
    """A window of tuples in groups, as marked beats."""
    sizes = []
    while (left := count - sum(sizes)) > 0:
        sizes.append(min(left, LARGEST, rng.choice((1, 1, 2, lanes, lanes + 1, 30))))
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
    return [
        {
            "tuples": tuples[k : k + lanes],
            "valid": (1 << lanes) - 1,
            "last": int(k + lanes >= count),
            "context": packed(settings),
        }
        for k in range(0, count, lanes)
    ]


def aimed(targets, settings):
    """The fractions that ``targets`` stand for."""
    return [Fraction(settings[t], 65536) if isinstance(t, str) else t for t in targets]


def marked(beat, fractions):
    """What must come of a beat."""
    tuples = []
    for tuple_ in beat["tuples"]:
        rank, n = tuple_["rank"], tuple_["cardinality"]
        hits = sum((rank == ceil(p * n)) << k for k, p in enumerate(fractions))
        kept = {k: v for k, v in tuple_.items() if k not in ("rank", "cardinality")}
        tuples.append(kept | {"hits": hits})
    return beat | {"tuples": tuples}


def given(beat):
    tuples = [{k: v for k, v in t.items() if k != "rank"} for t in beat["tuples"]]
    return beat | {"tuples": tuples}


def build(lanes, targets, scan="sklansky"):
    return Ranks(
        ROW, lanes, targets=targets, tuples=LARGEST, distinct=("x",), context=SETTINGS, scan=scan
    )


def run(lanes, targets, windows, scan="sklansky", seed=3, **options):
    rng = random.Random(seed)
    beats, wanted = [], []
    for count in windows:
        settings = {"function": rng.randrange(4)}
        settings |= {name: rng.choice((1, 32768, 65536, rng.randrange(65536) + 1)) for name in "ab"}
        window = draw(rng, lanes, count * lanes, settings)
        beats += window
        wanted += [marked(beat, aimed(targets, settings)) for beat in window]
    dut = build(lanes, targets, scan)
    inputs = {"i": [given(beat) for beat in beats]}
    runs = run_streams(dut, inputs, {"o": len(beats)}, seed=seed, **options)
    assert runs["o"].payloads == wanted
    return dut, runs


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
    taken, left = runs["i"].cycles, runs["o"].cycles
    assert taken == [k * dut.initiation_interval for k in range(12)]
    assert {b - a for a, b in zip(taken, left, strict=True)} == {dut.latency}
    waits = 1 if targets == COMPILED[1:2] else 1 + 2  # 40 has 6 bits
    assert dut.latency == {1: 0, 4: 2}[lanes] + waits + 1


def test_refuses_a_mixture():
    with pytest.raises(ValueError, match=r"^targets must be all of one kind, not "):
        build(2, ("a", Fraction(1, 2)))
