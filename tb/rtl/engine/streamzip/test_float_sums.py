"""Checks sums and averages of floats in windows of keys: the shipped Verilog against lists."""

import random
from dataclasses import replace

import pytest

from rtl.bus.top import SKID_LATENCY
from sim.job import ResetInStream
from sim.memory import Memory
from tb.rtl.engine import key_time_bench
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import Answers, Stream, draw_alike, point, random_streams
from tb.rtl.engine.streamzip.row_points import FLOAT_SUMS, MEMORIES, check

pytestmark = pytest.mark.hdl

REGRESS = pytest.mark.regress
POINTS = {
    "plain": FLOAT_SUMS,
    "four values": point(8, 3, "float", "sum(x), sum(y)", window_max=64, line_values=4),
    "alone, double": point(8, 3, "double", "sum(x)", window_max=64, m2_lines=2, ports=2),
    "percentiles": point(
        *(8, 3, "double", "median(x), sum(x), max(y)"), window_max=16, capacity=16, line_values=4
    ),
    "dram-only": point(8, 3, "float", "avg(x)", window_max=32, memory="dram-only"),
    "two values": point(2, 1, "double", "sum(x), sum(y)", window_max=2, line_values=2),
}
POINTS["xor"] = point(
    *(8, 3, "float", "sum(x), count(*), min(x), avg(x)"),
    window_max=64,
    ports=2,
    stripe_lines=2,
    codec="xor",
    decoders=3,
)
POINTS["grid, alone"] = point(
    *(8, 3, "double", "sum(x)", "string(5)"), window_max=16, ports=4, codec="grid", decoders=1
)
POINTS["sz, median"] = point(
    *(8, 3, "double", "avg(x), max(x), median(x)"),
    window_max=64,
    ports=2,
    codec="sz",
    decoders=2,
)
POINTS["xor, small rings"] = point(
    *(8, 3, "float", "avg(x)"), window_max=64, codec="xor", decoders=5, expected_ratio="1/2"
)
TIMES = {
    "plain": key_time_bench.point(value="float", select="sum(x), max(y)", m2_lines=2),
    "xor": key_time_bench.point(
        value="float", select="sum(x), max(x), avg(x)", codec="xor", decoders=2, line_values=8
    ),
    "sz": key_time_bench.point(
        value="float", select="avg(x)", codec="sz", decoders=1, line_values=8
    ),
    "dram-only": key_time_bench.point(value="double", select="avg(x), sum(x)", memory="dram-only"),
}
QUICK = ("plain", "xor")
LONG = [pytest.param(name, marks=REGRESS) for name in POINTS if name not in QUICK]


def alike(rng, design, streams):
    """Returns the streams; most get numbers of similar magnitude."""
    for stream in streams:
        if rng.random() < 0.8:
            draw_alike(rng, stream.events, design.query)
    return streams


@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("name", [*QUICK, *LONG])
def test_streams_with_settings_of_their_own(name, memory):
    rng, design = random.Random(name), POINTS[name]
    streams = random_streams(rng, design, [0, 1, 300, 40, 0, 700, 3, 500], keys=12)
    _, answers = check(design, alike(rng, design, streams), **MEMORIES[memory])
    assert answers.tally["rows"] > 30


@REGRESS
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("name", TIMES)
def test_windows_of_time(name, memory):
    """The tuples of a window need not follow each other in the stream."""
    rng, design = random.Random(name), TIMES[name]
    streams = key_time_bench.random_streams(rng, design, [0, 1, 300, 40, 700, 3, 500], keys=12)
    alike(rng, design, streams)
    _, answers = key_time_bench.check(design, streams, **MEMORIES[memory])
    assert answers.tally["rows"] > 30


@REGRESS
@pytest.mark.parametrize("seed", range(8))
def test_any_streams(seed):
    rng = random.Random(seed)
    design = POINTS[rng.choice(list(POINTS))]
    counts = [rng.choice([0, 1, 30, 400, 2000]) for _ in range(12)]
    streams = random_streams(rng, design, counts, keys=rng.choice([2, 6, 14, 40]))
    memory = Memory(delay=rng.choice([0, 50]), stall=rng.random() / 2, reorder=bool(seed % 2))
    stalls = rng.choice([{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}])
    check(design, alike(rng, design, streams), memory=memory, seed=seed, **stalls)


@pytest.mark.in_turn
def test_latency_is_that_of_the_parts():
    design = FLOAT_SUMS
    stream = Stream(size=1, slide=1, events=[{"k": 3, "x": 0x3F800000, "y": 1}])
    result, _ = check(design, [stream])
    outcome, predicted = result.outcome, design.predict(size=1, slide=1).cycles
    assert outcome.first_output - outcome.first_input == predicted + SKID_LATENCY


@pytest.mark.in_turn
@pytest.mark.parametrize("name", QUICK)
def test_a_reset_drops_partial_sums(name):
    """A reset within the first stream also drops the lines of a started window.

    So the rows of the second stream are the same as without the first stream.
    """
    rng, design = random.Random(3), POINTS[name]
    streams = random_streams(rng, design, [300, 300], keys=3)
    streams = [replace(stream, size=7, slide=2) for stream in streams]
    draw_alike(rng, streams[1].events, design.query)
    inputs = [s.events for s in streams], [s.settings(design) for s in streams]
    expected = Answers(design, streams).packets[1]
    assert len(expected) > 50
    for cycle in (150, 151, 152, 153, 199, 250):
        reset = ResetInStream(cycle=cycle, beat=300)
        result = shipped(design).run(*inputs, reset=reset, packets=1, stall_output=0.3, seed=cycle)
        assert result.packets == [expected]
