"""Checks the window cache alone by the last values of each key."""

import random

import pytest
from amaranth.hdl import ResetInserter, Signal

from rtl.keyed.cache.window_cache import WindowCache
from tb.bench.sides import Sink, Source, as_unsigned
from tb.bench.unit import simulate
from tb.rtl.keyed.cache.plans import ENTRIES, MAX_VALUES, cache_of
from tb.rtl.keyed.cache.sorted_changes import FRACTIONS, percentiles
from tb.rtl.keyed.cache_bench import CacheModel


def arriving(rng, count, keys, size, slide, *, fresh=0.0):
    """Returns input beats of bursts of values, and (key, closed window or None, begins) of each.

    Keys begin a new life at random. A beat without a value has None in place of the triple.
    """
    inputs, windows, values = [], [], {}
    key = 0
    for _ in range(count):
        key = key if rng.random() < 0.6 else rng.randrange(keys)
        x = rng.randrange(-256, 256)
        beat = {"entry": key, "size": size, "item": x, "valid": 1}
        if rng.random() < 0.1:
            beat |= {"valid": 0, "fresh": rng.randrange(2), "closes": rng.randrange(2)}
            inputs.append(beat)
            windows.append(None)
            continue
        is_first = key not in values or rng.random() < fresh
        if is_first:
            values[key] = []
        values[key].append(x)
        excess = len(values[key]) - size
        closes = excess >= 0 and excess % slide == 0
        inputs.append(beat | {"fresh": is_first, "closes": closes})
        windows.append((key, values[key][-size:], is_first) if closes else (key, None, is_first))
    return inputs, windows


def expected(plan, inputs, windows):
    """Returns a flag for each value, True if it closes a hit, and the values of each hit."""
    model, hits, windows_of_hits = CacheModel(plan.keys), [], []
    for beat, arrival in zip(inputs, windows, strict=True):
        if arrival is None:
            hits.append(False)
            continue
        key, window, is_first = arrival
        hits.append(model.arrive(key, beat["size"], window is not None, is_first))
        if hits[-1]:
            windows_of_hits.append(window)
    return hits, windows_of_hits


def run(plan, inputs, *, stall=0.0, stall_out=None, reset_after=None, seed=0, begin_cycles=None):
    """Returns the hits of values, the cycles of their transfers, and the lines.

    A run with a reset leaves out all lines that are taken up to the cycle of the reset.
    ``begin_cycles`` is a list that receives the cycle of each line, less the latency.
    """
    rng, reset = random.Random(seed), Signal()
    dut = WindowCache(plan, ENTRIES)
    source, sink = Source(dut.i, inputs, stall, rng), Sink(dut.o, stall_out or stall, rng)
    decisions, lines_before_reset = [], 0

    async def bench(ctx):
        nonlocal lines_before_reset
        cycle = quiet = 0
        while quiet < 60:
            source.drive(ctx)
            sink.drive(ctx)
            if reset_after is not None:
                ctx.set(reset, cycle == reset_after)
            ports = (dut.i.valid, dut.i.ready, as_unsigned(dut.i.p))
            outs = (dut.o.valid, dut.o.ready, as_unsigned(dut.o.p))
            _, _, hit, *sampled = await ctx.tick().sample(dut.decision.hit, *ports, *outs)
            if sampled[0] and sampled[1]:
                decisions.append(bool(hit))
            moved = source.sample(cycle, *sampled[:3]) | sink.sample(cycle, *sampled[3:])
            quiet = quiet + 1 if source.is_complete and not moved else 0
            if cycle == reset_after:
                lines_before_reset = len(sink.run)
            cycle += 1
            assert cycle < 20_000

    simulate(ResetInserter(reset)(dut), bench)
    if begin_cycles is not None:
        begin_cycles += [cycle - dut.latency for cycle in sink.run.cycles]
    return decisions, source.run.cycles, sink.run.payloads[lines_before_reset:]


def folded(payloads):
    """Returns the least value, the sum and the count of each window, combined from its lines."""
    windows_of_hits, parts = [], []
    for line in payloads:
        state = line["tuples"][0]
        assert line["valid"] == 1
        assert state["values"] == state["r2"]["value"]
        parts.append([state[name]["value"] for name in ("r0", "r1", "r2")])
        if line["last"]:
            minima, sums, counts = zip(*parts, strict=True)
            windows_of_hits.append((min(minima), sum(sums), sum(counts)))
            parts = []
    assert not parts
    return windows_of_hits


@pytest.mark.in_turn
@pytest.mark.parametrize(("keys", "lanes"), [(1, 4), (2, 8), (3, 1), (4, 2)])
def test_windows_are_the_last_values_of_their_keys(keys, lanes):
    rng, plan = random.Random(f"{keys} {lanes}"), cache_of(keys, lanes)
    for size, slide in ((1, 1), (lanes + 1, 1), (MAX_VALUES, 3)):
        inputs, windows = arriving(rng, 120, keys + 1, size, slide, fresh=0.05)
        hits, values = expected(plan, inputs, windows)
        decisions, _, payloads = run(plan, inputs, stall=0.4, seed=size)
        assert decisions == hits
        assert folded(payloads) == [(min(v), sum(v), len(v)) for v in values]


def ranked(payloads):
    """Returns the percentiles of each window as values; lines before the last have none."""
    answers = []
    for line in payloads:
        states = [line["tuples"][0][f"r{3 + k}"] for k in range(len(FRACTIONS))]
        if not line["last"]:
            assert not any(any(state.values()) for state in states)
            continue
        assert all(state["count"] == 1 and not state["upto"] for state in states)
        # An entry above the pivot is an inverted rank key, and 256 more than the value with a sign.
        answers.append([(~state["above0"] & 0x1FF) - 256 for state in states])
    return answers


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("keys", "lanes"), [(2, 4), pytest.param(1, 16, marks=pytest.mark.regress)]
)
def test_percentiles_come_with_the_last_line_of_their_window(keys, lanes):
    """With a slow output the queue of states is full, when percentiles have room."""
    rng, plan = random.Random(f"{keys} {lanes}"), cache_of(keys, lanes, FRACTIONS)
    for others, pauses in ((1, {"stall": 0.4}), (0, {"stall": 0.1, "stall_out": 0.88})):
        inputs, windows = arriving(rng, 200, keys + others, 6, 1 + others, fresh=0.02 * others)
        hits, values = expected(plan, inputs, windows)
        decisions, _, payloads = run(plan, inputs, **pauses)
        assert decisions == hits
        assert folded(payloads) == [(min(v), sum(v), len(v)) for v in values]
        assert ranked(payloads) == [percentiles(v) for v in values]
        assert len(values) > 10


@pytest.mark.parametrize("size", [1, 4, 5, 16])
def test_a_window_takes_as_many_cycles_as_it_has_lines(size):
    """One key, a window after each value, and 4 lanes."""
    plan = cache_of(1, 4)
    inputs, windows = arriving(random.Random(size), 80, 1, size, 1)
    inputs = [beat for beat in inputs if beat["valid"]]
    windows = [window for window in windows if window]
    hits, values = expected(plan, inputs, windows)
    begin_cycles = []
    decisions, cycles, payloads = run(plan, inputs, begin_cycles=begin_cycles)
    assert decisions == hits
    assert begin_cycles[0] == cycles[decisions.index(True)]
    assert len(folded(payloads)) == len(values) == len(inputs) - max(1, 2 * size - 2)
    begin = 2 * size + 2
    assert cycles[-1] - cycles[begin] == -(-size // 4) * (len(cycles) - 1 - begin)


def test_values_come_in_while_a_window_is_read():
    """No value waits if windows of 4 lines close after each 4 values."""
    plan = cache_of(1, 4)
    inputs, _ = arriving(random.Random(1), 120, 1, 16, 4)
    inputs = [beat for beat in inputs if beat["valid"]]
    _, cycles, _ = run(plan, inputs)
    assert cycles[-1] - cycles[0] == len(cycles) - 1


def test_lines_that_nobody_takes_are_not_read():
    """Windows of 16 lines wait if the output accepts a line in one cycle of five."""
    plan = cache_of(1, 1)
    inputs, windows = arriving(random.Random(4), 46, 1, 16, 1)
    hits, values = expected(plan, inputs, windows)
    decisions, _, payloads = run(plan, inputs, stall_out=0.8)
    assert decisions == hits
    assert folded(payloads) == [(min(v), sum(v), len(v)) for v in values]
    assert len(payloads) == 16 * len(values) > 100


def test_a_place_is_not_written_while_its_window_is_read():
    """Two keys share a place, and one key claims the place after a hit of the other key.

    The claiming key's values arrive while the four lines of the hit are read, and lie behind the
    hit's values.
    """
    plan, rng = cache_of(1, 4), random.Random(3)
    earlier_values = [(1, n == 0, 0) for n in range(15)]
    read_values = [(0, n == 0, n % 16 == 15) for n in range(32)]
    later_values = [(1, 0, n == 0) for n in range(4)]
    values = [rng.randrange(-256, 256) for _ in range(51)]
    inputs = [
        {"entry": k, "fresh": f, "closes": c, "size": 16, "item": x, "valid": 1}
        for (k, f, c), x in zip([*earlier_values, *read_values, *later_values], values, strict=True)
    ]
    decisions, cycles, payloads = run(plan, inputs)
    window = values[31:47]
    assert decisions == [False] * 46 + [True] + [False] * 4
    assert folded(payloads) == [(min(window), sum(window), 16)]
    assert cycles[-1] - cycles[0] == len(cycles) - 1


@pytest.mark.parametrize(("at", "stall_out"), [(90, None), (150, 0.8)])
def test_a_reset_takes_all_places_away(at, stall_out):
    """No window after a reset has a value from before the reset, and no line is left over.

    With a slow output the queue of states is full at the reset, and has all its room afterwards.
    """
    plan, size = cache_of(2, 4), 6
    inputs, windows = arriving(random.Random(2), 200, 2, size, 1)
    decisions, cycles, payloads = run(plan, inputs, stall_out=stall_out, reset_after=at)
    after_reset = next(k for k, cycle in enumerate(cycles) if cycle > at)
    hits, values = expected(plan, inputs[after_reset:], windows[after_reset:])
    assert decisions[after_reset:] == hits
    assert any(decisions[:after_reset])
    assert any(hits)
    assert folded(payloads) == [(min(v), sum(v), len(v)) for v in values]


@pytest.mark.in_turn
@pytest.mark.parametrize("seed", range(6))
def test_a_reset_empties_the_sorted_values(seed):
    """Windows of six values are two lines each, of which the last one has the percentiles."""
    plan, at = cache_of(2, 4, FRACTIONS), 40 + 11 * seed
    inputs, windows = arriving(random.Random(seed), 120, 2, 6, 1)
    decisions, cycles, payloads = run(plan, inputs, reset_after=at, stall=0.2, seed=seed)
    after_reset = next(k for k, cycle in enumerate(cycles) if cycle > at)
    hits, values = expected(plan, inputs[after_reset:], windows[after_reset:])
    assert decisions[after_reset:] == hits
    assert values
    assert folded(payloads) == [(min(v), sum(v), len(v)) for v in values]
    assert ranked(payloads) == [percentiles(v) for v in values]
