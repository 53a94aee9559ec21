"""Checks the chunk store: windows enter chunk by chunk, and leave as P merged lists."""

import random

import pytest

from rtl.sort.store import ChunkStore
from tb.bench.unit import collect, put, simulate
from tb.rtl.sort.lists import ORDER, beats_of, lists_of, random_list

LANES, CAPACITY, WINDOW_MAX = 2, 8, 64
ROWS = CAPACITY // LANES


async def begin(ctx, dut, tuples):
    """Begins a window of ``tuples`` tuples; returns the place of its first chunk."""
    ctx.set(dut.beats, tuples // LANES)
    while not ctx.get(dut.room):
        await ctx.tick()
    ctx.set(dut.begins, 1)
    place = ctx.get(dut.place)
    await ctx.tick()
    ctx.set(dut.begins, 0)
    return place


async def write(ctx, dut, place, chunk):
    ctx.set(dut.i_place, place)
    await put(ctx, dut.i, beats_of([chunk], LANES))


def parts(chunks, first):
    """Returns the expected list of each leaf: tuple r of place c lies in bank (r + c) mod P."""
    leaves = [[] for _ in range(LANES)]
    for c, chunk in enumerate(chunks):
        for r, item in enumerate(chunk):
            leaves[(r + c + first) % LANES].append(item)
    return [sorted(leaf) for leaf in leaves]


def some_window(rng, chunks, tail):
    sizes = [CAPACITY] * (chunks - 1) + [tail]
    return [sorted(random_list(rng, size)) for size in sizes]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("chunks", "tail"), [(2, 8), (2, 2), (3, 4), (8, 8)])
@pytest.mark.parametrize("stall", [0.0, 0.4])
def test_windows_come_out_in_order(chunks, tail, stall):
    """Windows leave in order while the next ones are written."""
    rng, dut = random.Random(chunks), ChunkStore(ORDER, LANES, CAPACITY, WINDOW_MAX)
    windows, expected, received = [some_window(rng, chunks, tail) for _ in range(7)], [], {}

    async def source(ctx):
        for window in windows:
            place = await begin(ctx, dut, sum(map(len, window)))
            expected.append(parts(window, place))
            for k, chunk in enumerate(window):
                await write(ctx, dut, place + k, chunk)

    async def turns(ctx):
        await collect(ctx, dut.filled, len(windows), stall=stall, rng=random.Random(1))

    def leaf(k):
        """Returns the sink of a leaf, closed until the turn of its window, like a shared tree."""

        async def sink(ctx):
            port, beats = getattr(dut, f"leaf{k}"), []
            for _ in windows:
                await ctx.tick().until(dut.filled.valid & dut.filled.ready)
                until = {"until": lambda beat: beat["last"], "stall": stall}
                beats += (await collect(ctx, port, **until, rng=random.Random(k))).payloads
            received[k] = lists_of(beats)

        return sink

    simulate(dut, source, turns, *(leaf(k) for k in range(LANES)))
    for k in range(LANES):
        assert received[k] == [window[k] for window in expected]


@pytest.mark.parametrize("chunks", [2, 3, 5, 8])
def test_latency(chunks):
    """The latency to ``filled`` is exact if the last chunk comes late.

    Chunks come 40 cycles apart, so the mergers have read the beginning of all earlier chunks.
    """
    rng, dut = random.Random(chunks), ChunkStore(ORDER, LANES, CAPACITY, WINDOW_MAX)

    async def bench(ctx):
        window = some_window(rng, chunks, CAPACITY)
        place = await begin(ctx, dut, chunks * CAPACITY)
        for k, chunk in enumerate(window):
            await ctx.tick().repeat(40)
            await write(ctx, dut, place + k, chunk)
        cycles = 1  # put returns in the cycle after the last beat
        while not ctx.get(dut.filled.valid):
            await ctx.tick()
            cycles += 1
        assert cycles == dut.latency_of(chunks, capacity=CAPACITY, window_max=WINDOW_MAX)

    simulate(dut, bench)
    assert dut.latency == ChunkStore.latency_of(8, capacity=CAPACITY, window_max=WINDOW_MAX)


def test_an_aborted_window_leaves_nothing():
    rng, dut = random.Random(3), ChunkStore(ORDER, LANES, CAPACITY, WINDOW_MAX)

    async def bench(ctx):
        for chunks in (0, 1, 2):  # chunks written, of three
            window = some_window(rng, 3, CAPACITY)
            place = await begin(ctx, dut, 3 * CAPACITY)
            for k in range(chunks):
                await write(ctx, dut, place + k, window[k])
            await ctx.tick().repeat(20)
            assert not ctx.get(dut.filled.valid)
            ctx.set(dut.abort, 1)
            await ctx.tick()
            ctx.set(dut.abort, 0)
        window = some_window(rng, 2, CAPACITY)
        place = await begin(ctx, dut, 2 * CAPACITY)
        for k, chunk in enumerate(window):
            await write(ctx, dut, place + k, chunk)
        ctx.set(dut.filled.ready, 1)
        await ctx.tick().until(dut.filled.valid)
        for k, expected in enumerate(parts(window, place)):
            run = await collect(ctx, getattr(dut, f"leaf{k}"), len(expected))
            assert lists_of(run.payloads) == [expected]

    simulate(dut, bench)


@pytest.mark.parametrize("window_max", [0, CAPACITY, 2 * CAPACITY + 1, 3 * CAPACITY])
def test_a_size_of_windows_that_is_refused(window_max):
    """A window of one chunk needs no store."""
    text = f"window_max must be 8 times a power of two of at least 2, not {window_max}"
    with pytest.raises(ValueError, match=f"^{text}$"):
        ChunkStore(ORDER, LANES, CAPACITY, window_max)
