"""Sends many values of each kind through compressor, memory and decoder of the shipped Verilog."""

import random

import pytest

from rtl.keyed.codec.fold import BLOCK_VALUES
from sim.memory import Memory
from tb.day import daily
from tb.golden.codecs.kinds import kinds
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import Answers, Stream
from tb.rtl.engine.streamzip.row_points import POINTS

pytestmark = pytest.mark.hdl

CODECS = ("base-delta", "xor", "grid", "sz, 20 bits")
#: Values of each kind in `make test`, which runs one codec of QUICK on each day: 27,000 values in
#: all of 32 bits, or 33,000 of 64 bits. The grid shares XOR's decoder.
COUNT = 3_000
QUICK = ("base-delta", "xor")
OTHERS = [
    pytest.param(name, marks=pytest.mark.regress)
    for name in (*CODECS, "base-delta, ranked", "base-delta, ranked, 32 bits")
    if name not in QUICK
]
#: Values of each kind in `make regress`.
MANY = 1_000_000
KEYS = 4


def width_of(design):
    """Returns the width of a value, in bits."""
    return 32 if design.query.columns[1].type.width <= 32 else 64


#: Codecs and kinds. The integers below 0 of "across 0" are NaNs as doubles, so it is left out.
KINDS = [
    (name, kind)
    for name in CODECS
    for kind, _ in kinds(width_of(POINTS[name]), 100, seed=1)
    if not (kind == "across 0" and POINTS[name].query.columns[1].type.floating)
]


def cut(type_, pattern, width):
    """Returns the value of a column's type in the lowest bits of a pattern."""
    if type_.floating:
        return pattern
    low = pattern % (1 << type_.width)
    return low - (low >> type_.width - 1 << type_.width) if type_.raw_min < 0 else low


def stream_of(design, values, rng, keys):
    """Returns a stream with bursts of keys, each of which continues with the next values."""
    type_, width = design.query.columns[1].type, width_of(design)
    largest = design.options.window_max
    size = rng.choice((largest, largest - 1, largest // 2))
    events, key = [], 0
    for at, value in enumerate(values):
        if rng.random() < 0.1:
            key = rng.randrange(keys)
        chosen = values[at // 2] if key % 2 else value  # odd keys get values about twice
        events.append({"k": key, "x": cut(type_, chosen, width), "y": 0})
    slide = rng.choice((size, size, size // 2))
    return Stream(size=size, slide=slide, events=events)


def check(design, streams):
    """Runs the streams; the sums or extrema of windows depend on each value."""
    answers = Answers(design, streams)
    run = key_bench.check(design, answers, streams, memory=Memory(latency=3), drain=5_000)
    values = sum(len(stream.events) for stream in streams)
    assert answers.tally["rows"] > values // 80
    return run, values


@pytest.mark.parametrize("name", [*daily(QUICK, 1), *OTHERS])
def test_values_of_all_kinds(name):
    design, rng = POINTS[name], random.Random(name)
    value_kinds = kinds(width_of(design), COUNT, seed=COUNT)
    run, values = check(
        design, [stream_of(design, of_kind, rng, KEYS) for _, of_kind in value_kinds]
    )
    assert values == COUNT * len(value_kinds) >= 27_000
    assert run.counters["m3_lines_written"] > values // 150


@pytest.mark.regress
@pytest.mark.parametrize(("name", "kind"), KINDS)
def test_a_million_values_of_a_kind(name, kind):
    """Uses one key: other keys would evict it from a small table before its blocks are full."""
    design, rng = POINTS[name], random.Random(f"{name} {kind}")
    values = dict(kinds(width_of(design), MANY, seed=1))[kind]
    run, _ = check(design, [stream_of(design, values, rng, keys=1)])
    assert run.counters["m3_lines_written"] > MANY // BLOCK_VALUES
