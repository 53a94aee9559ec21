"""Checks compressed windows whose newest blocks come from copies on the chip, against lists."""

import random

import pytest

from golden.codecs import base_delta as model
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from tb.rtl.keyed import cache_bench, time_bench
from tb.rtl.keyed.coded_bench import STEPS, BitFlips, valued
from tb.rtl.keyed.copied_plans import older_of, with_copies
from tb.rtl.keyed.key_windows_bench import (
    MEMORIES,
    Answer,
    Bench,
    check,
    entry_of,
    plan_of,
    streams_of,
    tuples_of,
)
from tb.rtl.keyed.small_rings import needs_of, with_small_rings

REGRESS = pytest.mark.regress
POINTS = {
    "one copy": (1, {}),
    "two copies, two ways, values of 64 bits": (2, {"ways": 2, "codec": BaseDelta(64)}),
    "four copies, four ports": (4, {"ports": 4, "width": 128, "codec": BaseDelta(32, 4)}),
    "eight copies": (8, {"ring_lines": 16}),
}


def plan_with(copies, kind="block", **options):
    plan = plan_of(**{"codec": BaseDelta(32), "items": 8, "ring_lines": 8} | options)
    return with_copies(plan, copies, kind)


@REGRESS
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("point", POINTS)
def test_windows_are_those_of_lists(point, memory, step):
    """Windows have blocks from M3 and copies, of several keys and streams, with evictions."""
    rng, (copies, options) = random.Random(f"{point} {memory} {step}"), POINTS[point]
    plan = plan_with(copies, "ultra" if memory == "late" else "block", entries=4, **options)
    streams = streams_of(rng, plan, [150, 0, 1, 250, 60], keys=6)
    streams.append((20, 3, tuples_of(rng, 400, 3)))  # closes windows for certain
    streams = valued(rng, plan, streams, STEPS[step])
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert sum(window is not None for window in answer.windows) > 8
    assert bench.written > 3


@REGRESS
def test_windows_that_fit_read_nothing_from_m3():
    """A window of 64 values has values of at most 3 closed blocks.

    Until its feedback has come, a window is read from at most one block earlier on, so 4 copies
    suffice.
    """
    plan, rng = plan_with(4, "ultra"), random.Random(5)
    (stream,) = valued(rng, plan, [(64, 1, tuples_of(rng, 400, 2))], 100)
    bench, answer = check(plan, [stream], 5, latency=30)
    assert len(answer.windows) > 200
    assert bench.read == 0
    assert bench.counted["m3_window_values"] == 0
    assert bench.written > 5


@pytest.mark.in_turn
@pytest.mark.parametrize("copies", [1, pytest.param(2, marks=REGRESS)])
def test_only_older_blocks_come_from_m3(copies):
    """Each window is read before the next one closes, so no block is read in vain."""
    plan, size, slide = plan_with(copies), 64, 45
    (stream,) = valued(random.Random(4), plan, [(size, slide, [(5, 0)] * 330)], 1 << 20)
    bench, _ = check(plan, [stream], 4, stall_in=0.8)
    values = [value for _, value in stream[2]]
    blocks, from_m3 = older_of(model.BaseDelta(32), values, size, slide, 32, copies)
    assert bench.read == blocks > 5
    assert bench.counted["m3_window_values"] == from_m3 > 20


@pytest.mark.in_turn
def test_what_a_key_was_before_is_not_read_when_it_comes_back():
    """Two keys of one entry evict each other: copies of the earlier key lie beside its own."""
    rng, plan = random.Random(3), plan_with(8, ring_lines=4)
    alike = [key for key in range(64) if entry_of(plan, key) == entry_of(plan, 5)][:2]
    tuples = [(alike[n % 2], 0) for n in range(12) for _ in range(rng.randint(1, 50))]
    streams = valued(rng, plan, [(20, 2, tuples)], 1 << 30)
    bench, answer = check(plan, streams, 3, latency=3)
    assert len(answer.evicted) == 12
    assert bench.read == 0


@REGRESS
def test_a_window_of_one_key_takes_a_cycle_for_each_block():
    """Windows of 50 values, of which 25 fill a block: 2 or 3 closed blocks, 1 growing."""
    plan, count = plan_with(8), 600
    values = [(5, 1000 * (k // 10 % 2)) for k in range(count)]
    bench, _ = check(plan, [(50, 1, values)], 1, latency=30)
    numbers = bench.source.run.cycles[200:]
    cycles = (numbers[-1] - numbers[0]) / (len(numbers) - 1)
    assert bench.read == 0
    assert cycles < 4.1


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("copies", "blocks"),
    [(1, 3), *(pytest.param(*n, marks=REGRESS) for n in ((2, 2), (2, 6), (4, 12)))],
)
def test_blocks_that_give_way(copies, blocks):
    """Exactly the windows that do not fit into a small ring are marked."""
    rng = random.Random(copies)
    plan = with_small_rings(plan_with(copies, ring_lines=8, entries=4), blocks)
    tuples = [(rng.randrange(2), 0) for _ in range(260)]
    streams = valued(rng, plan, [(64, 5, tuples), (30, 3, tuples[:120])], None)
    answer, block_needs = Answer(plan, streams), needs_of(plan, streams, model.BaseDelta(32))
    bench = Bench(plan, copies, latency=6, stall_out=0.2).run(streams, len(answer.windows))
    marked = [need is not None and need > blocks - 1 for need in block_needs]
    assert [bool(w and w[3]) for w in bench.windows] == marked
    for actual, expected in zip(bench.windows, answer.windows, strict=True):
        assert actual is expected or actual[3] or actual[:3] == expected
    assert any(marked) == (blocks < 6)


@REGRESS
@pytest.mark.parametrize(
    ("memory", "copies", "ring_lines"), [("restless", 2, 4), ("late", 1, 8), ("quick", 8, 8)]
)
def test_windows_of_time(memory, copies, ring_lines):
    """Each block has the values of one slide, and the newest blocks come from copies."""
    rng = random.Random(f"{memory} {copies}")
    plan = time_bench.plan_of(codec=BaseDelta(32), time=10, ring_lines=ring_lines)
    plan = with_copies(plan, copies)
    streams = time_bench.streams_of(rng, plan, [150, 0, 1, 200], 4, 1000)
    bench, answer = time_bench.check(plan, streams, memory, **MEMORIES[memory])
    assert len(answer.windows) > 15
    assert bench.counted["m3_window_values"] < answer.values


@REGRESS
@pytest.mark.parametrize("codec", [Xor(32), BaseDelta(32)])
def test_beside_a_cache(codec):
    """A window from the cache reads no copy; other windows of the same keys read copies."""
    rng = random.Random(2)
    plan = with_copies(cache_bench.plan_with(1, 8, codec=codec, ring_lines=4), 2)
    streams = [(20, 3, tuples_of(rng, 200, 3)), (32, 1, tuples_of(rng, 200, 2))]
    streams = valued(rng, plan, streams, 1 << 30)
    bench, _ = cache_bench.check(plan, streams, 2, latency=5, stall_in=0.1)
    assert bench.counted["cached_windows"] > 5


@pytest.mark.in_turn
def test_blocks_of_a_stream_before_a_reset_are_forgotten():
    """After a reset keys have the same entries, and other values."""
    plan, rng = plan_with(4, codec=BaseDelta(64)), random.Random(7)
    earlier = valued(rng, plan, [(40, 1, tuples_of(rng, 300, 2))], 1 << 60)
    streams = valued(rng, plan, [(40, 1, tuples_of(rng, 200, 2))], 1 << 60)
    answer = Answer(plan, streams)
    bench = Bench(plan, 7, latency=5)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert not any(w[3] for w in bench.windows if w)


@REGRESS
def test_damage_in_m3_does_no_harm_to_copies():
    """A quarter of all bits in M3 are flipped, but the windows lie in the copies."""
    plan, rng = plan_with(8, ring_lines=8), random.Random(1)
    (stream,) = valued(rng, plan, [(40, 8, [(5, 0)] * 400)], 100)
    answer = Answer(plan, [stream])
    bench = Bench(plan, 1, stall_in=0.5)
    bench.blocked = BitFlips(bench, 400, rng)
    bench.run([stream], len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert not any(w[3] for w in bench.windows if w)


@REGRESS
def test_a_damaged_block_from_m3_marks_its_window_with_copies():
    """Windows of 100 values have older blocks, of which a quarter of the bits are flipped."""
    plan, rng = plan_with(1, ring_lines=16), random.Random(0)
    (stream,) = valued(rng, plan, [(100, 20, [(5, 0)] * 450)], 100)
    answer = Answer(plan, [stream])
    bench = Bench(plan, 0, stall_in=0.5)
    bench.blocked = BitFlips(bench, 400, rng)
    bench.run([stream], len(answer.windows))
    pairs = list(zip(bench.windows, answer.windows, strict=True))[:-1]
    assert all(actual[3] or actual[:3] == expected for actual, expected in pairs)
    damaged = [k for k, (actual, _) in enumerate(pairs) if actual[3]]
    assert damaged
    assert damaged[-1] < len(pairs) - 1
