"""The cores of all engines, without a bus and a build: rows, counts, flags, and ``busy``.

Few and small, so that a mistake in a core shows within seconds; the shipped Verilog is tested
beside, on many more streams.
"""

import random
from dataclasses import replace
from itertools import accumulate

import pytest

from tb.rtl.engine import (
    core_bench,
    group_bench,
    rows_bench,
    swag_bench,
    test_two_stacks,
    time_bench,
)
from tb.rtl.engine.bench import narrowed
from tb.rtl.engine.test_soft_reset import NAMES, fed
from tb.rtl.engine.test_time import ENGINES as IN_TIME
from tb.rtl.engine.test_time import passes_of as passes_in_time
from tb.rtl.engine.test_time import random_streams as streams_in_time

STALLS = {"free": {}, "stalled": {"stall_in": 0.3, "stall_out": 0.5}}
COUNTS = [0, 1, 9, 30, 2, 45, 0, 3]
REFUSED = {"group-by": {"where0": 64}, "swag": {"size": 36}, "rows": {"size": 0}}
SORTED = group_bench.point("uint(6)", "int(6)", "count(distinct x)", lanes=2)


def packets_of(given):
    return [packet for packets in given.packets for packet in packets]


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("name", NAMES)
def test_streams_with_settings_of_their_own(name, stalls):
    """Some settings are refused, where the engine has such: the streams around are answered."""
    given = fed(name, random.Random(name), COUNTS)
    wanted = packets_of(given)
    done = core_bench.run(
        given.design, given.streams, given.settings, len(wanted), seed=1, **STALLS[stalls]
    )
    assert done.packets == wanted


def dropped(name, given):
    """Tuples that count as filtered and as overrun, by hand."""
    if name == "swag":  # no WHERE; 36 tuples are too many
        pairs = zip(given.streams, given.settings, strict=True)
        return {"overrun": sum(len(stream) for stream, told in pairs if told["size"] > 32)}
    limits = [told["where0"] for told in given.settings]
    kept = [[t for t in s if t["y"] < n] for s, n in zip(given.streams, limits, strict=True)]
    refused = [stream for stream, n in zip(kept, limits, strict=True) if n >= 64]
    filtered = sum(map(len, given.streams)) - sum(map(len, kept))
    return {"nan": 0, "filtered": filtered, "overrun": sum(map(len, refused))}


@pytest.mark.parametrize("name", ["group-by", "swag"])
def test_what_is_dropped_of_groups_is_counted_and_told(name):
    given = fed(name, random.Random(f"{name} 2"), [30] * 12)
    done = core_bench.run(given.design, given.streams, given.settings, len(packets_of(given)))
    wanted = dropped(name, given)
    assert done.counters == wanted
    assert wanted["overrun"] > 0
    assert done.errors == {"bad_setting"}


def refused_beside(design, stream):
    """Streams of 7 tuples that are refused: by their lengths, and where it can be by a constant."""
    events = [{"x": 1, "y": 0, "t": stream.start}] * 7
    if design.options.constants != "run-time":
        return [replace(stream, slide=0, events=events)]
    lengths = replace(stream, slide=0, events=events, more={"where0": 9})
    return [lengths, replace(stream, events=events, more={"where0": 16})]


def times_of(name, rng, counts):
    """Streams over time with refused ones between them; their packets; what is dropped."""
    design, told, packets = IN_TIME[name], [], []
    dropped = dict.fromkeys(("late", "overrun", "filtered", "nan"), 0)
    for stream in streams_in_time(rng, design, counts):
        rows, tally = time_bench.answer(design, stream, passes_in_time(stream))
        refused = refused_beside(design, stream)
        told += [*refused, stream]
        packets += [[row] for row in rows]
        dropped |= {key: dropped[key] + tally[key] for key in dropped}
        dropped["overrun"] += 7 * len(refused)
    return design, told, packets, dropped


@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("name", IN_TIME)
def test_what_is_dropped_over_time_is_counted_and_told(name, stalls):
    design, told, packets, dropped = times_of(name, random.Random(f"{name} 3"), [12, 0, 40, 25])
    done = core_bench.run(
        design,
        [stream.events for stream in told],
        [stream.settings() for stream in told],
        len(packets),
        seed=2,
        **STALLS[stalls],
    )
    assert done.packets == packets
    assert done.counters == {key: dropped[key] for key in done.counters}
    assert min(dropped["late"], dropped["filtered"]) > 0
    assert done.errors == {"bad_setting"}


def test_what_is_dropped_of_rows_is_counted_and_told():
    design = test_two_stacks.FILTERED
    told = test_two_stacks.random_streams(random.Random(4), [9] * 30)
    answers = [rows_bench.answer(design, s, test_two_stacks.passes_of(s)) for s in told]
    wanted = [[row] for rows, _ in answers for row in rows]
    done = core_bench.run(
        design, [s.events for s in told], [s.settings() for s in told], len(wanted)
    )
    assert done.packets == wanted
    names = ("filtered", "nan", "overrun")
    assert done.counters == {name: sum(tally[name] for _, tally in answers) for name in names}
    assert done.counters["overrun"] > 0
    assert done.errors == {"bad_setting"}


def fed_or_refused(name, rng, counts):
    """The design, streams, settings and packets of each, refused streams among them."""
    if name not in IN_TIME:
        given = fed(name, rng, counts)
        given.settings[1] |= REFUSED[name]
        given.packets[1] = []
        return given.design, given.streams, given.settings, given.packets
    design, told, _, _ = times_of(name, rng, counts)
    answers = [time_bench.answer(design, s, passes_in_time(s))[0] if s.slide else [] for s in told]
    unfit = [(s.more or {}).get("where0") == 16 for s in told]
    packets = [
        [] if bad else [[row] for row in rows] for rows, bad in zip(answers, unfit, strict=True)
    ]
    return design, [s.events for s in told], [s.settings() for s in told], packets


#: Those of the other engines are held against ``busy`` of the shipped Verilog in CI.
BUSY = [
    n if n in ("group-by", "rows") else pytest.param(n, marks=pytest.mark.regress) for n in NAMES
]


@pytest.mark.parametrize("name", BUSY)
def test_busy_as_long_as_anything_is_inside(name):
    """From the cycle after a stream's end is taken until all of its rows have left; and no longer
    than it takes a row to come out.
    """
    seen = {True: 0, False: 0}
    for seed, stall_out in enumerate([0.0, 0.8]):
        rng = random.Random(f"{name} {seed}")
        design, streams, settings, packets = fed_or_refused(name, rng, [1, 2, 5, 30, 1])
        count = sum(map(len, packets))
        # So long pauses that nothing is left inside now and then.
        stalls = {"stall_in": 0.93, "stall_out": stall_out}
        done = core_bench.run(design, streams, settings, count, seed=seed, **stalls)
        assert done.packets == [packet for answer in packets for packet in answer]
        left = [0, *accumulate(map(len, packets))][1:]
        gone = [max([end, *done.gone[:n]]) for end, n in zip(done.ends, left, strict=True)]
        told = design.prediction
        # A stream that is refused may wait before, until the windows are set up for it.
        slack = max(latency.cycles for latency in told.latencies) + told.pause + 40
        for cycle, busy in enumerate(done.busy):
            over = [out for end, out in zip(done.ends, gone, strict=True) if end < cycle]
            begun = sum(begin < cycle for begin in done.begins)
            if any(out >= cycle for out in over):
                assert busy, cycle
                seen[True] += 1
            elif begun == len(over) and cycle - max(over, default=-slack) > slack:
                assert not busy, cycle
                seen[False] += 1
    assert min(seen.values()) > 20


def test_a_stream_of_groups_that_is_not_sorted_is_told():
    """One tuple that descends, in the first beat or behind, by the group or within it."""
    streams = [[(1, 5), (1, 7), (2, 0)], [(3, 3), (3, 4), (2, 9)], [(1, 5), (1, 4)], [(0, 1)]]
    told = []
    for stream in streams:
        events = [{"g": g, "x": x} for g, x in stream]
        told.append(core_bench.run(SORTED, [events], [{}], 1).errors)
    assert told == [set(), {"unsorted"}, {"unsorted"}, set()]


@pytest.mark.parametrize("stalls", STALLS)
def test_percentiles_go_with_their_stream(stalls):
    """More streams than may be inside, without a gap, each with a function and percentiles."""
    rng = random.Random(5)
    select = "percentile(x, 0.25), count(*), median(x)"
    design = swag_bench.point(
        "uint(2)",
        "int(8)",
        select,
        lanes=1,
        capacity=8,
        window_max=16,
        results="select",
        percentiles="run-time",
    )
    streams = swag_bench.streams_of(design, rng, [12, 0, 9, 5, 3, 0, 0, 0, 10, 7, 0, 6])
    settings = [
        {
            "size": rng.randint(1, 10),
            "slide": 1,
            "function": rng.randrange(3),
            "percentile0": rng.randint(1, 1 << 16),
            "percentile1": rng.randint(1, 1 << 16),
        }
        for _ in streams
    ]
    windows = swag_bench.expected(design, streams, settings)
    wanted = [window for answer in windows for window in answer]
    done = core_bench.run(design, streams, settings, len(wanted), seed=6, **STALLS[stalls])
    shapes = [
        design.rows.selected[told["function"]]
        for told, answer in zip(settings, windows, strict=True)
        for _ in answer
    ]
    got = [narrowed(rows, shape) for rows, shape in zip(done.packets, shapes, strict=True)]
    assert got == wanted


@pytest.mark.parametrize("name", ["sequential", "two-stacks"])
def test_a_stream_that_has_panes_enough_but_not_modules(name):
    """Let in by the gate of panes, and swallowed behind it: the next one is answered."""
    design = IN_TIME[name]
    events = [{"x": 1, "y": 0, "t": t} for t in range(9)]
    slow = time_bench.Stream(range=4, slide=2, slack=40, events=events, more={"where0": 9})
    told = [slow, replace(slow, slack=0), slow, replace(slow, slack=1)]
    answers = [time_bench.answer(design, stream)[0] for stream in told]
    assert [bool(rows) for rows in answers] == [False, True, False, True]
    wanted = [[row] for rows in answers for row in rows]
    given = [s.events for s in told], [s.settings() for s in told]
    done = core_bench.run(design, *given, len(wanted))
    assert done.packets == wanted
    assert done.counters["overrun"] == 18
    assert done.errors == {"bad_setting"}
