"""Checks numbers of slides and windows by their definition: all small times, and ends of types."""

import random

import pytest
from amaranth.hdl import signed, unsigned

from rtl.keyed.windows.key_times import KeyTimes
from rtl.keyed.windows.slide_numbers import SlideNumbers
from tb.bench.unit import run_stream
from tb.rtl.keyed.windows.key_times import KeyModel


def times_of(time, **changed):
    return KeyTimes(
        time=time, **{"overlap": 8, "places": 32, "items": 4, "number_bits": 5} | changed
    )


def first_of(settings, time):
    """Returns the first window that ends after a time, by counting."""
    model, window = KeyModel(**settings), 0
    while model.end(window) <= time:
        window += 1
    return window


def numbered(times, settings, item):
    """Returns the expected output for an item (time or None, last, passenger)."""
    time, last, passenger = item
    start, marks = settings["start"], times.marks
    slide = None if time is None else (time - start) // settings["slide"]
    late = time is not None and time < start
    overrun = time is not None and slide >= 1 << times.number_bits
    result = {"late": late, "overrun": overrun, "last": last, "passenger": passenger}
    result["valid"] = valid = time is not None and not late and not overrun
    if valid:
        u = time - start - settings["range"]
        result["first"] = 0 if u < 0 else u // settings["slide"] + 1
        result["slide"] = slide % (4 * times.overlap)
        result["spacing"] = settings["range"] // settings["slide"] // marks + 1
    return result


def beats_of(rng, streams):
    beats, items = [], []
    for settings, times in streams:
        rows = [(time, 0, rng.randrange(8)) for time in times]
        if not rows or rng.random() < 0.5:
            rows.append((None, 0, 5))
        rows[-1] = (rows[-1][0], 1, rows[-1][2])
        for time, last, passenger in rows:
            beat = {"time": time or 0, "valid": time is not None, "last": last}
            beats.append(beat | {"passenger": passenger, "settings": settings})
            items.append((settings, (time, last, passenger)))
    return beats, items


def check(times, streams, rng, **stalls):
    beats, items = beats_of(rng, streams)
    dut = SlideNumbers(times, 3)
    run = run_stream(dut, beats, expected=len(beats), **stalls)
    for actual, (settings, item) in zip(run.payloads, items, strict=True):
        expected = numbered(times, settings, item)
        assert {name: actual[name] for name in expected} == expected, (settings, item)
    return dut, run


def some_settings(rng, times, starts):
    slide = rng.randint(1, 6)
    largest = times.overlap * slide - 1
    return {
        "slide": slide,
        "range": rng.choice([slide, largest, rng.randint(slide, largest)]),
        "start": rng.choice(starts),
    }


@pytest.mark.parametrize("time", [unsigned(6), signed(6)])
def test_every_time(time):
    rng = random.Random(str(time))
    times = times_of(time, number_bits=5 if time.signed else 6)
    smallest, largest = (-32, 31) if time.signed else (0, 63)
    every = list(range(smallest, largest + 1))
    starts = [smallest - (0 if time.signed else 64), smallest, 0, 7, largest]
    streams = [(some_settings(rng, times, starts), every) for _ in range(8)]
    streams += [(some_settings(rng, times, starts), []), (streams[0][0], every[-3:])]
    check(times, streams, rng, seed=3, stall_in=0.3, stall_out=0.4)


def test_the_first_window_is_the_one_that_the_model_finds():
    """Checks the formula of ``numbered``, on which the other tests rely."""
    rng, times = random.Random(1), times_of(unsigned(6), number_bits=6)
    for _ in range(20):
        settings = some_settings(rng, times, [-3, 0, 5])
        for time in range(settings["start"], 64):
            item = numbered(times, settings, (time, 0, 0))
            assert item["first"] == first_of(settings, time)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("time", [unsigned(64), signed(64)])
def test_the_ends_of_types(time):
    rng = random.Random(str(time))
    times = times_of(time, number_bits=64, marks=2)
    smallest, largest = (-(1 << 63), (1 << 63) - 1) if time.signed else (0, (1 << 64) - 1)
    lowest = smallest if time.signed else -(1 << 64)
    corners = [smallest, smallest + 1, 0, 1, largest - 1, largest, largest // 3]
    streams = []
    for start in (lowest, lowest + 5, 0, 1, -1, (1 << 63) - 1):
        slides = [2, 1 << 62, (1 << 63) - 1] if start >= 0 or time.signed else [1 << 62]
        for slide in slides:
            streams.append(({"slide": slide, "range": slide, "start": start}, corners))
            long = {"slide": slide, "range": 2 * slide - 1, "start": start}
            streams.append((long, rng.sample(corners, 3)))
    check(times, streams, rng)


@pytest.mark.parametrize(("time", "latency"), [(unsigned(6), 7), (signed(6), 6), (signed(64), 35)])
def test_latency_and_rate(time, latency):
    times, rng = times_of(time), random.Random(2)
    settings = {"slide": 2, "range": 5, "start": 0}
    dut, run = check(times, [(settings, range(20)), (settings, range(9))], rng)
    assert dut.latency == latency
    # RANGE and SLIDE enter in cycle 0, and again in a cycle before the second stream.
    assert run.cycles[0] == latency + 1
    ends = [k for k, beat in enumerate(run.payloads) if beat["last"]]
    gaps = [b - a for a, b in zip(run.cycles, run.cycles[1:], strict=False)]
    assert gaps == [2 if k == ends[0] else 1 for k in range(len(gaps))]
