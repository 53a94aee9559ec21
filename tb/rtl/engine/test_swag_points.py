"""The sliding-window engine at other lanes and capacities: every row, whatever the data."""

import random

import numpy as np
import pytest

from tb.harness.compiled import ResetInStream
from tb.rtl.engine.bench import HALF, design
from tb.rtl.engine.swag_bench import ALL, expected, point, run, streams_of
from tb.rtl.engine.test_swag_rates import tuples

pytestmark = pytest.mark.hdl

FEW = "min(x), median(x), max(x), count(*)"
LARGE = pytest.mark.regress
POINTS = [
    (1, 16, "shared", FEW, "all"),
    (2, 16, "pipelined", ALL, "all"),
    (8, 16, "shared", FEW, "all"),
    (16, 16, "pipelined", FEW, "select"),
    pytest.param(4, 32, "pipelined", ALL, "all", marks=LARGE),
    pytest.param(4, 64, "shared", ALL, "select", marks=LARGE),
    pytest.param(4, 256, "shared", ALL, "select", marks=LARGE),
    pytest.param(16, 32, "shared", ALL, "select", marks=LARGE),
    pytest.param(8, 128, "shared", ALL, "select", marks=LARGE),
    pytest.param(16, 128, "shared", FEW, "all", marks=LARGE),
    pytest.param(1, 128, "pipelined", FEW, "all", marks=LARGE),
    pytest.param(2, 128, "shared", FEW, "all", marks=LARGE),
]


def parameters_of(lanes, capacity, passes, select, results):
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


@pytest.mark.parametrize(("lanes", "capacity", "passes", "select", "results"), POINTS)
def test_windows_of_every_size(lanes, capacity, passes, select, results):
    parameters = parameters_of(lanes, capacity, passes, select, results)
    dut = design(parameters)
    rng = random.Random(f"{lanes} {capacity}")
    most = min(parameters.window_max, 3000)
    sizes = {lanes, capacity, capacity + lanes, 2 * capacity, most // lanes * lanes}
    sizes |= {rng.randrange(lanes, most + 1, lanes) for _ in range(4)}
    values, counts = [], []
    for size in sorted(size for size in sizes if size <= most):
        slide = max(rng.randrange(lanes, size + 1, lanes), size // 8 // lanes * lanes, lanes)
        values.append({"size": size, "slide": slide})
        if parameters.functions:
            values[-1]["function"] = rng.randrange(len(parameters.functions))
        counts.append(size + slide * rng.randrange(4) + rng.randrange(slide))
    rng.shuffle(values)
    for stalls in ({}, HALF):
        streams = streams_of(parameters, rng, counts)
        _, got, wanted = run(dut, streams, values, seed=lanes, **stalls)
        assert got == wanted


@pytest.mark.parametrize("seed", range(6))
def test_reset_in_the_middle_of_a_stream(seed):
    """Whatever was inside, the streams fed after it are answered as if nothing had been."""
    parameters = parameters_of(2, 16, "pipelined", ALL, "all")
    dut = design(parameters)
    rng = random.Random(seed)
    size = rng.choice([4, 16, 18, 40, 64, 128])
    slide = rng.choice([2, size // 4 * 2, size])
    values = {"size": size, "slide": slide}
    streams = streams_of(parameters, rng, [150, 40, 300, 33, 200])
    beats = dut.beats(streams)
    restart = int(rng.choice(list(beats.starts)[1:]))
    first = list(beats.starts).index(restart)
    wanted = expected(parameters, streams[first:], [values] * (5 - first))
    writes = {0: [(dut.top.registers[name].address, value) for name, value in values.items()]}
    result = dut.model.run(
        beats,
        writes=writes,
        packets=sum(map(len, wanted)),
        reset=ResetInStream(cycle=rng.randrange(50, 500), beat=restart),
        seed=seed,
        drain=2000,
        **HALF,
    ).checked()
    packets = dut.rows(result.beats[result.beats_before_reset :])
    assert packets == [window for stream in wanted for window in stream]


@pytest.mark.regress
def test_8_lanes_are_twice_as_fast_as_4():
    rates = {}
    for lanes in (4, 8):
        dut = design(parameters_of(lanes, 128, "shared", ALL, "select"))
        stream = tuples("random", 1024 + 30 * 64, lanes)
        result, got, wanted = run(dut, [stream], [{"size": 1024, "slide": 64, "function": 1}])
        assert got == wanted
        ends = result.taken[np.flatnonzero(result.beats.last)]
        rates[lanes] = 30 * 64 / (ends[-1] - ends[0])
    assert rates[8] >= 1.97 * rates[4]
