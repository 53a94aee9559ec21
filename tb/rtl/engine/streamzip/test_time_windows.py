"""Checks the engine for windows of time of each key, as shipped Verilog, against lists of each
key.
"""

import random

import pytest

from rtl.bus.top import SKID_LATENCY
from rtl.engine.streamzip.rings import Rings
from sim.memory import Fault, Memory
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import count_marked
from tb.rtl.engine.key_time_bench import Answers, Stream, check, point, random_streams
from tb.rtl.engine.streamzip.row_points import MEMORIES, meets_where
from tb.rtl.engine.streamzip.time_points import PLAIN

pytestmark = pytest.mark.hdl

REGRESS = pytest.mark.regress
POINTS = {
    "plain": PLAIN,
    "percentiles": point(
        "int(20)",
        "int(40)",
        "sum(x), median(x), percentile(x, 0.9)",
        ports=2,
        capacity=16,
        window_max=64,
        marks=2,
    ),
    "wide": point("uint(64)", "uint(64)", "sum(x), max(t)", "string(5)", ways=1, line_values=2),
    # With more keys than the 32 lines that were changed last, lines are read to be changed.
    "dram-only": point(value="int(40)", ports=2, memory="dram-only", entries=32),
    "M2 outside": point(key="uint(8)", entries=64, ports=2, m2_kind="external"),
    "cache of lines": point(
        where="WHERE y < 14", select="sum(x), max(y), count(*)", cached_keys=2, cache_lanes=16
    ),
    "cache, dram-only": point(
        value="int(40)",
        select="avg(x), min(x)",
        memory="dram-only",
        entries=32,
        cached_keys=1,
        marks=1,
    ),
    "cache": point(
        value="int(40)",
        select="sum(x), max(x), count(*)",
        codec="base-delta",
        line_values=8,
        cached_keys=2,
        cache_lanes=16,
    ),
    "cache, xor": point(
        *("uint(64)", "double", "max(x), min(x)", "string(5)"),
        codec="xor",
        decoders=2,
        ports=2,
        overlap=32,
        marks=1,
        cached_keys=1,
    ),
    "cache, median": point(
        value="int(40)",
        select="sum(x), median(x), percentile(x, 0.9)",
        window_max=64,
        cached_keys=2,
        cache_lanes=16,
    ),
    "cache, grid, median": point(
        *("uint(64)", "float", "max(x), median(x)", "string(5)"),
        codec="grid",
        decoders=3,
        line_values=8,
        cached_keys=1,
        cache_lanes=16,
    ),
    "cache, base-delta, median": point(
        value="int(40)",
        select="median(x), sum(x)",
        codec="base-delta",
        line_values=8,
        cached_keys=3,
        cache_lanes=16,
    ),
    "narrow": point(*("int(6)", "float", "max(x), min(y), count(*)"), overlap=32, marks=1),
    "base-delta": point(
        value="int(40)",
        select="sum(x), max(x), avg(x), count(*)",
        codec="base-delta",
        line_values=8,
    ),
    "base-delta, 32 bits": point(
        *("int(20)", "fixed(6,10)", "sum(x), min(x)", "string(5)"),
        codec="base-delta",
        line_values=16,
        window_max=64,
        marks=2,
        ports=4,
        port_bits=128,
    ),
    "base-delta, ranked": point(
        value="int(40)", select="median(x), sum(x)", codec="base-delta", line_values=8, capacity=16
    ),
    "xor": point(
        *("uint(64)", "double", "max(x), count(*), min(x)"), codec="xor", decoders=3, ports=2
    ),
    "grid": point(
        value="int(40)", select="sum(x), max(x)", codec="grid", decoders=2, line_values=8
    ),
    "sz": point(
        value="fixed(8,12)",
        select="sum(x), avg(x), max(x)",
        codec="sz",
        decoders=2,
        exponent=2,
        line_values=16,
        overlap=32,
        marks=1,
    ),
    "pivots": point(
        value="int(40)",
        select="sum(x), median(x), percentile(x, 0.9)",
        percentiles="pivot",
        m2_lines=2,
        marks=2,
    ),
    "grid, pivots": point(
        value="float", select="max(x), median(x)", codec="grid", decoders=3, line_values=8
    ),
    "sz, double": point(value="double", select="max(x), min(x)", codec="sz", decoders=1),
}


QUICK = [("plain", "fast"), ("plain", "slow, in any order"), ("sz", "slow, in any order")]


def keeps(name):
    return meets_where if name in ("plain", "cache of lines") else lambda stream, tuple_: True


@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize(
    ("name", "memory"),
    [
        (name, memory) if (name, memory) in QUICK else pytest.param(name, memory, marks=REGRESS)
        for name in POINTS
        for memory in MEMORIES
    ],
)
def test_streams_with_settings_of_their_own(name, memory):
    """Streams come back to back, some of them refused, with keys that evict each other."""
    rng, design = random.Random(name), POINTS[name]
    entries = design.parameters["entries"]
    keys = 12 if entries < 12 else 2 * entries
    streams = random_streams(rng, design, [0, 1, 300, 40, 0, 700, 3, 500], keys=keys)
    run, answers = check(design, streams, keeps(name), **MEMORIES[memory])
    assert answers.tally["rows"] > 50
    assert answers.tally["late"] > 20
    assert sum(map(len, answers.evicted)) > 20
    assert run.counters["m3_lines_written"] > 20
    is_dram_only = design.options.memory == "dram-only"
    assert (run.counters["m3_read_modify_writes"] > 0) == is_dram_only
    assert (run.counters.get("cached_windows", 0) > 0) == name.startswith("cache")


@pytest.mark.in_turn
def test_percentiles_of_a_window_whose_last_line_has_no_values():
    """Window 3, of 30 to 54, has the 16 tuples of time 31, and the tuple of 26 is a line alone.

    The tuple of 56 closes the windows 1 to 3, and the percentiles of each come from the cache.
    """
    times = [5, 26, *16 * [31], 26, 56, 90]
    values = [7, 1000, *8 * [100, 1], 1000, 5, 6]
    pairs = zip(times, values, strict=True)
    events = [{"k": 1, "x": x, "y": 0, "t": time} for time, x in pairs]
    stream = Stream(range=25, slide=10, start=0, events=events)
    run, answers = check(POINTS["cache, median"], [stream])
    assert (3, 55, 1, 16 // 2 * 101, 1, 100) in answers.packets[0]
    assert run.counters["cached_windows"] >= 3


@pytest.mark.in_turn
def test_rings_that_are_full():
    """Few keys have many tuples in a window: tuples without a place are dropped and counted."""
    rng, current, events = random.Random(8), 0, []
    for n in range(900):
        current += rng.random() < (0.5 if n % 300 < 200 else 0.9)
        time = max(0, current - rng.randrange(3))
        events.append({"k": rng.choice([1, 1, 1, 2]), "x": n, "y": rng.randrange(16), "t": time})
    streams = [Stream(range=60, slide=slide, start=0, events=events) for slide in (11, 20, 60)]
    _, answers = check(PLAIN, streams, meets_where, memory=Memory(latency=5))
    assert answers.tally["overrun"] > 50
    assert answers.tally["rows"] > 20


@pytest.mark.in_turn
def test_short_streams_with_other_lengths():
    """A stream waits for the window ends of the stream before it, unless its lengths are equal."""
    rng = random.Random(9)
    streams = random_streams(rng, PLAIN, [rng.randint(0, 30) for _ in range(60)], keys=4, pace=3)
    equal_streams = [
        Stream(range=6, slide=2, start=1, events=[{"k": 1, "x": n, "y": 0, "t": t}])
        for n, t in enumerate([1, 9, 20, 30])
    ]
    _, answers = check(
        PLAIN,
        [*equal_streams, *streams, *equal_streams],
        meets_where,
        memory=Memory(delay=9),
        seed=9,
    )
    assert sum(map(bool, answers.packets)) > 20


@pytest.mark.in_turn(5)
def test_no_length_is_taken_for_another():
    """The last windows of a stream wait at the output while a stream with other lengths begins."""
    events = [{"k": 1, "x": n, "y": 0, "t": 4 * n} for n in range(40)]
    lengths = [(8, 2, 0), (8, 2, 3), (12, 2, 3), (12, 3, 3), (12, 3, -9)]
    streams = [Stream(range=r, slide=s, start=b, events=events) for r, s, b in lengths]
    check(PLAIN, streams, meets_where, memory=Memory(latency=3), stall_output=0.95)


@pytest.mark.parametrize(
    "bad",
    [
        *({"range": 0}, {"slide": 0}, {"slide": 15}, {"range": 24}, {"range": 1 << 12}),
        *({"slide": (1 << 12) + 3}, {"start": 1 << 12}, {"start": -(1 << 12) - 1}),
    ],
    ids=str,
)
def test_settings_that_are_not_allowed(bad):
    """The streams before and after are answered, and the tuples of the refused stream are
    counted.
    """
    events = [{"k": 3, "x": n, "y": 0, "t": 5 * n} for n in range(9)]
    good = Stream(range=14, slide=3, start=0, events=events)
    settings = [good.settings(PLAIN), good.settings(PLAIN) | bad, good.settings(PLAIN)]
    run = shipped(PLAIN).run([events] * 3, settings, packets=2)
    assert run.packets == Answers(PLAIN, [good, good], meets_where).packets
    assert run.errors == {"bad_setting"}
    assert (run.counters["overrun"], run.counters["late"]) == (9, 0)


def test_latency_is_that_of_the_parts():
    """Tuples have gaps, because the first tuple of a stream waits for its lengths."""
    events = [{"k": k, "x": 5, "y": 1, "t": 3 * (k == 3)} for k in (3, 3, 4, 5, 4, 5, 4, 5, 3)]
    events[:2] = [event | {"t": 0} for event in events[:2]]
    stream = Stream(range=3, slide=3, start=0, events=events)
    run, answers = check(PLAIN, [stream], meets_where, stall_input=0.8, seed=3)
    assert len(answers.packets[0]) == 1
    outcome = run.outcome
    (into,) = outcome.inputs.values()
    predicted = PLAIN.predict(range=3, slide=3).cycles
    assert outcome.first_output - into.beat_cycles[-1] == predicted + SKID_LATENCY


@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
def test_errors_of_the_memory_are_reported(write):
    """Rows of the key are marked, the status shows the error, and nothing hangs."""
    events = [{"k": k % 3, "x": k, "y": 0, "t": k} for k in range(600)]
    stream = Stream(range=40, slide=7, start=0, events=events)
    answers = Answers(PLAIN, [stream], meets_where)
    place = answers.table.candidates(1)[0]
    fault = Fault(address=64 * (place * Rings(PLAIN.options).lines + 1), write=write)
    memory = Memory(faults=(fault,))
    run = shipped(PLAIN).run([events], [stream.settings(PLAIN)], memory=memory)
    assert run.errors == {"memory_error"}
    assert {row[2] for row in run.packets[0] if row[3:] == (None,) * 6} == {1}
    assert count_marked(run.packets[0], answers.packets[0], 3) > 10


@pytest.mark.regress
@pytest.mark.parametrize("seed", range(30))
def test_any_streams(seed):
    rng = random.Random(seed)
    name = rng.choice(list(POINTS))
    counts = [rng.choice([0, 1, 30, 400, 2000]) for _ in range(12)]
    pace = rng.choice([1, 3, 20, 100])
    keys = rng.choice([4, 6, 14, 40])
    streams = random_streams(rng, POINTS[name], counts, keys=keys, pace=pace)
    memory = Memory(delay=rng.choice([0, 50]), stall=rng.random() / 2, reorder=bool(seed % 2))
    stalls = rng.choice([{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}])
    check(POINTS[name], streams, keeps(name), memory=memory, seed=seed, **stalls)
