"""Checks the punctuator against plain loops over docs/query-language.md, Windows."""

import random
from itertools import pairwise

import pytest
from amaranth.hdl import signed, unsigned

from rtl.window.punctuation import Punctuator
from tb.bench.unit import run_streams
from tb.rtl.window.times import (
    Event,
    Noted,
    Settings,
    arrivals,
    punctuated,
    random_events,
    random_settings,
)

STALLS = [{}, {"stall_in": 0.5, "stall_out": {"o": 0.5}}]
SHAPES = [unsigned(8), signed(8), unsigned(5), signed(12)]


def run(shape, streams, generate, *, separate_end=False, **options):
    """Runs the streams, checks the output against the model, and returns the runs."""
    dut = Noted(Punctuator(unsigned(6), shape, generate=generate))
    inputs = arrivals(streams, 0, separate_end)
    count = sum(len(items_of(*s, generate, separate_end)) for s in streams)
    runs = run_streams(dut, {"i": inputs}, {"o": count, "notes": None}, **options)
    payloads, previous = iter(runs["o"].payloads), Settings(0, 0)
    for settings, events in streams:
        changed = lengths(settings) != lengths(previous)
        for item in items_of(settings, events, generate, separate_end):
            actual = next(payloads)
            assert (actual["context"], actual["changed"]) == (vars(settings), changed)
            assert (actual["valid"], actual["last"], actual["punctuation"]) == item[:3]
            if item[0] or item[1]:
                assert actual["time"] == item[3]
            if item[0]:
                assert actual["row"] == item[4]
        previous = settings
    assert next(payloads, None) is None
    late = sum(punctuated(*s, generate)[2] for s in streams)
    assert runs["notes"].payloads[-1]["late"] == late
    return runs


def lengths(settings):
    return {name: getattr(settings, name) for name in ("range", "slide", "slack")}


def items_of(settings, events, generate, separate_end):
    """Returns (valid, last, punctuation, time, row) of each output item of a stream."""
    items, p = [], 0
    for k, event in enumerate(events):
        timely, _, _ = punctuated(settings, events[: k + 1], generate)
        _, (_, silent), _ = punctuated(
            settings, [e for e in events[: k + 1] if not e.row], generate
        )
        counts = event.row is not None and len(timely) > len(
            punctuated(settings, events[:k], generate)[0]
        )
        current = timely[-1][2] if counts else p
        if not generate:
            current = max(p, silent)
        while current - p > settings.slide and generate:  # intermediate steps, one slide each
            p += settings.slide
            items.append((0, 0, p))
        p = current
        items.append((1, 0, p, timely[-1][1], event.row) if counts else (0, 0, p))
    if items and not separate_end and event.row is None and (generate or not event.punctuation):
        items.pop()
    timely, (time, final), _ = punctuated(settings, events, generate)
    return [*items, (0, 1, final if timely else p, time)]


def row(rng):
    return rng.randrange(1, 64)


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("shape", SHAPES, ids=repr)
@pytest.mark.parametrize("generate", [True, False])
def test_random_streams(generate, shape, stalls):
    rng = random.Random(f"{generate} {shape} {stalls}")
    streams = []
    for _ in range(12):
        settings = random_settings(rng, shape, 4)
        punctuations = rng.choice([0.0, 0.3])
        size = rng.choice([0, 1, 12])
        events = random_events(rng, shape, settings, size, row, punctuations=punctuations)
        streams += [(settings, events)] * rng.choice([1, 1, 2])
    run(shape, streams, generate, separate_end=rng.random() < 0.5, **stalls)


def test_by_hand():
    """With range 10, slide 4 and slack 3, p is 4 from u = 7 on, and 8 from u = 11 on."""
    times = [100, 106, 107, 103, 104, 119, 111, 90]
    events = [Event(time, row=1 + k) for k, time in enumerate(times)]
    runs = run(unsigned(8), [(Settings(10, 4, 3, 100), events)], True)
    actual = [(p["valid"], p["row"], p["time"], p["punctuation"]) for p in runs["o"].payloads]
    assert [g for g in actual if g[0]] == [
        (1, 1, 0, 0),
        (1, 2, 6, 0),
        (1, 3, 7, 4),
        (1, 5, 4, 4),
        (1, 6, 19, 16),
    ]
    assert [g[3] for g in actual] == [0, 0, 4, 4, 4, 8, 12, 16, 16, 16, 29]
    assert runs["notes"].payloads[-1]["late"] == 3


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("shape", [unsigned(8), signed(8)], ids=repr)
def test_the_whole_width_of_time(shape):
    """Times from the least to the greatest, with the greatest possible settings.

    With a slide of 0 the punctuation stays at 0 up to the end of the stream.
    """
    low = -128 if shape.signed else 0
    ends = [Event(low, 1), Event(low + 255, 2), Event(low + 254, 3), Event(low, 4)]
    lengths_of_streams = ((255, 255, 0), (255, 1, 255), (255, 128, 127), (3, 2, 0), (9, 0, 0))
    for range_, slide, slack in lengths_of_streams:
        for start in (low, low + 255, low + 200):
            settings = Settings(range_, slide, slack, start)
            for generate in (True, False):
                run(shape, [(settings, ends), (settings, ends[:1])], generate)
    points = [Event(low + 255, punctuation=True), *ends, Event(low, punctuation=True)]
    run(shape, [(Settings(255, 3, 9, low), points)], False)


def test_no_stall_while_the_punctuation_moves_by_one_slide():
    rng = random.Random(5)
    settings = Settings(12, 5, 7, 3)
    greatest, events = 0, []
    for _ in range(40):
        u = max(0, greatest + rng.randint(-7, 5))
        greatest = max(greatest, u)
        events.append(Event(3 + u, row(rng)))
    runs = run(unsigned(10), [(settings, events), (settings, events)], True)
    input_cycles = runs["i"].cycles
    latency = runs["o"].cycles[0] - input_cycles[0]
    assert latency == Punctuator.latency
    # Each stream has one item more than arrivals, because its last arrival has a tuple.
    assert [b - a for a, b in pairwise(input_cycles)] == [1] * 39 + [2] + [1] * 39


def test_each_slide_more_holds_the_input_a_cycle():
    events = [Event(0, 1), Event(70, 2), Event(71, 3), Event(80, 4)]
    runs = run(unsigned(8), [(Settings(10, 10), events)], True)
    assert [cycle - runs["i"].cycles[0] for cycle in runs["i"].cycles] == [0, 1, 8, 9]


class Swallowed(Punctuator):
    """A punctuator whose receiver swallows each stream with a range of 99."""

    def elaborate(self, platform):
        m = super().elaborate(platform)
        transfer = self.o.valid & self.o.ready & ~self.o.p.last
        m.d.comb += self.swallowed.eq(transfer & (self.o.p.context.range == 99))
        return m


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("slide", [1, 7, 40])
@pytest.mark.parametrize("jump", [3, 90, 200])
def test_a_stream_after_a_swallowed_stream(jump, slide, stalls):
    """A swallowed stream whose last tuple jumps ahead does not affect the next stream."""
    bad = Settings(99, slide), [Event(0, 1), Event(1, 1), Event(jump, 1)]
    good = Settings(12, 5, 7, 3), [Event(3 + u, 1) for u in (0, 9, 8, 12, 7, 30, 26, 25, 47)]
    dut, inputs = Swallowed(unsigned(6), unsigned(8), generate=True), [bad, good, bad, bad, good]
    inputs = arrivals(inputs, 0)
    payloads = run_streams(dut, {"i": inputs}, {"o": None}, max_cycles=600, **stalls)["o"].payloads
    expected = 2 * items_of(*good, True, False)
    actual = [item for item in payloads if item["context"]["range"] == 12]
    assert [(p["valid"], p["last"], p["punctuation"]) for p in actual] == [w[:3] for w in expected]
    swallowed = [item for item in payloads if item["context"]["range"] == 99]
    assert [item["time"] for item in swallowed if item["valid"]] == 3 * [0, 1, jump]
    assert sum(item["last"] for item in swallowed) == 3
