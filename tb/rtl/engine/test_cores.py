"""The cores of all engines, without a bus and a build: rows, counters, flags, and ``busy``.

The streams are few and small, so that a mistake in a core fails within seconds; other tests run the
shipped Verilog on many more streams.
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
    time_bench,
)
from tb.rtl.engine.bench import narrowed
from tb.rtl.engine.engine_streams import NAMES, engine_streams
from tb.rtl.engine.time_streams import ENGINES as IN_TIME
from tb.rtl.engine.time_streams import passes_of as passes_in_time
from tb.rtl.engine.time_streams import random_streams as streams_in_time

STALLS = {"free": {}, "stalled": {"stall_in": 0.3, "stall_out": 0.5}}
COUNTS = [0, 1, 9, 30, 2, 45, 0, 3]
REFUSED = {"group-by": {"where0": 64}, "swag": {"size": 36}, "rows": {"size": 0}}
SORTED = group_bench.point("uint(6)", "int(6)", "count(distinct x)", lanes=2)


def packets_of(inputs):
    return [packet for packets in inputs.packets for packet in packets]


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("name", NAMES)
def test_streams_with_settings_of_their_own(name, stalls):
    """Some settings are refused; the streams before and after them are answered."""
    inputs = engine_streams(name, random.Random(name), COUNTS)
    expected = packets_of(inputs)
    result = core_bench.run(
        inputs.design, inputs.streams, inputs.settings, len(expected), seed=1, **STALLS[stalls]
    )
    assert result.packets == expected


def dropped(name, inputs):
    """Returns the tuples that count as filtered and as overrun, computed by hand."""
    if name == "swag":  # no WHERE; 36 tuples are too many
        pairs = zip(inputs.streams, inputs.settings, strict=True)
        return {"overrun": sum(len(stream) for stream, settings in pairs if settings["size"] > 32)}
    limits = [settings["where0"] for settings in inputs.settings]
    selected = [[t for t in s if t["y"] < n] for s, n in zip(inputs.streams, limits, strict=True)]
    refused = [stream for stream, n in zip(selected, limits, strict=True) if n >= 64]
    filtered = sum(map(len, inputs.streams)) - sum(map(len, selected))
    return {"nan": 0, "filtered": filtered, "overrun": sum(map(len, refused))}


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ["group-by", "swag"])
def test_dropped_tuples_of_groups_are_counted_and_reported(name):
    inputs = engine_streams(name, random.Random(f"{name} 2"), [30] * 12)
    result = core_bench.run(inputs.design, inputs.streams, inputs.settings, len(packets_of(inputs)))
    expected = dropped(name, inputs)
    assert result.counters == expected
    assert expected["overrun"] > 0
    assert result.errors == {"bad_setting"}


def refused_streams(design, stream):
    """Returns streams of 7 tuples that are refused: one for its slide, one for its constant.

    Only a design with constants at run time can refuse a constant.
    """
    events = [{"x": 1, "y": 0, "t": stream.start}] * 7
    if design.options.constants != "run-time":
        return [replace(stream, slide=0, events=events)]
    lengths = replace(stream, slide=0, events=events, constants={"where0": 9})
    return [lengths, replace(stream, events=events, constants={"where0": 16})]


def times_of(name, rng, counts):
    """Returns the design, streams with refused ones between them, packets, and counts of drops."""
    design, streams, packets = IN_TIME[name], [], []
    dropped = dict.fromkeys(("late", "overrun", "filtered", "nan"), 0)
    for stream in streams_in_time(rng, design, counts):
        rows, tally = time_bench.answer(design, stream, passes_in_time(stream))
        refused = refused_streams(design, stream)
        streams += [*refused, stream]
        packets += [[row] for row in rows]
        dropped |= {key: dropped[key] + tally[key] for key in dropped}
        dropped["overrun"] += 7 * len(refused)
    return design, streams, packets, dropped


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS)
@pytest.mark.parametrize("name", IN_TIME)
def test_dropped_tuples_of_time_windows_are_counted_and_reported(name, stalls):
    design, streams, packets, dropped = times_of(name, random.Random(f"{name} 3"), [12, 0, 40, 25])
    result = core_bench.run(
        design,
        [stream.events for stream in streams],
        [stream.settings() for stream in streams],
        len(packets),
        seed=2,
        **STALLS[stalls],
    )
    assert result.packets == packets
    assert result.counters == dropped
    assert min(dropped["late"], dropped["filtered"]) > 0
    assert result.errors == {"bad_setting"}


def test_dropped_tuples_of_row_windows_are_counted_and_reported():
    design = rows_bench.FILTERED
    streams = rows_bench.random_and_refused_streams(random.Random(4), [9] * 30)
    answers = [rows_bench.answer(design, s, rows_bench.passes_of(s)) for s in streams]
    expected = [[row] for rows, _ in answers for row in rows]
    result = core_bench.run(
        design, [s.events for s in streams], [s.settings() for s in streams], len(expected)
    )
    assert result.packets == expected
    names = ("filtered", "nan", "overrun")
    assert result.counters == {name: sum(tally[name] for _, tally in answers) for name in names}
    assert result.counters["overrun"] > 0
    assert result.errors == {"bad_setting"}


def streams_with_refused(name, rng, counts):
    """Returns the design, streams, settings and packets, with refused streams among them."""
    if name not in IN_TIME:
        inputs = engine_streams(name, rng, counts)
        inputs.settings[1] |= REFUSED[name]
        inputs.packets[1] = []
        return inputs.design, inputs.streams, inputs.settings, inputs.packets
    design, streams, _, _ = times_of(name, rng, counts)
    answers = [
        time_bench.answer(design, s, passes_in_time(s))[0] if s.slide else [] for s in streams
    ]
    unfit = [(s.constants or {}).get("where0") == 16 for s in streams]
    packets = [
        [] if bad else [[row] for row in rows] for rows, bad in zip(answers, unfit, strict=True)
    ]
    return design, [s.events for s in streams], [s.settings() for s in streams], packets


#: CI checks ``busy`` of the other engines on the shipped Verilog.
BUSY = [
    n if n in ("group-by", "rows") else pytest.param(n, marks=pytest.mark.regress) for n in NAMES
]


@pytest.mark.in_turn
@pytest.mark.parametrize("name", BUSY)
def test_busy_while_the_core_contains_a_stream(name):
    """``busy`` is high from the transfer of a stream's end until all of its rows have left.

    ``busy`` falls at most a latency later.
    """
    seen = {True: 0, False: 0}
    for seed, stall_out in enumerate([0.0, 0.8]):
        rng = random.Random(f"{name} {seed}")
        design, streams, settings, packets = streams_with_refused(name, rng, [1, 2, 5, 30, 1])
        count = sum(map(len, packets))
        # The pauses are so long that the engine is sometimes empty.
        stalls = {"stall_in": 0.93, "stall_out": stall_out}
        result = core_bench.run(design, streams, settings, count, seed=seed, **stalls)
        assert result.packets == [packet for answer in packets for packet in answer]
        packet_counts = list(accumulate(map(len, packets)))
        leave_cycles = [
            max([end, *result.packet_end_cycles[:n]])
            for end, n in zip(result.end_cycles, packet_counts, strict=True)
        ]
        prediction = design.prediction
        # A refused stream may wait until the windows are set up for it.
        slack = max(latency.cycles for latency in prediction.latencies) + prediction.pause + 40
        for cycle, busy in enumerate(result.busy):
            ended_leave_cycles = [
                leave_cycle
                for end, leave_cycle in zip(result.end_cycles, leave_cycles, strict=True)
                if end < cycle
            ]
            started_count = sum(begin < cycle for begin in result.start_cycles)
            if any(leave_cycle >= cycle for leave_cycle in ended_leave_cycles):
                assert busy, cycle
                seen[True] += 1
            elif (
                started_count == len(ended_leave_cycles)
                and cycle - max(ended_leave_cycles, default=-slack) > slack
            ):
                assert not busy, cycle
                seen[False] += 1
    assert min(seen.values()) > 20


def test_an_unsorted_stream_of_groups_is_reported():
    """One tuple descends, in the first beat or later, by the group or within the group."""
    streams = [[(1, 5), (1, 7), (2, 0)], [(3, 3), (3, 4), (2, 9)], [(1, 5), (1, 4)], [(0, 1)]]
    reported = []
    for stream in streams:
        events = [{"g": g, "x": x} for g, x in stream]
        reported.append(core_bench.run(SORTED, [events], [{}], 1).errors)
    assert reported == [set(), {"unsorted"}, {"unsorted"}, set()]


@pytest.mark.parametrize("stalls", STALLS)
def test_percentiles_go_with_their_stream(stalls):
    """More streams than fit inside, without a gap, each with another function and percentiles."""
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
    expected_rows = [window for answer in windows for window in answer]
    result = core_bench.run(design, streams, settings, len(expected_rows), seed=6, **STALLS[stalls])
    shapes = [
        design.rows.selected[values["function"]]
        for values, answer in zip(settings, windows, strict=True)
        for _ in answer
    ]
    actual = [narrowed(rows, shape) for rows, shape in zip(result.packets, shapes, strict=True)]
    assert actual == expected_rows


@pytest.mark.parametrize("name", ["sequential", "two-stacks"])
def test_a_stream_with_enough_panes_but_too_few_modules(name):
    """The gate of panes admits the stream, and the modules swallow it; the next one is answered."""
    design = IN_TIME[name]
    events = [{"x": 1, "y": 0, "t": t} for t in range(9)]
    slow = time_bench.Stream(range=4, slide=2, slack=40, events=events, constants={"where0": 9})
    streams = [slow, replace(slow, slack=0), slow, replace(slow, slack=1)]
    answers = [time_bench.answer(design, stream)[0] for stream in streams]
    assert [bool(rows) for rows in answers] == [False, True, False, True]
    expected = [[row] for rows in answers for row in rows]
    inputs = [s.events for s in streams], [s.settings() for s in streams]
    result = core_bench.run(design, *inputs, len(expected))
    assert result.packets == expected
    assert result.counters["overrun"] == 18
    assert result.errors == {"bad_setting"}
