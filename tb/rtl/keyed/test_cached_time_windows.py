"""Checks windows of time of keys from the cache, from lines and from blocks, against lists."""

import random

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from tb.rtl.keyed.cache_bench import CacheTimeBench, answered, check_times, with_cache
from tb.rtl.keyed.key_windows_bench import MEMORIES
from tb.rtl.keyed.small_rings import with_small_rings
from tb.rtl.keyed.time_bench import Answer, plan_of, streams_of, tuples_of

REGRESS = pytest.mark.regress
#: Places and lanes of the cache, and options of the plan.
POINTS = {
    "lines": (2, 4, {"time": 10, "m2_lines": 2}),
    "blocks": (2, 4, {"time": 10, "codec": Xor(32), "ring_lines": 4}),
    "lines, one mark": (1, 16, {"time": 10, "marks": 1, "entries": 4, "overlap": 16}),
    "dram-only": (3, 2, {"time": 10, "memory": "dram-only", "ways": 2}),
    "base-delta": (1, 8, {"time": 10, "codec": BaseDelta(32), "ports": 2, "width": 128}),
}


def plan_with(point):
    places, lanes, options = POINTS[point]
    return with_cache(plan_of(**options), places, lanes)


@pytest.mark.in_turn
@pytest.mark.parametrize("memory", ["restless", pytest.param("quick", marks=REGRESS)])
@pytest.mark.parametrize(
    "point",
    [n if n in ("lines", "blocks") else pytest.param(n, marks=REGRESS) for n in POINTS],
)
def test_windows_are_those_of_lists(point, memory):
    """Late tuples, tuples in disorder, full rings and evictions, and another length per stream."""
    rng, plan = random.Random(point), plan_with(point)
    streams = streams_of(rng, plan, [60, 0, 90, 40], 3, 1000)
    streams.append(({"range": 9, "slide": 2, "start": 0}, [(1, k // 2, k) for k in range(90)]))
    bench, answer = check_times(plan, streams, point, **MEMORIES[memory])
    assert 5 < bench.counted["cached_windows"] < len(answer.windows) - 5


def full_ring(rng):
    """Returns tuples of two keys in disorder; one key has more values than its ring holds."""
    tuples, current = [], 0
    for k in range(250):
        current += rng.random() < (0.9 if k % 100 < 70 else 0.5)
        tuples.append((3 if rng.random() < 0.8 else 4, max(0, current - rng.randrange(3)), k))
    return tuples


@REGRESS
@pytest.mark.parametrize("memory", MEMORIES)
def test_a_ring_that_is_full(memory):
    """Windows need more than the 15 usable blocks of a ring; walks free the blocks of hits."""
    rng = random.Random(memory)
    options = {"codec": BaseDelta(32), "time": 10, "ring_lines": 4, "marks": 2}
    plan = with_cache(plan_of(**options), 2, 4)
    streams = [({"range": 23, "slide": 3, "start": 0}, full_ring(rng))]
    bench, answer = check_times(plan, streams, memory, **MEMORIES[memory])
    assert answer.overrun > 20
    assert bench.counted["cached_windows"] > 5


@pytest.mark.in_turn
def test_one_key_has_no_pause_with_blocks():
    """Each tuple closes a window from the cache, and a block, whose walk steps at once."""
    plan = with_cache(plan_of(codec=BaseDelta(32), time=10, ring_lines=64, marks=4), 1, 32)
    streams = [({"range": 5, "slide": 1, "start": 0}, [(5, k, k) for k in range(120)])]
    bench, answer = check_times(plan, streams, 1, latency=3)
    input_cycles = bench.source.run.cycles[80:120]
    assert input_cycles[-1] - input_cycles[0] == len(input_cycles) - 1
    assert bench.counted["cached_windows"] >= len(answer.windows) - 10


@REGRESS
@pytest.mark.parametrize("memory", MEMORIES)
def test_windows_from_a_cache_are_complete_in_small_rings(memory):
    """A ring of 5 blocks is too small: only windows that are read from blocks may be marked.

    The tuples are the same with each memory, because other tuples need not overflow a ring.
    """
    rng, time, tuples = random.Random("restless"), 0, []
    for k in range(500):
        time += rng.random() < 0.05
        noisy = 100 <= k < 400
        tuples.append((3 + (rng.random() < 0.2), time, rng.getrandbits(15) if noisy else k))
    plan = plan_of(codec=BaseDelta(32), time=10, ring_lines=64, items=4)
    plan = with_cache(with_small_rings(plan, 5), 2, 16)
    streams = [({"range": 6, "slide": 2, "start": 0}, tuples)]
    answer = Answer(plan, streams)
    bench = CacheTimeBench(plan, memory, **MEMORIES[memory]).run(streams, len(answer.windows))
    for actual, expected in zip(bench.windows, answered(answer.windows), strict=True):
        assert (actual and actual[:2]) == (expected and expected[:2])
        assert actual is None or actual[3] or actual[:3] == expected
    unmarked = sum(window is not None and not window[3] for window in bench.windows)
    assert 3 < bench.counted["cached_windows"] <= unmarked
    assert any(window is not None and window[3] for window in bench.windows)


@REGRESS
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("point", POINTS)
def test_any_streams(point, seed):
    rng, plan = random.Random(f"{point} {seed}"), plan_with(point)
    settings = {"range": rng.choice((5, 9, 14)), "slide": rng.choice((2, 3, 5)), "start": 0}
    streams = [(settings, tuples_of(rng, 300, keys, settings, 1000)) for keys in (1, 2, 4)]
    check_times(plan, streams, seed, **MEMORIES[rng.choice(list(MEMORIES))])
