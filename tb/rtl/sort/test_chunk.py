"""Checks the chunk sorter: cutting and recording of windows, and the lists of each leaf."""

import random

import pytest

from rtl.sort.chunk import ChunkSorter
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.sort.grouped_windows import Stream, order_of, random_tuples
from tb.rtl.sort.lists import ORDER, lists_of

STALLS = [{}, {"stall_in": 0.4, "stall_out": 0.4}]


def leaves_of(streams, lanes, capacity):
    """Returns the expected lists of each leaf: the sorted tuples dealt to it, chunk by chunk."""
    leaves, turn = [[] for _ in range(lanes)], 0
    for s in streams:
        for items in [*s.windows, s.cut_short]:
            for at in range(0, len(items), capacity):
                chunk = items[at : at + capacity]
                dealt = [[] for _ in range(lanes)]
                for k, item in enumerate(chunk):
                    dealt[(k % lanes + turn + k // lanes) % lanes].append(item)
                turn += len(chunk) // lanes
                if len(chunk) == capacity or len(items) == s.size:
                    for leaf, part in zip(leaves, dealt, strict=True):
                        leaf.append(sorted(part))
        turn += 1
    return leaves


def records_of(streams, lanes, capacity):
    """Returns (first, final, end) of each expected record."""
    records = []
    for s in streams:
        for items in s.windows:
            last = -(-len(items) // capacity) - 1
            records += [(int(k == 0), int(k == last), 0) for k in range(last + 1)]
        complete_chunks = len(s.cut_short) // capacity
        records += [(int(k == 0), 0, 0) for k in range(complete_chunks)]
        records.append((int(not complete_chunks), 1, 1))
    return records


def run(lanes, capacity, streams, **options):
    """Runs streams of windows of one size, because ``rows`` is constant, and checks outputs."""
    dut = ChunkSorter(order_of(), lanes, capacity, 4 * capacity)
    leaves = leaves_of(streams, lanes, capacity)
    records = records_of(streams, lanes, capacity)
    inputs = [beat for s in streams for beat in s.beats(lanes)]
    outputs = {f"leaf{k}": sum(map(len, lists)) for k, lists in enumerate(leaves)}
    runs = run_streams(
        dut,
        {"i": inputs},
        outputs | {"chunks": len(records)},
        ports={"rows": streams[0].size // lanes},
        **options,
    )
    for k, lists in enumerate(leaves):
        beats = runs[f"leaf{k}"].payloads
        received = [
            {**b, "tuples": [{"key": t["group"], "value": t["value"]} for t in b["tuples"]]}
            for b in beats
        ]
        assert lists_of(received) == lists
    received = [(r["first"], r["final"], r["end"]) for r in runs["chunks"].payloads]
    assert received == records
    chunks = [r for r in runs["chunks"].payloads if not r["end"]]
    assert {r["beats"] for r in chunks} == {streams[0].size // lanes}
    assert {r["timed"] for r in chunks} == {int(streams[0].size <= capacity)}
    # The end of a stream has the age of the small window that it cuts short, if there is one.
    ends = [r["timed"] for r in runs["chunks"].payloads if r["end"]]
    assert ends == [int(s.size <= capacity and bool(s.cut_short)) for s in streams]
    # The first window counts as a change of size; the first stream has a window.
    changed = [r["changed"] for r in chunks]
    first = -(-streams[0].size // capacity)
    assert changed == [1] * first + [0] * (len(changed) - first)
    return runs


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize(("lanes", "capacity"), [(1, 4), (2, 8), (4, 16), (4, 4)])
def test_windows_are_cut(lanes, capacity, stalls):
    rng = random.Random(lanes)
    for size in {lanes, capacity, capacity + lanes, 3 * capacity} | {
        rng.randrange(lanes, 4 * capacity, lanes)
    }:
        streams = [
            Stream(
                size,
                [random_tuples(rng, "random", size) for _ in range(count)],
                random_tuples(rng, "random", rng.randrange(0, size, lanes)),
            )
            for count in (2, 0, 3)
        ]
        run(lanes, capacity, streams, seed=size, **stalls)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("size", [4, 12, 28, 32])
def test_a_window_is_recorded_when_it_is_as_old_as_one_of_k(size):
    rng = random.Random(size)
    windows = [random_tuples(rng, "random", size) for _ in range(20)]
    runs = run(4, 32, [Stream(size, windows, [])])
    window_starts = runs["i"].cycles[:: size // 4]
    recorded = runs["chunks"].cycles
    assert [b - a for a, b in zip(window_starts[:20], recorded, strict=False)] == [9] * 20
    assert runs["i"].cycles == list(range(len(runs["i"].cycles)))


@pytest.mark.parametrize("capacity", [4, 16])
def test_windows_of_a_beat_fill_the_queue_of_records(capacity):
    """``chunks`` transfers a record every 30 cycles or so, so the records of old windows wait."""
    rng = random.Random(capacity)
    windows = [random_tuples(rng, "random", 1) for _ in range(4 * capacity)]
    run(1, capacity, [Stream(1, windows, [])], seed=capacity, stall_out={"chunks": 0.97})


def test_a_change_of_size_is_one_from_window_to_window():
    """A stream without a window is no change by itself, and does not hide one."""
    rng, dut, runs = random.Random(2), ChunkSorter(order_of(), 1, 4, 16), {}
    streams = [
        Stream(size, [random_tuples(rng, "random", size) for _ in range(count)], [])
        for size, count in ((8, 1), (4, 0), (4, 2), (16, 0), (4, 1), (8, 1))
    ]
    changed = [1, 1, 1, 0, 0, 1, 1]  # of each chunk; windows of 8 tuples have two

    async def source(ctx):
        for s in streams:
            ctx.set(dut.rows, s.size)
            await put(ctx, dut.i, s.beats(1))

    async def leaf(ctx):
        await collect(ctx, dut.leaf0, sum(s.size * len(s.windows) for s in streams))

    async def chunks(ctx):
        runs["chunks"] = await collect(ctx, dut.chunks, len(changed) + len(streams))

    outputs = {"leaf0": dut.leaf0, "chunks": dut.chunks}
    simulate(dut, source, leaf, chunks, streams={"i": dut.i} | outputs)
    assert [r["changed"] for r in runs["chunks"].payloads if not r["end"]] == changed


def test_what_is_refused():
    for capacity in (0, 6, 2, "k"):
        with pytest.raises(
            ValueError, match=rf"^capacity must be 4 times a power of two, not {capacity!r}$"
        ):
            ChunkSorter(ORDER, 4, capacity, 64)
