"""Checks windows of keys whose blocks depend on the block before, against lists of each key."""

import random
from dataclasses import replace

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from golden.codecs.blocks import BlockWriter
from golden.codecs.xor_chained import XorChained as Model
from rtl.aggregate.count import Count
from rtl.aggregate.min import Min
from rtl.aggregate.sum import Sum
from rtl.keyed.codec.fold import Fold
from rtl.keyed.codec.xor_chained import CHAIN, XorChained
from tb.rtl.keyed.cache_bench import BITS, CacheBench, answered
from tb.rtl.keyed.coded_bench import STEPS, BitFlips, rival_tuples, valued
from tb.rtl.keyed.key_windows_bench import MEMORIES, Answer, plan_of, streams_of
from tb.rtl.keyed.small_rings import block_numbers_of

POINTS = {
    "one port": {},
    "two ways, values of 64 bits, one decoder": {"ways": 2, "width_of": 64, "decoders": 1},
    "four ports of 128 bits": {"ports": 4, "width": 128, "decoders": 3},
}


class ShortChains(Model):
    """The plain model with chains of 4 blocks."""

    chain = 4


def plan_with(*, width_of=32, decoders=2, ring_lines=8, chain=CHAIN, **options):
    """Returns a plan for windows of up to 8 ``ring_lines`` values."""
    plan = plan_of(
        codec=XorChained(width_of, chain=chain), items=8, ring_lines=ring_lines, **options
    )
    item = plan.line.item
    fold = Fold(
        row=data.StructLayout({"x": item}),
        operators=(Sum("x", signed(width_of), BITS), Min("x", item), Count(BITS)),
        tuples=plan.window.rows.window_max,
        decoders=decoders,
        chain=chain,
    )
    return replace(plan, store=replace(plan.store, ring=replace(plan.store.ring, fold=fold)))


def check(plan, streams, seed, **options):
    """Runs streams, and checks windows and evictions against lists."""
    answer = Answer(plan, streams)
    bench = CacheBench(plan, seed, **options).run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted
    assert bench.counted["window_values"] == answer.values
    model = Model(plan.store.ring.codec.width)
    windows = [w for w in block_numbers_of(plan, streams, model) if w is not None]
    # The last value of a window is in the growing block, which is on the chip.
    from_m3 = sum(number < numbers[-1] for numbers in windows for number in numbers)
    assert bench.counted["m3_window_values"] == from_m3
    return bench, answer


QUICK = [("one port", "restless", "both")]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("point", "memory", "step"),
    [
        pytest.param(*given, marks=() if given in QUICK else pytest.mark.regress)
        for given in ((p, m, s) for p in POINTS for m in MEMORIES for s in STEPS)
    ],
)
def test_windows_are_those_of_lists(point, memory, step):
    rng = random.Random(f"{point} {memory} {step}")
    plan = plan_with(**POINTS[point])
    is_quick = (point, memory, step) in QUICK
    counts = [80, 0, 90] if is_quick else [150, 0, 1, 250, 60]
    streams = streams_of(rng, plan, counts, keys=4)
    bench, answer = check(
        plan, valued(rng, plan, streams, STEPS[step]), f"{point} {memory}", **MEMORIES[memory]
    )
    assert len(answer.windows) > 8
    assert bench.written > 3


@pytest.mark.regress
def test_long_windows_of_a_key_begin_in_dependent_blocks():
    """A window of 100 values lies in several blocks, and the first is dependent in most cases.

    The tuples come slowly, so the feedback of a window comes before the next window.
    """
    plan, rng, count = plan_with(ring_lines=16), random.Random(7), 300
    (stream,) = valued(rng, plan, [(100, 30, [(5, 0)] * count)], 100)
    writer, closed = BlockWriter(Model(32)), 0
    for _, value in stream[2]:
        closed += writer.take(value % (1 << 32)) is not None
    assert closed > 5
    bench, answer = check(plan, [stream], 7, stall_in=0.9)
    # The blocks of a window, and the growing one is not read.
    assert bench.read <= (100 * closed / count + 1) * (len(answer.windows) - 1)


@pytest.mark.regress
@pytest.mark.parametrize("ways", [1, 2])
def test_keys_that_are_thrown_out_begin_anew(ways):
    rng = random.Random(ways)
    plan = plan_with(entries=8, ways=ways)
    streams = valued(rng, plan, streams_of(rng, plan, [250, 350], keys=14), None)
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2, gaps=True)
    assert len(answer.evicted) > 20 + len(streams)


@pytest.mark.regress
def test_what_a_key_was_before_is_not_read_when_it_comes_back():
    """Two keys of one entry evict each other, after 1 to 60 tuples that fill blocks."""
    rng = random.Random(3)
    plan = plan_with()
    tuples = rival_tuples(rng, plan)
    _, answer = check(plan, valued(rng, plan, [(5, 2, tuples)], None), 3, latency=3)
    assert len(answer.evicted) == 16


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(s, marks=pytest.mark.regress) for s in (0, 2, 3))]
)
def test_a_reset_in_a_stream(seed):
    """After a reset with chains under way, windows are those of the streams after it alone."""
    rng = random.Random(seed)
    plan = plan_with(ring_lines=4)
    streams = valued(rng, plan, streams_of(rng, plan, [60, 80], keys=4), 30)
    earlier = valued(rng, plan, streams_of(rng, plan, [200], keys=4), 30)
    answer = Answer(plan, streams)
    assert len(answer.windows) > len(streams)  # besides the ends of streams there are windows
    bench = CacheBench(plan, seed, latency=3)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answered(answer.windows)
    assert not any(w[3] for w in bench.windows if w)
    assert bench.evicted == answer.evicted


@pytest.mark.regress
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_damage_ends_with_the_chain(seed):
    """A quarter of all bits in M3 are flipped in one cycle: nothing hangs, no window is missing.

    Windows are right again when they begin in a later chain; until then they have an error, or
    other values, as a wrong bit of a value is not detected.
    """
    size, slide = 100, 20
    plan, rng = plan_with(ring_lines=16, chain=ShortChains.chain), random.Random(seed)
    stream = (size, slide, [(5, rng.getrandbits(18)) for _ in range(700)])
    writer, chain_begins = BlockWriter(ShortChains(32)), []
    for number, (_, value) in enumerate(stream[2]):
        if writer.take(value) is not None and not writer.growing.place:
            chain_begins.append(number)
    assert len(chain_begins) > 2
    answer = Answer(plan, [stream])
    bench = CacheBench(plan, seed, stall_in=0.5)
    bench.blocked = BitFlips(bench, 600, rng)
    bench.run([stream], len(answer.windows))
    pairs = list(zip(bench.windows, answered(answer.windows), strict=True))[:-1]
    damaged = [
        k for k, (actual, expected) in enumerate(pairs) if actual[3] or actual[:3] != expected
    ]
    assert damaged
    assert any(actual[3] for actual, _ in pairs)
    # Damage lasts for the values of a window, and at most of two chains before it.
    lasts = max(after - begin for begin, after in zip(chain_begins, chain_begins[2:], strict=False))
    assert damaged[-1] - damaged[0] <= (size + lasts) // slide + 2
    assert damaged[-1] < len(pairs) - 1
