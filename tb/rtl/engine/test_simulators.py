"""The compiled runner, cocotb with Verilator and cocotb with Icarus agree on the engines."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tb.rtl.engine import key_bench, rows_bench, time_bench, time_streams
from tb.rtl.engine.bench import HALF, joined, shipped
from tb.rtl.engine.group_bench import point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = pytest.mark.hdl

DESIGN = point("uint(6)", "int(10)", "min(x), sum(x), count(distinct x)", lanes=4)


@pytest.mark.in_turn
@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_beat_for_beat_and_cycle_for_cycle(simulator):
    streams = streams_of(DESIGN, random.Random(1), [30, 0, 1, 57, 4])
    compiled, other = (
        shipped(DESIGN, name).run(streams).outcome for name in ("compiled", simulator)
    )
    assert other.beats.same(compiled.beats)
    lag = other.first_input - compiled.first_input
    assert np.array_equal(other.beat_cycles - lag, compiled.beat_cycles)


@pytest.mark.in_turn
@pytest.mark.parametrize("simulator", ["verilator", "icarus"])
def test_rows_under_stalls(simulator):
    streams = streams_of(DESIGN, random.Random(2), [9, 64, 0, 23])
    result = shipped(DESIGN, simulator).run(streams, seed=3, **HALF)
    assert result.packets == [group_rows(DESIGN.query, stream) for stream in streams]
    assert result.counters["tuples"] == 96
    assert result.errors == set()


def streams_in_time(name, rng):
    """Returns streams with different settings, and a swallowed stream between them."""
    design = time_streams.ENGINES[name]
    streams = time_streams.random_streams(rng, design, [30, 0, 1, 60, 12])
    bad = replace(streams[0], slide=streams[0].range + 1)
    streams = [*streams[:3], bad, *streams[3:]]
    passes = map(time_streams.passes_of, streams)
    return design, streams, joined(map(time_bench.answer, [design] * 6, streams, passes))


def streams_of_rows(rng):
    design = rows_bench.FILTERED
    streams = rows_bench.random_streams(rng, [150, 0, 1, 150])
    bad = replace(streams[0], size=17)
    streams = [*streams[:2], bad, *streams[2:]]
    passes = map(rows_bench.passes_of, streams)
    return design, streams, joined(map(rows_bench.answer, [design] * 5, streams, passes))


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, HALF], ids=["free", "stalled"])
@pytest.mark.parametrize("name", ["stream", "two-stacks", "sequential", "rows"])
def test_windows_in_icarus(name, stalls):
    """Icarus shows undefined bits; window-ID with punctuations in the stream has a tuser."""
    rng = random.Random(f"{name} {stalls}")
    design, streams, (expected, tally) = (
        streams_of_rows(rng) if name == "rows" else streams_in_time(name, rng)
    )
    result = time_bench.run(
        design, streams, len(expected), simulator="icarus", seed=3, drain=200, **stalls
    )
    assert len(expected) > 20
    assert result.rows == expected
    assert result.errors == {"bad_setting"}
    actual_tally = result.tally
    if name != "rows":  # some tuples of the swallowed stream count as late
        for counts in (actual_tally, tally):
            counts["dropped"] = counts.pop("late") + counts.pop("overrun")
    assert actual_tally == tally


@pytest.mark.in_turn
def test_medians_of_keys_in_icarus():
    """Lines of a window that is not full hold memory that was never written: undefined in Icarus.

    Undefined values must not reach the sorter's comparisons, which decide what is popped.
    """
    rng = random.Random(7)
    design = key_bench.point(value="uint(8)", select="median(x), count(*)", key="uint(3)")
    tuples = [{"k": rng.randrange(3), "x": rng.randrange(256), "y": 0} for _ in range(40)]
    stream = key_bench.Stream(size=5, slide=2, events=tuples)
    answers = key_bench.Answers(design, [stream])
    dut = shipped(design, "icarus")
    result = dut.run(
        [tuples], [stream.settings(design)], packets={"m_axis": 1, "m_axis_evicted": 1}
    )
    assert len(answers.packets[0]) > 10
    assert result.packets == answers.packets


@pytest.mark.in_turn
def test_an_empty_stream_of_compressed_values_in_icarus():
    """The end of an empty stream carries numbers that were never written: undefined in Icarus.

    Undefined values must not reach the counter of the windows' values.
    """
    design = key_bench.point(
        value="float", select="max(x), count(*)", key="uint(8)", codec="grid", entries=1024
    )
    settings = key_bench.Stream(size=5, slide=2, events=[]).settings(design)
    result = shipped(design, "icarus").run(
        [[]], [settings], packets={"m_axis": 1, "m_axis_evicted": 1}
    )
    assert result.packets == [[]]
    assert result.counters["window_values"] == 0
