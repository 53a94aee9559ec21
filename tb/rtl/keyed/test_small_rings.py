"""Checks rings that are too small: exactly the windows that do not fit are marked."""

import random

import pytest

from golden.codecs import base_delta as model
from golden.codecs.xor import Xor as XorModel
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from tb.rtl.keyed import cache_bench
from tb.rtl.keyed.coded_bench import STEPS, valued
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE
from tb.rtl.keyed.key_windows_bench import (
    MEMORIES,
    Answer,
    Bench,
    entry_of,
    plan_of,
    streams_of,
)
from tb.rtl.keyed.small_rings import needs_of, with_small_rings

REGRESS = pytest.mark.regress
POINTS = {
    "2 blocks": (2, {"codec": BaseDelta(32), "ring_lines": 4, "entries": 4}),
    "3 blocks": (3, {"codec": BaseDelta(64), "ring_lines": 8}),
    "3 blocks, two ways": (3, {"codec": BaseDelta(32), "ring_lines": 8, "ways": 2}),
    "12 blocks, four ports": (
        12,
        {"codec": BaseDelta(64), "ring_lines": 16, "ports": 4, "width": 128},
    ),
}


def check(plan, streams, seed, codec_model, **options):
    """Runs streams; a window must be marked if it needs more closed blocks than a ring retains."""
    answer, block_needs = Answer(plan, streams), needs_of(plan, streams, codec_model)
    bench = Bench(plan, seed, **options).run(streams, len(answer.windows))
    retained = plan.store.ring.blocks - 1
    marked = [need is not None and need > retained for need in block_needs]
    assert [bool(w and w[3]) for w in bench.windows] == marked
    for actual, expected, is_marked in zip(bench.windows, answer.windows, marked, strict=True):
        assert (actual and actual[:2]) == (expected and expected[:2])
        assert is_marked or (actual and actual[2]) == (expected and expected[2])
    assert bench.evicted == answer.evicted
    assert bench.overflowed == marked
    return bench, marked


@pytest.mark.parametrize(("memory", "step"), [("restless", "both"), ("late", "far")])
@pytest.mark.parametrize("point", POINTS)
@REGRESS
def test_windows_that_do_not_fit_are_marked(point, memory, step):
    rng = random.Random(f"{point} {memory} {step}")
    blocks, options = POINTS[point]
    plan = with_small_rings(plan_of(items=8, **options), blocks)
    streams = streams_of(rng, plan, [200, 0, 1, 300, 60], keys=3)
    window_max = plan.window.rows.window_max
    streams.append((window_max, 3, [(1 + (k > 180), 0) for k in range(420)]))
    streams = valued(rng, plan, streams, STEPS[step])
    width = plan.store.ring.codec.width
    bench, marked = check(
        plan, streams, f"{point} {memory}", model.BaseDelta(width), **MEMORIES[memory]
    )
    assert bench.written > 3
    assert any(marked) or step != "far"
    assert not all(marked[:-1])


@pytest.mark.in_turn
def test_noise_of_two_keys():
    """Noise has 16 values of 32 bits in a block, so a window of 64 needs up to 4 closed blocks.

    All windows of the other key fit into 2 closed blocks, so none of its windows is marked.
    """
    rng, value, tuples = random.Random(7), 0, []
    for k in range(150):
        value = (value + rng.randint(-9, 9)) % 1000
        tuples.append((5, rng.getrandbits(31)) if k % 3 else (6, value))
    plan = with_small_rings(plan_of(items=8, codec=BaseDelta(32), ring_lines=8, entries=4), 3)
    streams = [(40, 3, tuples), (10, 10, tuples[:30])]
    bench, marked = check(plan, streams, 7, model.BaseDelta(32), latency=5, stall_in=0.1)
    keys = {window[0] for window, mark in zip(bench.windows, marked, strict=True) if mark}
    assert keys == {5}
    assert 3 < sum(marked) < len(marked) - 5


@REGRESS
def test_windows_fit_again_after_noise():
    """A key of small steps has noise for a while: later windows are right, and no longer marked."""
    plan = with_small_rings(plan_of(items=8, codec=BaseDelta(64), ring_lines=16), 6)
    size, rng, value, tuples = 128, random.Random(3), 0, []
    for k in range(700):
        value = rng.getrandbits(63) if 250 <= k < 330 else (value + rng.randint(0, 9)) % (1 << 63)
        tuples.append((5, value))
    _, marked = check(plan, [(size, 1, tuples)], 3, model.BaseDelta(64))
    first, last = marked.index(True), len(marked) - 1 - marked[::-1].index(True)
    assert 250 - size < first < 330 - size
    assert 330 - size < last < 330
    assert not any(marked[330:])


@REGRESS
def test_keys_that_evict_each_other_begin_with_an_empty_ring():
    rng, plan = random.Random(5), with_small_rings(plan_of(items=8, codec=BaseDelta(64)), 3)
    alike = [key for key in range(64) if entry_of(plan, key) == entry_of(plan, 5)][:2]
    tuples = [(alike[n % 2], 0) for n in range(16) for _ in range(rng.randint(20, 90))]
    streams = valued(rng, plan, [(20, 1, tuples)], 1 << 62)
    _, marked = check(plan, streams, 5, model.BaseDelta(64), latency=7)
    assert 10 < sum(marked) < len(marked) - 10


@pytest.mark.in_turn
@pytest.mark.parametrize("fails", [False, True])
def test_a_failed_read_of_a_block_that_gives_way_is_reported(fails):
    """No window closes, so only ``failed`` can show that a read has failed."""
    plan = with_small_rings(plan_of(items=8, codec=BaseDelta(64), ring_lines=8), 3)
    rng = random.Random(2)
    stream = (64, 1, [(5, rng.getrandbits(63)) for _ in range(60)])
    bench = Bench(plan, 2, latency=4)
    every_line = range(bench.bases[0] * PAGE, (bench.bases[0] + 1) * PAGE, LINE)
    bench.slaves[0].bad["reads"] = every_line if fails else ()
    bench.run([stream], 1)
    assert bench.windows == [None]
    assert bench.read > 0
    assert bench.has_failed == fails


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", [0, *(pytest.param(s, marks=REGRESS) for s in (1, 2, 3))])
def test_a_reset_while_a_block_gives_way(seed):
    rng, plan = random.Random(seed), with_small_rings(plan_of(items=8, codec=BaseDelta(64)), 3)
    noise = [(32, 1, [(rng.randrange(2), 0) for _ in range(300)])]
    earlier, streams = (valued(rng, plan, noise, step) for step in (1 << 62, None))
    answer, block_needs = Answer(plan, streams), needs_of(plan, streams, model.BaseDelta(64))
    bench = Bench(plan, seed, latency=9)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [bool(w and w[3]) for w in bench.windows] == [
        n is not None and n > 2 for n in block_needs
    ]
    for actual, expected in zip(bench.windows, answer.windows, strict=True):
        assert actual is expected or actual[3] or actual[:3] == expected


CACHED = {
    "base-delta": (BaseDelta(32), model.BaseDelta(32), 3),
    "xor": (Xor(32), XorModel(32), 4),
}


@REGRESS
@pytest.mark.parametrize("point", CACHED)
@pytest.mark.parametrize("step", ["both", "far"])
def test_windows_from_a_cache_are_complete(point, step):
    """A window from the cache needs no block, so its row is right; the other windows are marked."""
    codec, codec_model, blocks = CACHED[point]
    rng = random.Random(f"{point} {step}")
    plan = with_small_rings(cache_bench.plan_with(1, 8, codec=codec, ring_lines=8), blocks)
    tuples = [(k // 150 % 2 + 1 if rng.random() < 0.97 else 3, 0) for k in range(600)]
    streams = valued(rng, plan, [(64, 2, tuples), (50, 50, tuples[:300])], STEPS[step])
    marked, hits = check_cached(plan, streams, point, codec_model)
    assert sum(marked) > 3
    assert len(hits) > 3


def check_cached(plan, streams, seed, codec_model):
    """Runs streams with a cache; exactly the windows that do not fit must be marked, but no hit."""
    answer, block_needs = Answer(plan, streams), needs_of(plan, streams, codec_model)
    hits, retained = cache_bench.hit_windows(plan, streams), plan.store.ring.blocks - 1
    bench = cache_bench.CacheBench(plan, seed, latency=5, stall_in=0.1)
    bench.run(streams, len(answer.windows))
    marked = [
        need is not None and need > retained and number not in hits
        for number, need in enumerate(block_needs)
    ]
    assert [bool(w and w[3]) for w in bench.windows] == marked
    expected_windows = cache_bench.answered(answer.windows)
    for actual, expected in zip(bench.windows, expected_windows, strict=True):
        assert actual is expected or actual[3] or actual[:3] == expected
    assert bench.overflowed == marked
    assert bench.counted["cached_windows"] == len(hits)
    return marked, hits


@pytest.mark.in_turn
@pytest.mark.parametrize("point", ["xor", pytest.param("base-delta", marks=REGRESS)])
def test_a_marked_window_claims_a_place(point):
    """Windows follow each other without a common value, so the cache delivers the next ones.

    The blocks of the marked window began before the key claimed the place, so the cache has not
    noted them, and must not walk along them. Equal values are a single block, which began before
    the claim, too. Then another key takes the place, and the windows that follow are read again.
    """
    codec, codec_model, blocks = CACHED[point]
    rng, tuples = random.Random(point), []
    for turn in range(4):
        noise = [rng.getrandbits(31) for _ in range(48)]  # three blocks
        calm = [1000 + turn] * ((3 + turn) * 64 - len(noise))
        values = [(1, value) for value in noise + calm]
        tuples += [*values[:128], *(64 * [(2, 77)]), *values[128:]]
    plan = with_small_rings(cache_bench.plan_with(1, 8, codec=codec, ring_lines=8), blocks)
    marked, hits = check_cached(plan, [(64, 64, tuples)], point, codec_model)
    assert any(marked)
    assert len(hits) >= 2
