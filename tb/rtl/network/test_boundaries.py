"""Checks marks of groups: over beats, with short last beats and empty streams."""

import random
from itertools import pairwise

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from rtl.network.boundaries import GroupBoundaries
from tb.bench.unit import collect, put, run_stream, run_streams, simulate
from tb.rtl.beats import dense, slots

ROW = data.StructLayout({"key": signed(4), "x": 3, "y": 2})


def model(tuples):
    """Returns row, ``first``, ``last`` and ``fresh`` of each tuple of one stream."""
    marked = []
    for n, row in enumerate(tuples):
        first = n == 0 or tuples[n - 1]["key"] != row["key"]
        last = n == len(tuples) - 1 or tuples[n + 1]["key"] != row["key"]
        fresh = {c: int(first or tuples[n - 1][c] != row[c]) for c in ("x", "y")}
        marked.append({"row": row, "first": int(first), "last": int(last), "fresh": fresh})
    return marked


def grouped(rng, sizes):
    keys = rng.sample(range(-8, 8), len(sizes))
    return [
        {"key": key, "x": rng.randrange(2), "y": rng.randrange(4)}
        for key, size in zip(keys, sizes, strict=True)
        for _ in range(size)
    ]


def check(streams, lanes, **options):
    beats = [b for one in streams for b in dense(one, lanes)]
    expected = [b for one in streams for b in dense(model(one), lanes)]
    dut = GroupBoundaries(ROW, lanes, key="key", distinct=("x", "y"))
    marked_beats = run_stream(dut, beats, expected=len(beats), **options).payloads
    assert [(slots(b), b["last"]) for b in marked_beats] == [
        (slots(b), b["last"]) for b in expected
    ]


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 8])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.6, 0.1), (0.1, 0.6)])
def test_random_streams(lanes, stall_in, stall_out):
    rng = random.Random(lanes)
    streams = [
        grouped(rng, [rng.choice((1, 1, 2, 5, 20)) for _ in range(rng.randrange(8))])
        for _ in range(12)
    ]
    check(streams, lanes, stall_in=stall_in, stall_out=stall_out, seed=lanes)


@pytest.mark.parametrize("lanes", [1, 4])
def test_corners(lanes):
    rng = random.Random(3)
    one, short, singles = grouped(rng, [40]), grouped(rng, [1]), grouped(rng, [1] * 16)
    same_group = [one[-1]] * lanes  # a new stream with the group that ended the last one
    check(
        [[], one, [], same_group, same_group, short, [], [], singles, grouped(rng, [lanes])], lanes
    )


@pytest.mark.parametrize("key", [0, 7])
def test_empty_last_beat_after_tuples(key):
    """An empty last beat ends the last group, even if its invalid lanes have the same group."""
    dut = GroupBoundaries(ROW, 2, key="key")
    row = {"key": key, "x": 0, "y": 0}
    beats = [{"tuples": [row, row], "valid": 3, "last": 0}] * 2
    beats += [{"tuples": [row, row], "valid": 0, "last": 1}]
    marked_beats = run_stream(dut, beats + beats, expected=6, stall_in=0.3, stall_out=0.3).payloads
    marks = [[(t["first"], t["last"]) for t in slots(b) if t is not None] for b in marked_beats]
    assert marks == 2 * [[(1, 0), (0, 0)], [(0, 0), (0, 1)], []]
    assert [b["last"] for b in marked_beats] == [0, 0, 1, 0, 0, 1]


def test_context_goes_along_with_its_beat():
    rng = random.Random(5)
    beats = [b for k in range(9) for b in dense(grouped(rng, [3] * (k % 4)), 2)]
    beats = [b | {"context": k % 8} for k, b in enumerate(beats)]
    dut = GroupBoundaries(ROW, 2, key="key", context=3)
    marked_beats = run_stream(dut, beats, expected=len(beats), stall_in=0.3, stall_out=0.3).payloads
    assert [b["context"] for b in marked_beats] == [b["context"] for b in beats]


def test_latency_and_rate():
    dut = GroupBoundaries(ROW, 4, key="key")
    beats = dense(grouped(random.Random(1), [5, 30, 5]), 4)
    run = run_streams(dut, {"i": beats * 2}, {"o": 20})
    assert run["i"].cycles == [k * dut.initiation_interval for k in range(20)]
    assert run["o"].cycles == [k + dut.latency for k in range(20)]


def test_waits_for_the_next_beat_but_not_for_the_end():
    dut = GroupBoundaries(ROW, 2, key="key")
    row = {"key": 1, "x": 0, "y": 0}
    beat = {"tuples": [row, row], "valid": 3, "last": 0}
    assert run_stream(dut, [beat], max_cycles=20).payloads == []
    dut = GroupBoundaries(ROW, 2, key="key")
    assert len(run_stream(dut, [beat | {"last": 1}], max_cycles=20)) == 1


def test_refuses_lanes():
    with pytest.raises(ValueError, match=r"^lanes must be an integer of at least 1, not 0$"):
        GroupBoundaries(ROW, 0, key="key")


@pytest.mark.parametrize("lanes", [1, 2, 4])
@pytest.mark.parametrize(("stall_in", "stall_out"), [(0.0, 0.0), (0.4, 0.4)])
def test_where_a_stream_descends(lanes, stall_in, stall_out):
    """The stream ascends by key, then x; y is ignored. Descents lie in any lane and over beats."""
    rng, streams = random.Random(lanes), []
    for _ in range(60):
        stream = sorted(grouped(rng, [rng.choice((1, 2, 5))] * rng.randrange(5)), key=by_key_and_x)
        if stream and rng.random() < 0.6:
            stream.insert(rng.randrange(len(stream) + 1), rng.choice(stream))
        streams.append(stream)
    beats = [beat for stream in streams for beat in dense(stream, lanes)]
    descents = []
    for stream in streams:
        bad = [by_key_and_x(a) > by_key_and_x(b) for a, b in pairwise(stream)]
        bad = [False, *bad] if stream else [False]
        descents += [any(bad[k : k + lanes]) for k in range(0, len(bad), lanes)]
    order = {"key": False, "x": False}
    dut, reported = GroupBoundaries(ROW, lanes, key="key", order=order), []

    async def feed(ctx):
        await put(ctx, dut.i, beats, stall_in, random.Random(1))

    async def drain(ctx):
        await collect(ctx, dut.o, len(beats), stall=stall_out, rng=random.Random(2))

    async def watch(ctx):
        transferred = False
        ports = dut.i.valid, dut.i.ready, dut.unsorted
        while len(reported) < len(beats):
            _, _, valid, ready, unsorted = await ctx.tick().sample(*ports)
            if transferred:
                reported.append(bool(unsorted))
            elif unsorted:  # the beat is still held
                assert reported[-1]
            transferred = valid and ready

    simulate(dut, feed, drain, watch)
    assert reported == descents
    assert 5 < sum(descents) < len(descents) - 5


def by_key_and_x(row):
    return row["key"], row["x"]
