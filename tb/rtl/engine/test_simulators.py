"""The compiled runner, cocotb in Verilator and cocotb in Icarus agree on the engines."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tb.harness.simulators import cocotb_run
from tb.rtl.engine import rows_bench, test_resets, test_time, test_two_stacks, time_bench
from tb.rtl.engine.bench import CACHE, HALF, design, point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = pytest.mark.hdl

PARAMETERS = point("uint(6)", "int(10)", "min(x), sum(x), count(distinct x)", lanes=4)


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_beat_for_beat_and_cycle_for_cycle(simulator):
    dut = design(PARAMETERS)
    streams = streams_of(PARAMETERS, random.Random(1), [30, 0, 1, 57, 4])
    beats = dut.beats(streams)
    compiled = dut.model.run(beats).checked()
    other = cocotb_run(dut.text, dut.top.name, simulator, beats, cache_dir=CACHE).checked()
    assert other.beats.same(compiled.beats)
    lag = other.first_input - compiled.first_input
    assert np.array_equal(other.taken - lag, compiled.taken)


@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_rows_under_stalls(simulator):
    dut = design(PARAMETERS)
    streams = streams_of(PARAMETERS, random.Random(2), [9, 64, 0, 23])
    reads = [dut.top.registers["tuples_low"].address]
    result = cocotb_run(
        dut.text,
        dut.top.name,
        simulator,
        dut.beats(streams),
        cache_dir=CACHE,
        reads=reads,
        seed=3,
        **HALF,
    ).checked()
    assert dut.rows(result.beats) == [group_rows(PARAMETERS.query, s) for s in streams]
    assert result.reads == (96,)


def streams_in_time(name, rng):
    """Settings of their own for each stream, and one between them that is swallowed."""
    parameters = test_time.ENGINES[name]
    streams = test_time.random_streams(rng, parameters, [30, 0, 1, 60, 12])
    bad = replace(streams[0], slide=streams[0].range + 1)
    streams = [*streams[:3], bad, *streams[3:]]
    passes = map(test_time.passes_of, streams)
    return parameters, streams, list(map(time_bench.answer, [parameters] * 6, streams, passes))


def streams_of_rows(rng):
    parameters = test_two_stacks.FILTERED
    streams = test_resets.streams_of_rows(rng, [150, 0, 1, 150])
    bad = replace(streams[0], size=17)
    streams = [*streams[:2], bad, *streams[2:]]
    passes = map(test_two_stacks.passes_of, streams)
    return parameters, streams, list(map(rows_bench.answer, [parameters] * 5, streams, passes))


@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("name", ["stream", "two-stacks", "sequential", "rows"])
def test_windows_in_icarus(name, stalls):
    """Where an undefined bit spreads; with punctuations in the stream, window-ID has a tuser."""
    rng = random.Random(f"{name} {stalls}")
    parameters, streams, answers = (
        streams_of_rows(rng) if name == "rows" else streams_in_time(name, rng)
    )
    dut = time_bench.design(parameters)
    wanted = [row for rows, _ in answers for row in rows]
    names = [*(f"{name}_low" for name in time_bench.COUNTERS), "status"]
    result = cocotb_run(
        dut.text,
        dut.top.name,
        "icarus",
        dut.beats([stream.events for stream in streams]),
        cache_dir=CACHE,
        writes={
            k: time_bench.writes(dut.top, stream.settings()) for k, stream in enumerate(streams)
        },
        reads=[dut.top.registers[name].address for name in names],
        packets=len(wanted),
        seed=3,
        drain=200,
        **stalls,
    ).checked()
    assert len(wanted) > 20
    assert dut.rows(result.beats) == wanted
    noted = [sum(counts[name] for _, counts in answers) for name in time_bench.COUNTERS]
    if name == "rows":
        assert result.reads == (*noted, 8)
        return
    # Of the swallowed stream some tuples are late instead: their sum is what is known.
    *counters, status = result.reads
    late, overrun = (time_bench.COUNTERS.index(name) for name in ("late", "overrun"))
    assert counters[late] + counters[overrun] == noted[late] + noted[overrun]
    assert [n for k, n in enumerate(counters) if k not in (late, overrun)] == [
        n for k, n in enumerate(noted) if k not in (late, overrun)
    ]
    assert status == 8
