"""Checks the merge sorter against Python's sorted, with complete and cut windows of any size."""

import random
from collections import Counter

import pytest

from rtl.sort.merge_sorter import MergeSorter
from tb.bench.elaborated import elaborated
from tb.bench.unit import collect, put, simulate
from tb.rtl.sort.grouped_windows import Stream, order_of, random_tuples

PASSES = ("shared", "pipelined")


KINDS = ("random", "one group", "few groups", "sorted", "reversed", "equal", "sawtooth")


def random_stream(rng, lanes, size, count, kind=None):
    kind = kind or rng.choice(KINDS)
    cut_short = rng.choice([0, rng.randrange(0, size, lanes)])
    return Stream(
        size,
        [random_tuples(rng, kind, size) for _ in range(count)],
        random_tuples(rng, kind, cut_short),
    )


def run(dut, lanes, streams, *, stall_in=0.0, stall_out=0.0, seed=0):
    """Runs streams and checks the output; returns the runs of the inputs and of the output."""
    rng = random.Random(seed)
    input_runs = []
    expected = sum(len(s.windows) * s.size // lanes + 1 for s in streams)
    runs = {}

    async def source(ctx):
        for s in streams:
            ctx.set(dut.rows, s.size // lanes)
            input_runs.append(await put(ctx, dut.i, s.beats(lanes), stall_in, rng))

    async def sink(ctx):
        runs["o"] = await collect(ctx, dut.o, expected, stall=stall_out, rng=random.Random(seed))

    simulate(dut, source, sink, streams={"i": dut.i, "o": dut.o})
    check(runs["o"].payloads, lanes, streams)
    return input_runs, runs["o"]


def check(beats, lanes, streams):
    beats = iter(beats)
    for s in streams:
        for window in s.windows:
            items = []
            for k in range(0, s.size, lanes):
                beat = next(beats)
                assert (beat["valid"], beat["context"]) == ((1 << lanes) - 1, 0)
                assert beat["last"] == (k + lanes == s.size)
                items += beat["tuples"]
            plain = [item.get("tuple", item) for item in items]
            assert [(t["group"], t["value"]) for t in plain] == sorted(window)
            if "cardinality" in items[0]:
                sizes = Counter(group for group, _ in window)
                assert [i["cardinality"] for i in items] == [sizes[t["group"]] for t in plain]
        beat = next(beats)
        assert (beat["valid"], beat["last"], beat["context"]) == (0, 1, 1)


@pytest.mark.in_turn
@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize(
    ("point", "cardinality", "stall"),
    [
        ((1, 4, 16), 5, 0.4),
        ((2, 2, 4), 3, 0.0),
        ((2, 8, 32), 6, 0.4),
        ((4, 8, 64), 0, 0.0),
        ((4, 16, 128), 8, 0.2),
        ((8, 8, 16), 0, 0.4),  # fewer chunks than half the lanes
        ((2, 8, 8), 4, 0.4),
        pytest.param((8, 8, 32), 0, 0.4, marks=pytest.mark.regress),
        pytest.param((8, 16, 32), 5, 0.2, marks=pytest.mark.regress),
        pytest.param((16, 16, 64), 0, 0.2, marks=pytest.mark.regress),
    ],
)
def test_windows_of_every_size(passes, point, cardinality, stall):
    lanes, capacity, window_max = point
    rng = random.Random(f"{point} {stall}")
    dut = MergeSorter(order_of(cardinality), lanes, capacity, window_max, passes=passes)
    sizes = {lanes, capacity, capacity + lanes, 2 * capacity, window_max, window_max // 2}
    sizes |= {rng.randrange(lanes, window_max + 1, lanes) for _ in range(2)}
    sizes = [size for size in sizes if size <= window_max]
    rng.shuffle(sizes)
    streams = [random_stream(rng, lanes, size, rng.choice([0, 1, 3])) for size in sizes]
    run(dut, lanes, streams, stall_in=stall, stall_out=stall, seed=len(sizes))


@pytest.mark.in_turn
@pytest.mark.parametrize("passes", PASSES)
@pytest.mark.parametrize(
    ("point", "sizes"),
    [
        # k/P is 4, so small windows show their own latency; the store holds one window to four
        ((2, 8, 64), (8, 10, 16, 24, 64)),
        ((4, 16, 32), (32,)),
    ],
)
def test_interval_from_window_to_window(passes, point, sizes):
    """The prediction is right within 3 % or 2 cycles; 3 cycles for a last chunk of one row."""
    lanes, capacity, window_max = point
    for size in sizes:
        dut = MergeSorter(order_of(), lanes, capacity, window_max, passes=passes)
        windows = [random_tuples(random.Random(k), "random", size) for k in range(12)]
        _, out = run(dut, lanes, [Stream(size, windows, [])])
        ends = [c for c, beat in zip(out.cycles, out.payloads, strict=True) if beat["last"]]
        measured = (ends[9] - ends[3]) / 6  # an even number, because two stores take turns
        predicted = MergeSorter.interval_of(
            size,
            order=order_of(),
            lanes=lanes,
            capacity=capacity,
            window_max=window_max,
            passes=passes,
        )
        short_tail = size % capacity and size > capacity
        assert abs(predicted - measured) <= max(0.03 * measured, 3 if short_tail else 2)


@pytest.mark.regress
def test_windows_of_one_beat_of_32_lanes_have_no_pause():
    """The tree has a turn for each of the 35 lists inside of it."""
    lanes, count = 32, 120
    dut = MergeSorter(order_of(cardinality=6), lanes, lanes, lanes)
    windows = [random_tuples(random.Random(k), "random", lanes) for k in range(count)]
    _, out = run(dut, lanes, [Stream(lanes, windows, [])])
    assert out.cycles[count - 1] - out.cycles[60] == count - 1 - 60


@pytest.mark.in_turn
@pytest.mark.parametrize("passes", ["shared", pytest.param("pipelined", marks=pytest.mark.regress)])
def test_latency_of_a_first_window(passes):
    """The latency is that of the formula, and up to 4 P more for the mergers' first rows."""
    lanes, capacity = 4, 32
    dut = elaborated(MergeSorter(order_of(), lanes, capacity, 128, passes=passes))
    shape = {"order": order_of(), "lanes": lanes, "capacity": capacity, "window_max": 128}
    assert dut.latency == MergeSorter.latency_of(4, **shape) == MergeSorter.latency_of(32, **shape)
    for size in (4, 32, 36, 68, 128):
        stream = Stream(size, [random_tuples(random.Random(size), "random", size)] * 2, [])
        dut = MergeSorter(order_of(), lanes, capacity, 128, passes=passes)
        input_runs, out = run(dut, lanes, [stream])
        late = out.cycles[0] - input_runs[0].cycles[0] - MergeSorter.latency_of(size, **shape)
        assert 0 <= late <= 4 * lanes


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"^passes must be one of shared, pipelined, not 'x'$"):
        MergeSorter(order_of(), 4, 16, 64, passes="x")
    with pytest.raises(ValueError, match=r"^capacity must be 4 times a power of two, not 10$"):
        MergeSorter(order_of(), 4, 10, 64)
    for window_max in (0, 2, 17, 48, 66):
        text = f"window_max must be 4 times a power of two, not {window_max}"
        with pytest.raises(ValueError, match=f"^{text}$"):
            MergeSorter(order_of(), 4, 16, window_max)
    with pytest.raises(ValueError, match=r"^window_max must be at most capacity squared, 64, not "):
        MergeSorter(order_of(), 4, 8, 128)
