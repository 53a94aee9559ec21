"""Checks compressed windows of keys, from blocks of M3 and the growing block, against lists."""

import random
from itertools import accumulate, pairwise, product

import pytest

from golden.codecs import base_delta as model
from golden.codecs.blocks import BlockWriter
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from tb.rtl.keyed.coded_bench import STEPS, BitFlips, rival_tuples, valued
from tb.rtl.keyed.key_windows_bench import (
    MEMORIES,
    Answer,
    Bench,
    check,
    plan_of,
    streams_of,
)

POINTS = {
    "one port": {},
    "two ways, values of 64 bits": {"ways": 2, "codec": BaseDelta(64)},
    "four ports of 128 bits": {"ports": 4, "width": 128, "codec": BaseDelta(32, 4)},
}


def plan_with(**options):
    return plan_of(**{"codec": BaseDelta(32), "items": 8, "ring_lines": 8} | options)


QUICK = [("one port", "restless", "both")]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("point", "memory", "step"),
    [
        pytest.param(*given, marks=() if given in QUICK else pytest.mark.regress)
        for given in product(POINTS, MEMORIES, STEPS)
    ],
)
def test_windows_are_those_of_lists(point, memory, step):
    rng = random.Random(f"{point} {memory} {step}")
    plan = plan_with(**POINTS[point])
    streams = streams_of(rng, plan, [150, 0, 1, 250, 60], keys=4)
    streams = valued(rng, plan, streams, STEPS[step])
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert len(answer.windows) > 8
    assert bench.written > 3


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_begin_anew(ways):
    rng = random.Random(ways)
    plan = plan_with(entries=8, ways=ways)
    streams = valued(rng, plan, streams_of(rng, plan, [250, 350], keys=14), 1 << 30)
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2, gaps=True)
    assert len(answer.evicted) > 20 + len(streams)


@pytest.mark.regress
def test_what_a_key_was_before_is_not_read_when_it_comes_back():
    """Two keys of one entry evict each other, after 1 to 60 tuples that fill blocks."""
    rng = random.Random(3)
    plan = plan_with()
    tuples = rival_tuples(rng, plan)
    streams = valued(rng, plan, [(5, 2, tuples)], 1 << 30)
    _, answer = check(plan, streams, 3, latency=3)
    assert len(answer.evicted) == 16


@pytest.mark.in_turn
@pytest.mark.parametrize("step", [100, pytest.param(1 << 30, marks=pytest.mark.regress)])
def test_blocks_are_those_of_the_model(step):
    """The blocks of one key in M3 are the blocks of the model, each written once."""
    rng = random.Random(step)
    plan = plan_with()
    (stream,) = valued(rng, plan, [(8, 8, [(5, 0)] * 300)], step)
    bench, _ = check(plan, [stream], step)
    writer = BlockWriter(model.BaseDelta(32))
    blocks = [writer.take(value % (1 << 32)) for _, value in stream[2]]
    blocks = [block for block in blocks if block is not None]
    assert bench.written == len(blocks)
    ring = plan.lines.ring_lines
    lies = {at % ring: block for at, block in enumerate(blocks)}
    assert set(lies.values()) <= set(bench.memories[0].values())


@pytest.mark.in_turn
def test_a_window_is_read_from_where_the_last_one_was_fed_back():
    """Each window is read before the next one closes: M3 reads just the blocks of the window."""
    plan = plan_with()
    size, slide = 64, 60
    (stream,) = valued(random.Random(4), plan, [(size, slide, [(5, 0)] * 330)], 100)
    bench, answer = check(plan, [stream], 4, stall_in=0.8)
    writer = BlockWriter(model.BaseDelta(32))
    closed = [writer.take(value % (1 << 32)) is not None for _, value in stream[2]]
    block_numbers = list(accumulate(closed))  # number of each value's block
    ends = range(size - 1, len(closed), slide)
    assert bench.read == sum(block_numbers[end] - block_numbers[end - size + 1] for end in ends)
    assert len(answer.windows) - 1 == len(ends)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "seed", [8, *(pytest.param(n, marks=pytest.mark.regress) for n in range(8))]
)
def test_wrong_bits_do_no_more_harm_than_their_blocks(seed):
    """A quarter of all bits in M3 are flipped in one cycle: nothing hangs.

    No window is missing, and windows of later values are right again.
    """
    plan, rng = plan_with(), random.Random(seed)
    size, slide = 40, 8
    (stream,) = valued(rng, plan, [(size, slide, [(5, 0)] * 700)], 100)
    answer = Answer(plan, [stream])
    bench = Bench(plan, seed, stall_in=0.5)
    bench.blocked = BitFlips(bench, 800, rng)
    bench.run([stream], len(answer.windows))
    assert len(bench.windows) == len(answer.windows)
    pairs = list(zip(bench.windows, answer.windows, strict=True))[:-1]
    damaged = [
        k for k, (actual, expected) in enumerate(pairs) if actual[3] or actual[:3] != expected
    ]
    if not damaged:
        assert seed in (2, 4)  # seeds whose windows read no damaged block
        return
    # Damage lasts for the values of a window, and of one block before it.
    assert damaged[-1] - damaged[0] <= (size + 116) // slide + 2
    assert all(actual[:2] == expected[:2] for actual, expected in pairs)


@pytest.mark.in_turn
def test_windows_of_many_blocks_are_right_again_behind_a_damaged_one():
    """Windows of 100 values lie in about 4 blocks: windows are short until all 4 are written
    anew.
    """
    size, slide, plan, rng = 100, 20, plan_with(ring_lines=16), random.Random(0)
    (stream,) = valued(rng, plan, [(size, slide, [(5, 0)] * 450)], 100)
    answer = Answer(plan, [stream])
    bench = Bench(plan, 0, stall_in=0.5)
    bench.blocked = BitFlips(bench, 400, rng)
    bench.run([stream], len(answer.windows))
    pairs = list(zip(bench.windows, answer.windows, strict=True))[:-1]
    assert all(actual[3] or actual[:3] == expected for actual, expected in pairs)
    damaged = [k for k, (actual, _) in enumerate(pairs) if actual[3]]
    assert 0 < damaged[-1] - damaged[0] <= (size + 116) // slide
    assert damaged[-1] < len(pairs) - 1


@pytest.mark.in_turn
def test_a_ring_that_is_full():
    """The memory answers late, and windows are read whole before the next window begins.

    Meanwhile one key fills its ring; it continues when the start of its next window is fed back.
    """
    plan = plan_with(ring_lines=4)
    size = plan.window.rows.window_max
    (stream,) = valued(random.Random(5), plan, [(size, size, [(5, 0)] * 450)], 1 << 30)
    bench, _ = check(plan, [stream], 5, latency=300)
    input_cycles = bench.source.run.cycles
    assert (
        max(late - soon for soon, late in pairwise(input_cycles)) > 200
    )  # the full ring stalls the input
