"""Checks compressed windows of time of keys, from blocks of one slide each, against lists."""

import random

import pytest

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from tb.rtl.keyed.coded_bench import BitFlips
from tb.rtl.keyed.key_windows_bench import MEMORIES
from tb.rtl.keyed.time_bench import (
    Answer,
    TimeBench,
    check,
    check_errors,
    plan_of,
    settings_of,
    streams_of,
    tuples_of,
)

REGRESS = pytest.mark.regress


def plan_with(**options):
    return plan_of(**{"codec": BaseDelta(32), "time": 10} | options)


@pytest.mark.regress
@pytest.mark.parametrize(
    ("memory", "slide", "pace"),
    [("restless", 3, 0.9), ("late", 3, 0.5), ("quick", 10, 0.5), ("restless", 10, 0.9)],
)
def test_a_ring_that_is_full(memory, slide, pace):
    """Windows need more than the 15 usable blocks of a ring, however few values each block has."""
    rng = random.Random(f"{memory} {slide}")
    plan = plan_with(ring_lines=4, marks=2)
    tuples, current = [], 0
    for k in range(250):
        current += rng.random() < (pace if k % 100 < 70 else 0.5)
        tuples.append((3 if rng.random() < 0.8 else 4, max(0, current - rng.randrange(3)), k))
    streams = [({"range": 20 + slide, "slide": slide, "start": 0}, tuples)]
    bench, answer = check(plan, streams, memory, **MEMORIES[memory])
    assert answer.overrun > 20
    assert len(answer.windows) > 20
    assert bench.written > 10


@pytest.mark.in_turn
def test_values_in_turn_of_two_slides():
    """Values of two slides alternate, so each value fills a block: all blocks are needed at a time,
    and nothing stalls.
    """
    plan = plan_with(ring_lines=4)
    times = [4 * (k // 20) + 1 + k % 2 for k in range(90)]
    tuples = [(3, time, k) for k, time in enumerate(times)]
    bench, answer = check(plan, [({"range": 3, "slide": 2, "start": 0}, tuples)], 1, latency=9)
    assert answer.late == 0
    assert answer.overrun > 10
    assert bench.written == 90 - answer.overrun - 1


@pytest.mark.in_turn(5)
def test_a_block_has_values_of_one_slide():
    """Ten values of a slide take a block, though a block has room for more: every slide but the
    last writes one.
    """
    plan = plan_with(ring_lines=16)
    tuples = [(3, k // 10, 0) for k in range(70)]
    bench, answer = check(plan, [({"range": 3, "slide": 1, "start": 0}, tuples)], 2)
    assert bench.written == 6
    assert [len(w[2]) for w in answer.windows if w] == [30] * 4


@pytest.mark.in_turn
def test_a_window_is_read_from_its_first_block():
    """Windows of 6 slides, one block each, are so far apart that each is read before the next
    closes.

    M3 has 5 of these blocks. With one mark the head of a window is up to 6 slides before the
    window.
    """
    plan = plan_with(marks=1, ring_lines=16)
    tuples = [(3, k // 4, 0) for k in range(4 * 15)]
    streams = [({"range": 6, "slide": 1, "start": 0}, tuples)]
    bench, answer = check(plan, streams, 1, stall_in=0.9)
    assert len(answer.windows) - 1 == 9
    assert 0 <= bench.read - 5 * 9 <= 2  # two windows close soon after each other


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("gap", [32, *(pytest.param(n, marks=REGRESS) for n in (31, 33, 64))])
def test_a_slide_long_ago_may_have_the_same_stamp(gap):
    """Stamps have 5 bits if 8 windows overlap: a block has values of slides 32 or 64 apart."""
    plan = plan_with()
    times = [0, 0, gap, gap, gap + 1, gap + 2, gap + 12]
    tuples = [(3, time, k) for k, time in enumerate(times)]
    bench, answer = check(plan, [({"range": 1, "slide": 1, "start": 0}, tuples)], gap, latency=20)
    assert [w[2] for w in answer.windows if w] == [[0, 1], [2, 3], [4], [5]]
    assert bench.written == (3 if gap % 32 == 0 else 4)


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_begin_anew(ways):
    rng = random.Random(ways)
    plan = plan_with(ways=ways)
    streams = []
    for count in (160, 200):
        settings = settings_of(rng, plan, start=20)
        streams.append((settings, tuples_of(rng, count, 14, settings, 255)))
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2)
    assert len(answer.evicted) > 40 + len(streams)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(s, marks=pytest.mark.regress) for s in (1, 2, 3))]
)
def test_a_reset_between_bursts(seed):
    rng = random.Random(seed)
    plan = plan_with()
    streams = streams_of(rng, plan, [60, 80], 4, most=255)
    earlier = streams_of(rng, plan, [200], 4, most=255)
    answer = Answer(plan, streams)
    bench = TimeBench(plan, seed, latency=3)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert (bench.counted["late"], bench.counted["overrun"]) == (answer.late, answer.overrun)


@pytest.mark.regress
@pytest.mark.parametrize("kind", ["bad_reads", "bad_writes"])
def test_errors_of_the_memory_mark_the_windows_of_their_key(kind):
    check_errors(plan_with(ring_lines=4), kind, least=2)


@pytest.mark.regress
@pytest.mark.parametrize("seed", range(8))
def test_windows_are_right_again_behind_a_damaged_block(seed):
    """Bits of all blocks in M3, also bits of stamps, are flipped in one cycle: nothing hangs."""
    rng, plan = random.Random(seed), plan_with(ring_lines=16)
    tuples = [(3, k // 8, k % 50) for k in range(400)]
    streams = [({"range": 6, "slide": 1, "start": 0}, tuples)]
    answer = Answer(plan, streams)
    bench = TimeBench(plan, seed, stall_in=0.5)
    bench.blocked = BitFlips(bench, 300 + 20 * seed, rng)
    bench.run(streams, len(answer.windows))
    pairs = list(zip(bench.windows, answer.windows, strict=True))[:-1]
    assert all(actual[:2] == expected[:2] for actual, expected in pairs)
    damaged = [
        k for k, (actual, expected) in enumerate(pairs) if actual[3] or actual[2] != expected[2]
    ]
    assert 0 < damaged[-1] - damaged[0] <= 2 * 6 + 2
    assert any(actual[3] for actual, _ in pairs)
