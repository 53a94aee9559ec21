"""Checks the replay buffer against slices of Python lists."""

import random

import pytest
from amaranth.hdl import signed
from amaranth.lib import data

from rtl.window.replay import ReplayBuffer
from tb.bench.elaborated import elaborated
from tb.bench.unit import collect, put, run_streams, simulate
from tb.rtl.sort.lists import beats_of

ROW = data.StructLayout({"key": 6, "value": signed(5)})
STALLS = [{}, {"stall_in": 0.5}, {"stall_out": 0.5}, {"stall_in": 0.3, "stall_out": 0.3}]


def windows_of(items, size, slide):
    """Returns every full window."""
    return [items[k : k + size] for k in range(0, len(items) - size + 1, slide)]


def parts_of(beats):
    """Returns, for each stream, its windows and the tuples of a window that was cut short."""
    streams, windows, items = [], [], []
    for beat in beats:
        if beat["context"]:
            assert beat["valid"] == 0
            assert beat["last"]
            streams.append((windows, items))
            windows, items = [], []
            continue
        assert beat["valid"] == (1 << len(beat["tuples"])) - 1
        items += [(t["key"], t["value"]) for t in beat["tuples"]]
        if beat["last"]:
            windows.append(items)
            items = []
    assert not items
    assert not windows
    return streams


def check(actual, expected, streams, slides):
    """Checks the windows, and the first tuples of a window that was cut short."""
    assert [windows for windows, _ in actual] == expected
    for (windows, cut), items, slide in zip(actual, streams, slides, strict=True):
        begin = len(windows) * slide
        assert cut == items[begin : begin + len(cut)]


def random_items(rng, count):
    return [(rng.randrange(64), rng.randrange(-16, 16)) for _ in range(count)]


def run(lanes, window_max, streams, size, slide, **options):
    dut = ReplayBuffer(ROW, lanes, window_max)
    expected = [windows_of(items, size, slide) for items in streams]
    # A window that is cut short leaves as far as it has arrived, which the test cannot predict.
    beat_count = sum(len(windows) * size // lanes + 1 for windows in expected)
    runs = run_streams(
        dut,
        {"i": beats_of(streams, lanes)},
        {"o": None},
        ports={"size": size, "slide": slide},
        max_cycles=6 * (beat_count + sum(map(len, streams))) + 100,
        **options,
    )
    check(parts_of(runs["o"].payloads), expected, streams, [slide] * len(streams))
    return runs


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize(("lanes", "window_max"), [(1, 8), (2, 4), (4, 32)])
def test_windows_of_every_size(lanes, window_max, stalls):
    rng = random.Random(f"{lanes} {stalls}")
    for size in {lanes, 3 * lanes, window_max - lanes, window_max} & set(range(window_max + 1)):
        for slide in {lanes, size} | {rng.randrange(lanes, size + 1, lanes)}:
            lengths = [0, size - 1, size, 3 * window_max + rng.randrange(9), 1]
            streams = [random_items(rng, max(0, length)) for length in lengths]
            run(lanes, window_max, streams, size, slide, seed=size, **stalls)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(("size", "slide"), [(16, 16), (16, 4), (16, 12), (4, 4), (8, 4)])
def test_a_row_leaves_in_every_cycle(size, slide):
    lanes, windows = 4, 24
    items = random_items(random.Random(size), size + (windows - 1) * slide)
    runs = run(lanes, 16, [items], size, slide)
    out = runs["o"].cycles[: windows * size // lanes]
    assert out == list(range(out[0], out[0] + len(out)))
    assert out[0] - runs["i"].cycles[0] == ReplayBuffer.latency


def rows_that_enter(size):
    """Returns the number of beats that a buffer of 2 * 16 tuples accepts while ``o`` stalls."""
    dut, accepted = ReplayBuffer(ROW, 4, 16), []

    async def bench(ctx):
        for port, value in ((dut.size, size), (dut.slide, 4), (dut.i.valid, 1)):
            ctx.set(port, value)
        ctx.set(dut.i.p.valid, 15)
        for _ in range(40):
            _, _, ready = await ctx.tick().sample(dut.i.ready)
            accepted.append(ready)

    simulate(dut, bench)
    return sum(accepted)


def test_a_burst_is_absorbed_until_the_buffer_is_full():
    """While no row leaves, 2 * window_max tuples enter, which are 8 rows.

    A window of one row leaves the memory for the output register, so a ninth row enters.
    """
    assert rows_that_enter(size=16) == 8
    assert rows_that_enter(size=4) == 9
    items = random_items(random.Random(1), 400)
    runs = run(4, 16, [items], 16, 4)
    input_cycles = runs["i"].cycles
    # 4 rows leave for each row that is freed; meanwhile 8 rows and the freed rows enter.
    assert input_cycles[:8] == list(range(8))
    assert input_cycles[-1] > 3 * len(input_cycles)


def test_settings_hold_for_a_whole_stream():
    """Settings are sampled with the first beat; later changes have no effect on the stream.

    ``rows`` also belongs to the stream whose windows leave.
    """
    rng = random.Random(2)
    dut, settings = ReplayBuffer(ROW, 2, 8), [(8, 2), (4, 4), (6, 2)]
    streams = [random_items(rng, length) for length in (21, 40, 7)]
    expected = [windows_of(items, *both) for items, both in zip(streams, settings, strict=True)]
    actual = []

    async def feed(ctx):
        for items, (size, slide) in zip(streams, settings, strict=True):
            first, *later_beats = beats_of([items], 2)
            ctx.set(dut.size, size)
            ctx.set(dut.slide, slide)
            await put(ctx, dut.i, [first], stall=0.3, rng=rng)
            ctx.set(dut.size, 4)
            ctx.set(dut.slide, 2)
            await put(ctx, dut.i, later_beats, stall=0.3, rng=rng)

    async def drain(ctx):
        for _ in streams:
            run = await collect(
                ctx, dut.o, until=lambda beat: beat["context"], stall=0.3, rng=random.Random(3)
            )
            actual.extend(parts_of(run.payloads))

    async def watch(ctx):
        transfer, ports = dut.o.valid & dut.o.ready, (dut.o.p.context, dut.rows)
        for size, _ in settings:
            is_end = False
            while not is_end:
                _, _, transfers, context, rows = await ctx.tick().sample(transfer, *ports)
                is_end = transfers and context
                assert not transfers or is_end or rows == size // 2

    simulate(dut, feed, drain, watch, streams={"i": dut.i, "o": dut.o})
    check(actual, expected, streams, [slide for _, slide in settings])


@pytest.mark.parametrize("window_max", [0, 6, 12, 4.0])
def test_window_max_must_be_lanes_times_a_power_of_two(window_max):
    for call in (ReplayBuffer, ReplayBuffer.memory_bits_of):
        with pytest.raises(ValueError, match=r"^window_max must be 4 times") as caught:
            call(ROW, 4, window_max)
        assert str(caught.value).endswith(f"a power of two, not {window_max}")


@pytest.mark.parametrize(("lanes", "window_max"), [(1, 8), (4, 32)])
def test_memory(lanes, window_max):
    """The memory holds two windows; the static method and the component agree."""
    bits = ReplayBuffer.memory_bits_of(ROW, lanes, window_max)
    assert bits == 2 * window_max * ROW.size
    assert elaborated(ReplayBuffer(ROW, lanes, window_max)).memory_bits == bits
