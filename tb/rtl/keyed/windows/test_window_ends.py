"""Checks ends of windows against start + RANGE + j SLIDE in Python's integers."""

import random

import pytest
from amaranth.hdl import Shape, signed, unsigned
from amaranth.lib import data

from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.window_ends import WindowEnds
from tb.bench.unit import run_stream, simulate


def check(time, numbers, count, seed=0, **options):
    """Checks rows and ends of streams with random settings whose window ends are valid times."""
    rng, time = random.Random(f"{time} {numbers} {seed}"), Shape.cast(time)
    times = KeyTimes(time=time, overlap=4, places=8, items=4, number_bits=numbers)
    largest = 1 << time.width - time.signed
    smallest = -largest if time.signed else 0
    max_span = (1 << time.width) - 1
    slides = rng.randint(1, 1 << time.width // 2), rng.randint(1, largest // 2)
    slide = rng.choice([1, *slides, rng.randint(max_span // 2 + 1, max_span)])
    size = rng.randint(slide, min(4 * slide - 1, max_span))
    start = rng.choice([-largest, rng.randint(-largest, largest - 1)])
    row = data.StructLayout({"window": numbers, "end": time, "x": 3})
    first = max(0, -(-(smallest - start - size) // slide))
    last = min((largest - 1 - start - size) // slide, (1 << numbers) - 1)
    if last < first:
        return None
    windows = [first, last, *(rng.randint(first, last) for _ in range(count))]
    beats = [
        {"tuples": [{"window": j, "x": k % 8}], "valid": 1, "last": 0}
        for k, j in enumerate(windows)
    ]
    beats.append({"tuples": [{"window": 0, "x": 0}], "valid": 0, "last": 1})
    dut = WindowEnds(times, row)
    ports = {"lengths.range": size, "lengths.slide": slide, "lengths.start": start}
    run = run_stream(dut, beats, expected=len(beats), ports=ports, seed=seed, **options)
    for k, (actual, j) in enumerate(zip(run.payloads, windows, strict=False)):
        expected = {"window": j, "end": start + size + j * slide, "x": k % 8}
        assert actual["tuples"][0] == expected
        assert (actual["valid"], actual["last"]) == (1, 0)
    assert (run.payloads[-1]["valid"], run.payloads[-1]["last"]) == (0, 1)
    return dut, run


@pytest.mark.parametrize(
    ("time", "numbers"),
    [(unsigned(6), 7), (signed(20), 20), (unsigned(32), 32), (signed(40), 32), (unsigned(64), 32)],
)
def test_any_window(time, numbers):
    runs = [check(time, numbers, 20, seed, stall_in=0.3, stall_out=0.4) for seed in range(12)]
    assert sum(one is not None for one in runs) > 3


@pytest.mark.parametrize(
    ("time", "numbers", "latency"),
    [(unsigned(6), 7, 3), (unsigned(32), 32, 4), (signed(64), 32, 4)],
)
def test_latency_and_rate(time, numbers, latency):
    dut, run = next(filter(None, (check(time, numbers, 30, seed) for seed in range(99))))
    assert dut.latency == WindowEnds.latency_of(dut._times) == latency
    assert run.cycles == list(range(latency, latency + len(run.cycles)))


@pytest.mark.parametrize("ready", [0, 1])
def test_busy_from_the_cycle_behind_a_row_until_it_has_left(ready):
    """An end of a stream also counts as busy, until the output accepts it."""
    times = KeyTimes(time=8, overlap=4, places=8, items=4, number_bits=6)
    dut = WindowEnds(times, data.StructLayout({"window": 6, "end": 8}))
    busy = []

    async def bench(ctx):
        for cycle in range(20):
            ctx.set(dut.i.valid, cycle == 2)
            ctx.set(dut.i.p.last, 1)
            ctx.set(dut.o.ready, ready or cycle == 12)
            busy.append(ctx.get(dut.busy))
            await ctx.tick()

    simulate(dut, bench)
    last_busy = 2 + dut.latency if ready else 12
    assert busy == [2 < cycle <= last_busy for cycle in range(20)]
