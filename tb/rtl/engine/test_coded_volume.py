"""Many values of each kind through compressor, memory and decoder of the shipped Verilog."""

import random

import pytest

from rtl.keyed.codec.fold import BLOCK_VALUES
from sim.memory import Memory
from tb.golden.codecs.kinds import kinds
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import Answers, Stream
from tb.rtl.engine.test_streamzip import POINTS

pytestmark = pytest.mark.hdl

CODECS = ("base-delta", "xor", "grid", "sz, 20 bits")
#: Of each kind of values, in CI: together 50,000 and more. The grid has XOR's decoder.
COUNT = 5_000
QUICK = ("base-delta", "xor")
DAILY = [
    c if c in QUICK else pytest.param(c, marks=pytest.mark.regress)
    for c in (*CODECS, "base-delta, ranked", "base-delta, ranked, 32 bits")
]
#: And of each in `make regress`.
MANY = 1_000_000
KEYS = 4


def width_of(design):
    """Bits of a value."""
    return 32 if design.query.columns[1].type.width <= 32 else 64


#: Below 0 patterns of whole numbers are none as doubles.
KINDS = [
    (name, kind)
    for name in CODECS
    for kind, _ in kinds(width_of(POINTS[name]), 100, seed=1)
    if not (kind == "across 0" and POINTS[name].query.columns[1].type.floating)
]


def cut(type_, pattern, width):
    """The value of a column's type that the lowest bits of a pattern are."""
    if type_.floating:
        return pattern
    low = pattern % (1 << type_.width)
    return low - (low >> type_.width - 1 << type_.width) if type_.raw_min < 0 else low


def stream_of(design, values, rng, keys):
    """Bursts of some keys, each of which goes on in these values."""
    type_, width = design.query.columns[1].type, width_of(design)
    most = design.options.window_max
    size = rng.choice((most, most - 1, most // 2))
    events, key = [], 0
    for at, value in enumerate(values):
        if rng.random() < 0.1:
            key = rng.randrange(keys)
        here = values[at // 2] if key % 2 else value  # two keys take each value twice
        events.append({"k": key, "x": cut(type_, here, width), "y": 0})
    slide = rng.choice((size, size, size // 2))
    return Stream(size=size, slide=slide, events=events)


def check(design, streams):
    """Sums, or extrema, of windows tell of each value."""
    answers = Answers(design, streams)
    done = key_bench.check(design, answers, streams, memory=Memory(latency=3), drain=5_000)
    values = sum(len(stream.events) for stream in streams)
    assert answers.tally["rows"] > values // 80
    return done, values


@pytest.mark.parametrize("name", DAILY)
def test_values_of_all_kinds(name):
    design, rng = POINTS[name], random.Random(name)
    found = kinds(width_of(design), COUNT, seed=COUNT)
    done, values = check(design, [stream_of(design, of_kind, rng, KEYS) for _, of_kind in found])
    assert values >= 40_000
    assert done.counters["m3_lines_written"] > values // 150


@pytest.mark.regress
@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_million_values_of_a_kind(name, kind):
    """Of one key: others would throw it out of so small a table before its blocks are full."""
    design, rng = POINTS[name], random.Random(f"{name} {kind}")
    values = dict(kinds(width_of(design), MANY, seed=1))[kind]
    done, _ = check(design, [stream_of(design, values, rng, keys=1)])
    assert done.counters["m3_lines_written"] > MANY // BLOCK_VALUES
