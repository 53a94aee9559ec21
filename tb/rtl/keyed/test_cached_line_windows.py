"""Checks windows of keys from the cache and from lines of M3, and their order, against lists."""

import random

import pytest

from tb.rtl.keyed.cache_bench import CacheBench, answered, check, with_cache
from tb.rtl.keyed.key_windows_bench import MEMORIES, Answer, plan_of, tuples_of

REGRESS = pytest.mark.regress
#: Places and lanes of the cache, and options of the store.
POINTS = {
    "mlq": (2, 4, {"ring_lines": 2}),
    "two lines of M2": (1, 8, {"ring_lines": 4, "m2_lines": 2, "ways": 2}),
    "dram-only": (2, 16, {"memory": "dram-only", "ring_lines": 4, "ports": 2}),
    "items of 16 lanes": (3, 1, {"items": 16, "ring_lines": 2, "word_items": 4}),
}


def plan_with(point):
    places, lanes, options = POINTS[point]
    return with_cache(plan_of(entries=4, **options), places, lanes)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("memory", ["restless", pytest.param("quick", marks=REGRESS)])
@pytest.mark.parametrize(
    "point", [name if name == "mlq" else pytest.param(name, marks=REGRESS) for name in POINTS]
)
def test_windows_are_those_of_lists(point, memory):
    """Keys lose their places in the cache, and their entries while they have a place."""
    rng, plan = random.Random(point), plan_with(point)
    largest = plan.window.rows.window_max
    streams = [
        (5, 1, tuples_of(rng, 120, 6)),
        (largest, 3, tuples_of(rng, 130, 3)),
        (2, 2, tuples_of(rng, 0, 3)),
        (1, 1, tuples_of(rng, 40, 3)),
    ]
    bench, answer = check(plan, streams, point, **MEMORIES[memory])
    assert len(answer.evicted) > len(streams)
    windows = len(answer.windows) - len(streams)
    assert 10 < bench.counted["cached_windows"] < windows - 10


@pytest.mark.in_turn
def test_nothing_is_read_for_what_is_in_the_cache():
    """One key with a window of 20 values, in lines of 8, after each value.

    Lines are read only for the windows before the first hit. With 8 lanes a hit takes 3 cycles.
    """
    plan, size = with_cache(plan_of(ring_lines=4), 1, 8), 20
    stream = (size, 1, [(5, k) for k in range(160)])
    bench, _ = check(plan, [stream], 1, latency=3)
    earlier, _ = check(plan, [(*stream[:2], stream[2][: 2 * size - 2])], 1, latency=3)
    assert earlier.counted["cached_windows"] == 0
    assert bench.read == earlier.read > 0
    assert bench.written == 160 // 8
    cycles = bench.source.run.cycles[80:]
    assert cycles[-1] - cycles[0] == 3 * (len(cycles) - 1)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "point", ["mlq", *(pytest.param(p, marks=REGRESS) for p in POINTS if p != "mlq")]
)
def test_a_reset_empties_it(point):
    """After the reset keys have the same places in the table, and other values."""
    rng, plan = random.Random(point), plan_with(point)
    earlier = [(6, 1, tuples_of(rng, 200, 2))]
    streams = [(6, 1, tuples_of(rng, 60, 2))]
    answer = Answer(plan, streams)
    bench = CacheBench(plan, point, latency=4)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)


@pytest.mark.in_turn
def test_a_window_around_the_ring_whose_key_loses_its_place():
    """One place of the cache for two keys, whose windows of 64 values go around rings of 8 lines.

    In the rings of dram-only each value replaces the value 64 before, also if the window comes out
    of the cache: the windows after the key has lost its place are read from M3.
    """
    rng = random.Random(7)
    options = {"entries": 4, "ways": 2, "memory": "dram-only", "ring_lines": 8, "ports": 2}
    plan = with_cache(plan_of(**options), 1, 16)
    keys = [(3, 5)[burst % 2] for burst in range(12) for _ in range(rng.randrange(68, 112))]
    size = plan.window.rows.window_max
    bench, answer = check(plan, [(size, 1, [(key, k) for k, key in enumerate(keys)])], 7, latency=3)
    assert bench.counted["cached_windows"] > 100
    assert len(answer.windows) > bench.counted["cached_windows"] + 100
