"""Many values of each kind through compressor, memory and decoder of the shipped Verilog."""

import random
from itertools import product

import pytest

from tb.golden.codecs.kinds import kinds
from tb.harness.memory import Memory
from tb.rtl.engine import key_bench
from tb.rtl.engine.key_bench import Answers, Stream
from tb.rtl.engine.test_streamzip import POINTS

pytestmark = pytest.mark.hdl

CODECS = ("base-delta", "xor", "grid", "sz, 20 bits")
#: Of each kind of values, in CI and in `make regress`: together 50,000 and more, and a million.
COUNTS = (5_000, 100_000)
CASES = list(product(CODECS, COUNTS))
#: The grid has XOR's decoder.
DAILY = [(name, 5_000) for name in CODECS if name != "grid"]
KEYS = 4


def cut(type_, pattern, width):
    """The value of a column's type that the lowest bits of a pattern are."""
    if type_.floating:
        return pattern
    low = pattern % (1 << type_.width)
    return low - (low >> type_.width - 1 << type_.width) if type_.raw_min < 0 else low


def streams_of(design, count, rng):
    """A stream for each kind: bursts of some keys, each of which goes on in the kind's values."""
    column = design.query.columns[1]
    width = 32 if column.type.width <= 32 else 64
    most = design.options.window_max
    for _, values in kinds(width, count, seed=count):
        size = rng.choice((most, most - 1, most // 2))
        events, key = [], 0
        for at, value in enumerate(values):
            if rng.random() < 0.1:
                key = rng.randrange(KEYS)
            here = values[at // 2] if key % 2 else value  # two keys take each value twice
            events.append({"k": key, "x": cut(column.type, here, width), "y": 0})
        slide = rng.choice((size, size, size // 2))
        yield Stream(size=size, slide=slide, events=events)


@pytest.mark.parametrize(
    ("name", "count"),
    [p if p in DAILY else pytest.param(*p, marks=pytest.mark.regress) for p in CASES],
)
def test_values_of_all_kinds(name, count):
    """Sums, or extrema, of windows tell of each value."""
    design = POINTS[name]
    streams = list(streams_of(design, count, random.Random(f"{name} {count}")))
    answers = Answers(design, streams)
    done = key_bench.check(design, answers, streams, memory=Memory(latency=3), drain=5_000)
    values = sum(len(stream.events) for stream in streams)
    assert values >= (40_000 if count < 10_000 else 800_000)
    assert done.counters["m3_lines_written"] > values // 150
    assert answers.tally["rows"] > values // 80
