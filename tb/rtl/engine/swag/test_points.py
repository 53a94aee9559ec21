"""The sliding-window engine with other lanes and capacities: every row, for all kinds of data."""

import random

import numpy as np
import pytest

from sim.job import ResetInStream
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.swag_bench import AGGREGATES, expected, point, run, streams_of
from tb.rtl.engine.swag_bench import patterned_tuples as tuples

pytestmark = pytest.mark.hdl

FOUR_AGGREGATES = "min(x), median(x), max(x), count(*)"
LARGE = pytest.mark.regress
POINTS = [
    pytest.param(1, 16, "shared", FOUR_AGGREGATES, "all", marks=LARGE),
    (2, 16, "pipelined", AGGREGATES, "all"),
    pytest.param(8, 16, "shared", FOUR_AGGREGATES, "all", marks=LARGE),
    pytest.param(16, 16, "pipelined", FOUR_AGGREGATES, "select", marks=LARGE),
    pytest.param(4, 32, "pipelined", AGGREGATES, "all", marks=LARGE),
    pytest.param(4, 64, "shared", AGGREGATES, "select", marks=LARGE),
    pytest.param(4, 256, "shared", AGGREGATES, "select", marks=LARGE),
    pytest.param(16, 32, "shared", AGGREGATES, "select", marks=LARGE),
    pytest.param(8, 128, "shared", AGGREGATES, "select", marks=LARGE),
    pytest.param(16, 128, "shared", FOUR_AGGREGATES, "all", marks=LARGE),
    pytest.param(1, 128, "pipelined", FOUR_AGGREGATES, "all", marks=LARGE),
    pytest.param(2, 128, "shared", FOUR_AGGREGATES, "all", marks=LARGE),
]


def design_of(lanes, capacity, passes, select, results):
    return point(
        "uint(32)",
        "int(32)",
        select,
        lanes=lanes,
        capacity=capacity,
        passes=passes,
        results=results,
        size=lanes,
        slide=lanes,
        window_max=min(capacity * capacity, 16384),
    )


@pytest.mark.in_turn
@pytest.mark.long("lanes")
@pytest.mark.parametrize(("lanes", "capacity", "passes", "select", "results"), POINTS)
def test_windows_of_every_size(lanes, capacity, passes, select, results):
    design = design_of(lanes, capacity, passes, select, results)
    rng = random.Random(f"{lanes} {capacity}")
    max_size = min(design.options.resolved.window_max, 3000)
    functions = len(design.settings.functions)
    sizes = {lanes, capacity, capacity + lanes, 2 * capacity, max_size // lanes * lanes}
    sizes |= {rng.randrange(lanes, max_size + 1, lanes) for _ in range(4)}
    settings, counts = [], []
    for size in sorted(size for size in sizes if size <= max_size):
        slide = max(rng.randrange(lanes, size + 1, lanes), size // 8 // lanes * lanes, lanes)
        settings.append({"size": size, "slide": slide})
        if functions:
            settings[-1]["function"] = rng.randrange(functions)
        counts.append(size + slide * rng.randrange(4) + rng.randrange(slide))
    # Settings and counts stay in pairs, so each stream has enough tuples for a window.
    pairs = list(zip(settings, counts, strict=True))
    rng.shuffle(pairs)
    settings, counts = ([pair[k] for pair in pairs] for k in range(2))
    for stalls in ({}, HALF):
        streams = streams_of(design, rng, counts)
        _, actual, expected_windows = run(shipped(design), streams, settings, seed=lanes, **stalls)
        assert all(expected_windows)
        assert actual == expected_windows


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(6))
def test_reset_in_the_middle_of_a_stream(seed):
    """Streams after the reset are answered, whatever the engine contained before."""
    design = design_of(2, 16, "pipelined", AGGREGATES, "all")
    dut = shipped(design)
    rng = random.Random(seed)
    size = rng.choice([4, 16, 18, 40, 64, 128])
    slide = rng.choice([2, size // 4 * 2, size])
    settings = {"size": size, "slide": slide}
    streams = streams_of(design, rng, [150, 40, 300, 33, 200])
    beats = dut.beats(streams)
    restart = int(rng.choice(list(beats.starts)[1:]))
    first = list(beats.starts).index(restart)
    expected_windows = expected(design, streams[first:], [settings] * (5 - first))
    result = dut.run(
        beats,
        [settings],
        packets=sum(map(len, expected_windows)),
        reset=ResetInStream(cycle=rng.randrange(50, 500), beat=restart),
        seed=seed,
        drain=2000,
        **HALF,
    )
    assert result.packets == [window for stream in expected_windows for window in stream]


@pytest.mark.regress
def test_8_lanes_are_twice_as_fast_as_4():
    rates = {}
    for lanes in (4, 8):
        dut = shipped(design_of(lanes, 128, "shared", AGGREGATES, "select"))
        stream = tuples("random", 1024 + 30 * 64, lanes)
        result, actual, expected_windows = run(
            dut, [stream], [{"size": 1024, "slide": 64, "function": 1}]
        )
        assert actual == expected_windows
        ends = result.outcome.beat_cycles[np.flatnonzero(result.outcome.beats.last)]
        rates[lanes] = 30 * 64 / (ends[-1] - ends[0])
    assert rates[8] >= 1.97 * rates[4]
