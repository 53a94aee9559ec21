"""Checks the Verilog of the two-stacks engine.

The engine answers all windows, accepts a tuple in every cycle, and has one latency.
"""

import random

import numpy as np
import pytest

from rtl.bus.top import SKID_LATENCY
from tb.rtl.engine.bench import HALF, joined
from tb.rtl.engine.rows_bench import (
    FILTERED,
    Stream,
    answer,
    passes_of,
    point,
    random_and_refused_streams,
)
from tb.rtl.engine.time_bench import run

pytestmark = pytest.mark.hdl

FLOATS = point(value="float", select="min(x), max(x), count(*)", window_max=16)


@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("seed", range(4))
def test_streams_with_settings_of_their_own(seed, stalls):
    """Streams with settings that do not fit are refused; the streams around them are answered."""
    rng = random.Random(f"{seed} {stalls}")
    streams = random_and_refused_streams(rng, [0, 1, 40, 7, 120, 0, 60, 3, 200, 30])
    expected, tally = joined(answer(FILTERED, stream, passes_of(stream)) for stream in streams)
    result = run(FILTERED, streams, len(expected), seed=seed, **stalls)
    assert result.rows == expected
    assert result.tally == tally
    allowed = all(stream.allowed(FILTERED) for stream in streams)
    assert result.errors == (set() if allowed else {"bad_setting"})


def test_floats_in_total_order_without_nans():
    rng = random.Random(3)
    raws = [0x80000000, 0, 0x3F800000, 0xBF800000, 0x7FC00000, 0xFFC00001, 0x7F800000, 0xFF800000]
    streams = [
        Stream(size=5, slide=2, events=[{"x": rng.choice(raws)} for _ in range(count)])
        for count in (60, 4, 33)
    ]
    expected, tally = joined(answer(FLOATS, stream) for stream in streams)
    result = run(FLOATS, streams, len(expected))
    assert result.rows == expected
    assert result.tally == tally


@pytest.mark.parametrize("value", [16, 1 << 20])
def test_a_constant_that_does_not_fit_swallows_the_stream(value):
    """``y`` has 4 bits; the next stream has a constant that fits, and is answered."""
    events = [{"x": 0, "y": k} for k in range(6)]
    constants = {"where0": 3, "where1": 1}
    bad = Stream(size=2, slide=1, events=events, constants=constants | {"where0": value})
    good = Stream(size=2, slide=1, events=events, constants=constants)
    expected, _ = answer(FILTERED, good, passes_of(good))
    assert len(expected) == 2
    result = run(FILTERED, [good, bad, good], 4)
    assert result.rows == expected * 2
    assert result.errors == {"bad_setting"}
    assert result.counters["filtered"] + result.counters["overrun"] == 3 + 3 + 6


POINT = point(8, 1, "int(16)", "max(x), sum(x)", window_max=1 << 10)
BIG = point(8, 1, "int(16)", "max(x), sum(x)", window_max=1 << 16)


def steady(design, size, slide, count):
    """Checks a run with a tuple in every cycle, no stall, equal latencies, and correct rows."""
    rng = random.Random(size)
    events = [{"x": rng.randrange(-(1 << 15), 1 << 15)} for _ in range(count)]
    stream = Stream(size=size, slide=slide, events=events)
    windows = (count - size) // slide + 1
    result = run(design, [stream], windows)
    outcome, rows = result.outcome, result.rows
    assert (result.errors, outcome.input_stalled) == (set(), 0)
    assert outcome.last_input - outcome.first_input == count - 1
    ends = outcome.first_input + np.arange(size - 1, count, slide)
    latencies = set((outcome.beat_cycles - ends).tolist())
    assert latencies == {design.prediction.cycles + SKID_LATENCY}
    xs = np.array([event["x"] for event in events])
    sums = np.concatenate([[0], np.cumsum(xs)])
    starts = np.arange(0, count - size + 1, slide)
    assert [total for _, total in rows] == (sums[starts + size] - sums[starts]).tolist()
    greatest = [maximum for maximum, _ in rows]
    for k in rng.sample(range(windows), min(windows, 300)):
        assert greatest[k] == xs[starts[k] : starts[k] + size].max()


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("slide", [1, 3, 64, 0])
@pytest.mark.parametrize("size", [8, 64, 1024])
def test_a_tuple_in_every_cycle(size, slide):
    steady(POINT, size, min(slide, size) or size, 3 * size + 200)


@pytest.mark.regress
@pytest.mark.parametrize("slide", [1, 3, 64, 0])
@pytest.mark.parametrize("size", [1 << k for k in range(3, 17)])
def test_a_tuple_in_every_cycle_up_to_65536(size, slide):
    steady(BIG, size, min(slide, size) or size, 2 * size + 1000)
