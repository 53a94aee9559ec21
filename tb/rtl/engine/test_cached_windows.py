"""Windows of keys out of the cache, of blocks of M3, and in what order, against lists."""

import random
from itertools import pairwise

import pytest

from golden.codecs import xor
from golden.codecs.blocks import BlockWriter
from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.codec.xor import Xor
from tb.rtl.engine.cache_bench import CacheBench, answered, check, plan_with
from tb.rtl.engine.key_windows_bench import Answer, entry_of, tuples_of
from tb.rtl.engine.test_coded_windows import MEMORIES, STEPS, valued

POINTS = {
    "one place": {"places": 1, "lanes": 8},
    "two ways": {"places": 2, "lanes": 4, "ways": 2, "codec": BaseDelta(64)},
    "three places, one line": {"places": 3, "lanes": 64, "ports": 2, "width": 128},
    "one lane, xor": {"places": 4, "lanes": 1, "codec": Xor(32)},
    "xor": {"places": 2, "lanes": 16, "codec": Xor(32)},
}


def few(rng, plan, counts, keys):
    """Streams of so few keys that windows are found again; short windows, and long ones."""
    streams = []
    for count in counts:
        most = plan.window.rows.window_max
        size = rng.choice([1, 2, 7, most, rng.randint(1, most)])
        slide = rng.choice([1, 1, 2, size, rng.randint(1, size)])
        streams.append((size, min(slide, size), tuples_of(rng, count, keys)))
    return streams


SMALL = {
    "base-delta": {"places": 2, "lanes": 4, "entries": 4, "ring_lines": 2},
    "xor": {"places": 1, "lanes": 8, "entries": 4, "ways": 2, "ring_lines": 2, "codec": Xor(32)},
}


@pytest.mark.parametrize("point", SMALL)
def test_a_small_cache_under_stalls(point):
    """All at once, small enough for each commit: fewer places than entries, and entries than keys.

    So keys lose their places in the cache, and their entries while they have one; their successors
    have the same places; windows overlap, and go on into the next stream with other settings. All
    sides stall, and the memory answers in any order.
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
    streams = [(5, 1, tuples_of(rng, 60, 2)), *few(rng, plan, [60, 0, 1, 120, 60, 90], keys=3)]
    streams = valued(rng, plan, streams, STEPS[step])
    bench, _ = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert bench.counted["cached_windows"] > 0


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_have_no_place(ways):
    """Others of their entries come, and they themselves again: all begin anew."""
    rng = random.Random(ways)
    plan = plan_with(entries=8, ways=ways)
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
def test_what_a_key_was_before_is_not_in_the_windows_of_its_successor():
    """Two keys of one entry throw each other out, after 1 to 60 tuples that fill blocks."""
    rng = random.Random(3)
    plan = plan_with()
    alike = [key for key in range(64) if entry_of(plan, key) == entry_of(plan, 5)][:2]
    tuples = [(alike[n % 2], 0) for n in range(16) for _ in range(rng.randint(1, 60))]
    streams = valued(rng, plan, [(5, 2, tuples)], 1 << 30)
    _, answer = check(plan, streams, 3, latency=3)
    assert len(answer.evicted) == 16


@pytest.mark.parametrize(
    "size", [9, *(pytest.param(n, marks=pytest.mark.regress) for n in (1, 7, 8, 15, 17, 63, 64))]
)
def test_one_key_has_no_pause_but_for_the_lines_of_its_windows(size):
    """Lines of 8 values: a window after each value takes as many cycles as it has lines."""
    plan, rng = plan_with(places=1), random.Random(size)
    (stream,) = valued(rng, plan, [(size, 1, [(5, 0)] * (2 * size + 70))], 100)
    bench, _ = check(plan, [stream], size, latency=3)
    begin = 2 * size + 40
    moved = bench.source.run.cycles[begin:]
    assert moved[-1] - moved[0] == -(-size // 8) * (len(moved) - 1)
    assert bench.counted["cached_windows"] == len(stream[2]) - max(1, 2 * size - 2)


@pytest.mark.regress
@pytest.mark.parametrize("codec", [BaseDelta(32), Xor(32)], ids=["base-delta", "xor"])
def test_nothing_is_read_for_what_is_in_the_cache(codec):
    """As many lines as for the windows before the first that is; but all blocks are written."""
    plan, rng, size = plan_with(places=1, codec=codec), random.Random(1), 20
    (stream,) = valued(rng, plan, [(size, 1, [(5, 0)] * 700)], 1 << 30)
    short = (*stream[:2], stream[2][: 2 * size - 2])
    bench, _ = check(plan, [stream], 1, latency=3)
    before, _ = check(plan, [short], 1, latency=3)
    assert before.counted["cached_windows"] == 0
    assert bench.read == before.read > 0
    assert bench.written > 40


@pytest.mark.parametrize(
    ("places", "keys"),
    [(1, 1), *(pytest.param(*n, marks=pytest.mark.regress) for n in ((2, 2), (2, 3)))],
)
def test_a_ring_that_is_full(places, keys):
    """No line is taken for a while: keys fill their rings, and wait until they are told to go on.

    Also where all windows come out of the cache, or where keys take the place of each other while
    that is being found out.
    """
    plan = plan_with(places, ring_lines=1)
    size, rng = plan.window.rows.window_max, random.Random(5)
    tuples = [(5 + rng.randrange(keys), 0) for _ in range(300 * keys)]
    (stream,) = valued(rng, plan, [(size, size, tuples)], 1 << 30)
    bench, _ = check(plan, [stream], 5, held=range(400 * keys))
    moved = bench.source.run.cycles
    assert max(late - soon for soon, late in pairwise(moved)) > 100  # it waits
    if keys == 1:
        assert bench.counted["cached_windows"] == 300 // size - 1


PACES = {"quick": {"latency": 20, "stall_out": 0.5}, "slow": {"latency": 3, "stall_in": 0.8}}


@pytest.mark.parametrize(
    ("pace", "seed"),
    [
        ("slow", 2),
        *(pytest.param("quick", n, marks=pytest.mark.regress) for n in (1, 2, 3)),
        *(pytest.param("slow", n, marks=pytest.mark.regress) for n in (1, 3)),
    ],
)
def test_keys_that_take_places_in_turn(pace, seed):
    """While windows of one wait in the queue, blocks of the other, which has its place, begin.

    Or nothing waits, and what was fed back of one is what it is read from when it comes back.
    """
    rng = random.Random(seed)
    plan = plan_with(places=1, lanes=8, ring_lines=1, codec=Xor(32))
    tuples = [(n % 2, 0) for n in range(14) for _ in range(rng.randint(9, 26))]
    (stream,) = valued(rng, plan, [(7, 1, tuples)], 1 << 30)
    bench, _ = check(plan, [stream], seed, **PACES[pace])
    assert bench.counted["cached_windows"] > 0


def filling(rng, count, few):
    """Values that fill blocks: the first ``few`` lie 45 to a block, the others 15.

    A raw block has 16, and makes the next one coded if its values could have been: so values are
    random where the block is coded, which has room for 11 to 14 of those, and 0 where it is raw.
    """
    writer, values = BlockWriter(xor.Xor(32)), []
    for number in range(count):
        raw = writer.growing is not None and writer.growing.raw
        bits = 8 if number < few else 0 if raw else 32
        value = rng.getrandbits(bits) if bits else 0
        writer.take(value)
        values.append(value - (value >> 31 << 32))
    return values


def test_a_key_that_takes_a_place_waits_for_the_walk_of_the_one_before():
    """One place, and a ring that has room for less than two windows of 128 values.

    Of key 5 a window is read from M3, and the next one comes out of the cache; in the cycle behind
    that key 6 takes the place. If what is free behind the cached window was not fed back, key 5
    would fill its ring before its third window, and wait for ever.
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


def test_a_block_that_begins_does_not_end_a_walk():
    """One key in such a ring: blocks begin while it walks from its first window to its second.

    Of a block that begins nothing is fed back, for what was known of the key is older than the
    walk.
    """
    plan = plan_with(places=1, lanes=64, ring_lines=16, codec=Xor(32))
    size = plan.window.rows.window_max
    tuples = [(5, value) for value in filling(random.Random(1), 3 * size, size)]
    bench, _ = check(plan, [(size, size, tuples)], 1, latency=20)
    assert bench.counted["cached_windows"] == 2


def test_a_reset_empties_it():
    """Keys have the same places in the table then, and other values."""
    plan, rng = plan_with(), random.Random(7)
    before = valued(rng, plan, [(6, 1, tuples_of(rng, 300, 2))], 100)
    streams = valued(rng, plan, [(6, 1, tuples_of(rng, 200, 2))], 100)
    answer = Answer(plan, streams)
    bench = CacheBench(plan, 7, latency=5)
    bench.run_after_reset(before, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
