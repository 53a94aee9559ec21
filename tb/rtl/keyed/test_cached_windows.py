"""Checks windows of keys from the cache and from blocks of M3, and their order, against lists."""

import random
from itertools import pairwise

import pytest

from golden.codecs import xor
from golden.codecs.blocks import BlockWriter
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from rtl.keyed.codec.xor_chained import XorChained
from tb.rtl.keyed.cache_bench import CacheBench, answered, check, plan_with
from tb.rtl.keyed.coded_bench import STEPS, rival_tuples, valued
from tb.rtl.keyed.key_windows_bench import MEMORIES, Answer, tuples_of

POINTS = {
    "one place": {"places": 1, "lanes": 8},
    "two ways": {"places": 2, "lanes": 4, "ways": 2, "codec": BaseDelta(64)},
    "three places, one line": {"places": 3, "lanes": 64, "ports": 2, "width": 128},
    "one lane, xor": {"places": 4, "lanes": 1, "codec": Xor(32)},
    "xor": {"places": 2, "lanes": 16, "codec": Xor(32)},
    "xor-chained": {"places": 2, "lanes": 16, "codec": XorChained(32)},
    "xor-chained, short chains": {
        "places": 3,
        "lanes": 4,
        "ways": 2,
        "codec": XorChained(32, chain=4),
    },
}


def few_key_streams(rng, plan, counts, keys):
    """Returns streams of few keys, for cache hits, with short and long windows."""
    streams = []
    for count in counts:
        largest = plan.window.rows.window_max
        size = rng.choice([1, 2, 7, largest, rng.randint(1, largest)])
        slide = rng.choice([1, 1, 2, size, rng.randint(1, size)])
        streams.append((size, min(slide, size), tuples_of(rng, count, keys)))
    return streams


SMALL = {
    "base-delta": {"places": 2, "lanes": 4, "entries": 4, "ring_lines": 2},
    "xor": {"places": 1, "lanes": 8, "entries": 4, "ways": 2, "ring_lines": 2, "codec": Xor(32)},
    "xor-chained": {
        "places": 2,
        "lanes": 4,
        "entries": 4,
        "ring_lines": 2,
        "codec": XorChained(32, chain=4),
    },
}


@pytest.mark.in_turn
@pytest.mark.parametrize("point", SMALL)
def test_a_small_cache_under_stalls(point):
    """Checks a cache with fewer places than entries, and fewer entries than keys.

    Keys lose their places in the cache, and their entries while they have a place; their successors
    get the same places. Windows overlap, and the next stream has other settings. All sides stall,
    and the memory answers in any order.
    """
    rng, plan = random.Random(point), plan_with(**SMALL[point])
    streams = [(5, 1, tuples_of(rng, 120, 6)), (16, 3, tuples_of(rng, 120, 6))]
    streams = valued(rng, plan, streams, 1 << 30)
    bench, answer = check(plan, streams, point, latency=3, **MEMORIES["restless"])
    assert len(answer.evicted) > 10
    windows = len(answer.windows) - len(streams)
    assert 10 < bench.counted["cached_windows"] < windows - 10


@pytest.mark.regress
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("point", POINTS)
def test_windows_are_those_of_lists(point, memory, step):
    rng = random.Random(f"{point} {memory} {step}")
    plan = plan_with(**POINTS[point])
    streams = [
        (5, 1, tuples_of(rng, 60, 2)),
        *few_key_streams(rng, plan, [60, 0, 1, 120, 60, 90], keys=3),
    ]
    streams = valued(rng, plan, streams, STEPS[step])
    bench, _ = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert bench.counted["cached_windows"] > 0


@pytest.mark.regress
@pytest.mark.parametrize("codec", [BaseDelta(32), XorChained(32)], ids=["base-delta", "chained"])
@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_have_no_place(ways, codec):
    """Other keys take the entries of evicted keys, then the evicted keys return: all begin anew."""
    rng = random.Random(ways)
    plan = plan_with(entries=8, ways=ways, codec=codec)
    streams = [
        (2, 1, tuples_of(rng, 250, 14)),
        (1, 1, tuples_of(rng, 150, 14)),
        (9, 4, tuples_of(rng, 300, 14)),
    ]
    streams = valued(rng, plan, streams, 1 << 30)
    bench, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2, gaps=True)
    assert len(answer.evicted) > 20 + len(streams)
    assert bench.counted["cached_windows"] > 0


@pytest.mark.regress
@pytest.mark.parametrize("codec", [BaseDelta(32), XorChained(32)], ids=["base-delta", "chained"])
def test_what_a_key_was_before_is_not_in_the_windows_of_its_successor(codec):
    """Two keys of one entry take turns, and evict each other after 1 to 60 tuples that fill
    blocks.
    """
    rng = random.Random(3)
    plan = plan_with(codec=codec)
    tuples = rival_tuples(rng, plan)
    streams = valued(rng, plan, [(5, 2, tuples)], 1 << 30)
    _, answer = check(plan, streams, 3, latency=3)
    assert len(answer.evicted) == 16


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "size", [9, *(pytest.param(n, marks=pytest.mark.regress) for n in (1, 7, 8, 15, 17, 63, 64))]
)
def test_one_key_has_no_pause_but_for_the_lines_of_its_windows(size):
    """Lines have 8 values: a window after each value takes as many cycles as it has lines."""
    plan, rng = plan_with(places=1), random.Random(size)
    (stream,) = valued(rng, plan, [(size, 1, [(5, 0)] * (2 * size + 70))], 100)
    bench, _ = check(plan, [stream], size, latency=3)
    begin = 2 * size + 40
    input_cycles = bench.source.run.cycles[begin:]
    assert input_cycles[-1] - input_cycles[0] == -(-size // 8) * (len(input_cycles) - 1)
    assert bench.counted["cached_windows"] == len(stream[2]) - max(1, 2 * size - 2)


@pytest.mark.regress
@pytest.mark.parametrize(
    "codec",
    [BaseDelta(32), Xor(32), XorChained(32, chain=2)],
    ids=["base-delta", "xor", "chained"],
)
def test_nothing_is_read_for_what_is_in_the_cache(codec):
    """Lines are read only for the windows before the first cache hit; all blocks are written."""
    plan, rng, size = plan_with(places=1, codec=codec), random.Random(1), 20
    (stream,) = valued(rng, plan, [(size, 1, [(5, 0)] * 700)], 1 << 30)
    short = (*stream[:2], stream[2][: 2 * size - 2])
    bench, _ = check(plan, [stream], 1, latency=3)
    earlier, _ = check(plan, [short], 1, latency=3)
    assert earlier.counted["cached_windows"] == 0
    assert bench.read == earlier.read > 0
    assert bench.written > 40


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "codec", [BaseDelta(32), XorChained(32, chain=4)], ids=["base-delta", "chained"]
)
@pytest.mark.parametrize(
    ("places", "keys"),
    [(1, 1), *(pytest.param(*n, marks=pytest.mark.regress) for n in ((2, 2), (2, 3)))],
)
def test_a_ring_that_is_full(places, keys, codec):
    """The output is blocked for a while: keys fill their rings, and wait for free blocks.

    Either all windows come out of the cache, or keys take each other's places meanwhile.
    """
    plan = plan_with(places, ring_lines=1, codec=codec)
    size, rng = plan.window.rows.window_max, random.Random(5)
    tuples = [(5 + rng.randrange(keys), 0) for _ in range(300 * keys)]
    (stream,) = valued(rng, plan, [(size, size, tuples)], 1 << 30)
    bench, _ = check(plan, [stream], 5, blocked=range(400 * keys))
    input_cycles = bench.source.run.cycles
    assert (
        max(late - soon for soon, late in pairwise(input_cycles)) > 100
    )  # the full ring stalls the input
    if keys == 1:
        assert bench.counted["cached_windows"] == 300 // size - 1


PACES = {"quick": {"latency": 20, "stall_out": 0.5}, "slow": {"latency": 3, "stall_in": 0.8}}


@pytest.mark.parametrize(
    ("pace", "seed"),
    [(pace, n) for pace in ("quick", "slow") for n in (1, 2, 3)],
)
@pytest.mark.parametrize("codec", [Xor(32), XorChained(32, chain=4)], ids=["xor", "chained"])
@pytest.mark.regress
def test_keys_that_take_places_in_turn(pace, seed, codec):
    """Two keys take turns at one place of the cache.

    At the quick pace windows of one key wait in the queue, while blocks of the other key, which has
    the place, begin. At the slow pace nothing waits, and a key that returns is read from the block
    that was fed back for it.
    """
    rng = random.Random(seed)
    plan = plan_with(places=1, lanes=8, ring_lines=1, codec=codec)
    tuples = [(n % 2, 0) for n in range(14) for _ in range(rng.randint(9, 26))]
    (stream,) = valued(rng, plan, [(7, 1, tuples)], 1 << 30)
    bench, _ = check(plan, [stream], seed, **PACES[pace])
    assert bench.counted["cached_windows"] > 0


def filling(rng, count, few):
    """Returns values that fill blocks: 45 of the first ``few`` values per block, then 15 per block.

    A raw block has 16 values, and the next block is coded if the raw values could have been coded.
    So values are random in a coded block, which has room for 11 to 14 of them, and 0 in a raw
    block.
    """
    writer, values = BlockWriter(xor.Xor(32)), []
    for number in range(count):
        raw = writer.growing is not None and writer.growing.raw
        bits = 8 if number < few else 0 if raw else 32
        value = rng.getrandbits(bits) if bits else 0
        writer.take(value)
        values.append(value - (value >> 31 << 32))
    return values


@pytest.mark.regress
def test_a_key_that_takes_a_place_waits_for_the_walk_of_the_one_before():
    """The cache has one place, and a ring has room for less than two windows of 128 values.

    A window of key 5 is read from M3, and its next window comes out of the cache. In the cycle
    after the cached window key 6 takes the place. If the blocks that the cached window frees were
    not fed back, key 5 would fill its ring before its third window, and wait for ever.
    """
    plan = plan_with(places=1, lanes=64, ring_lines=16, codec=Xor(32))
    size = plan.window.rows.window_max
    first = filling(random.Random(1), 3 * size, size)
    blocks = BlockWriter(xor.Xor(32))
    ends = [k for k, value in enumerate(first) if blocks.take(value % (1 << 32)) is not None]
    assert sum(size < end for end in ends) > plan.store.ring.blocks
    first, other = [(5, value) for value in first], (6, 0)
    tuples = [*[other] * (size - 1), *first[: 2 * size], other, *first[2 * size :]]
    bench, _ = check(plan, [(size, size, tuples)], 1, latency=115)
    assert bench.counted["cached_windows"] == 1


@pytest.mark.regress
@pytest.mark.parametrize("codec", [Xor(32), XorChained(32, chain=2)], ids=["xor", "chained"])
def test_a_block_that_begins_does_not_end_a_walk(codec):
    """Blocks of the only key begin while the cache walks from its first window to its second.

    A block that begins feeds nothing back, because the state of the key is older than the walk.
    """
    plan = plan_with(places=1, lanes=64, ring_lines=16, codec=codec)
    size = plan.window.rows.window_max
    tuples = [(5, value) for value in filling(random.Random(1), 3 * size, size)]
    bench, _ = check(plan, [(size, size, tuples)], 1, latency=20)
    assert bench.counted["cached_windows"] == 2


@pytest.mark.in_turn
def test_a_reset_empties_it():
    """After the reset keys have the same places in the table, and other values."""
    plan, rng = plan_with(), random.Random(7)
    earlier = valued(rng, plan, [(6, 1, tuples_of(rng, 150, 2))], 100)
    streams = valued(rng, plan, [(6, 1, tuples_of(rng, 100, 2))], 100)
    answer = Answer(plan, streams)
    bench = CacheBench(plan, 7, latency=5)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
