"""Checks windows of keys, from the table and three levels of memory, against lists of each key."""

import random
from fractions import Fraction
from functools import partial

import pytest

from rtl.keyed.store.lines import levels
from rtl.keyed.store.lines.window_parts import LineAppender
from tb.rtl.keyed.dram.axi_slave import LINE, PAGE
from tb.rtl.keyed.key_windows_bench import (
    MEMORIES,
    Answer,
    Bench,
    beats_of,
    check,
    entry_of,
    plan_of,
    separate_keys,
    streams_of,
    tuples_of,
)

POINTS = {
    "one port": {},
    "two ways, words of 1": {"ways": 2, "word_items": 1, "items": 4},
    "four ports of 128 bits": {"ports": 4, "width": 128, "ring_lines": 8, "items": 4},
    "a line is a word": {"word_items": 4, "items": 4, "ports": 2, "width": 256},
    "two lines in M2": {"items": 4, "m2_lines": 2, "m2_kind": "ultra"},
}


QUICK = [
    ("one port", "restless", "mlq"),
    ("two ways, words of 1", "late", "mlq"),
    ("four ports of 128 bits", "quick", "mlq"),
    ("a line is a word", "restless", "mlq"),
    ("two lines in M2", "restless", "mlq"),
    ("one port", "restless", "dram-only"),
]
KINDS = ["mlq", "dram-only"]
REGRESS = pytest.mark.regress
EACH_KIND = pytest.mark.parametrize("kind", KINDS)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("point", "memory", "kind"),
    [
        (point, memory, kind)
        if (point, memory, kind) in QUICK
        else pytest.param(point, memory, kind, marks=REGRESS)
        for point in POINTS
        for memory in MEMORIES
        for kind in KINDS
        if not (point == "two lines in M2" and kind == "dram-only")
    ],
)
def test_windows_are_those_of_lists(point, memory, kind):
    rng = random.Random(f"{point} {memory}")
    plan = plan_of(kind, **POINTS[point])
    streams = streams_of(rng, plan, [90, 0, 1, 150, 33], keys=4)
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert len(answer.windows) > 20
    assert bench.written > 10


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("ways", "kind", "m2_lines"),
    [
        (2, "mlq", 1),
        pytest.param(1, "mlq", 1, marks=REGRESS),
        pytest.param(1, "mlq", 2, marks=REGRESS),
        pytest.param(2, "dram-only", 1, marks=REGRESS),
    ],
)
def test_keys_that_are_thrown_out_are_reported(ways, kind, m2_lines):
    rng = random.Random(ways)
    plan = plan_of(kind, entries=8, ways=ways, items=4, m2_lines=m2_lines)
    streams = streams_of(rng, plan, [150, 250], keys=14)
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2, gaps=True)
    assert len(answer.evicted) > 20 + len(streams)


@EACH_KIND
def test_latency(kind):
    plan = plan_of(kind)
    bench, _ = check(plan, [(1, 1, [(3, 77)])], "latency")
    assert bench.sinks[0].run.cycles[0] - bench.source.run.cycles[0] == bench.dut.latency == 10


def test_latency_of_a_window_in_two_lines():
    """The kept line has the latency of a window in one line, and the other line comes a cycle
    later.
    """
    bench, _ = check(plan_of(m2_lines=2), [(9, 9, [(3, k) for k in range(9)])], "two")
    begin = bench.source.run.cycles[8] + bench.dut.latency
    assert bench.sinks[0].run.cycles[:2] == [begin, begin + 1]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("size", "m2_lines"),
    [
        (5, 2),
        (9, 2),
        *(pytest.param(n, 2, marks=REGRESS) for n in (2, 4, 8, 13, 16)),
        *(pytest.param(n, 1, marks=REGRESS) for n in (2, 9)),
    ],
)
def test_no_line_of_a_key_is_seen_by_the_next_at_its_place(size, m2_lines):
    """Two keys of one entry evict each other, after 1 to 23 tuples; a line has 4 tuples.

    A window of up to 5 tuples lies in 2 lines, a window of up to 9 tuples in 3.
    """
    rng = random.Random(size)
    plan = plan_of(items=4, m2_lines=m2_lines)
    alike = [key for key in range(64) if entry_of(plan, key) == entry_of(plan, 5)][:2]
    tuples = [(alike[n % 2], n * 24 + k) for n in range(44) for k in range(rng.randint(1, 23))]
    bench, answer = check(plan, [(size, 1, tuples)], size, latency=3)
    assert len(answer.evicted) == 44
    assert len(answer.windows) > 50
    assert (bench.read > 0) == (size > 5 if m2_lines == 2 else size > 1)


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("size", "reads"),
    [
        (9, 0),
        (10, 8),
        *(pytest.param(*given, marks=REGRESS) for given in ((1, 0), (17, 64), (18, 63 + 7))),
    ],
)
def test_windows_that_are_on_the_chip_read_nothing(size, reads):
    """With 2 lines of 8 values, 9 tuples lie in at most 2 lines, and 17 in at most 3.

    Of 71 windows of 10 tuples 8 begin with the last value of a line, and so lie in 3 lines.
    """
    plan = plan_of(m2_lines=2)
    keys = separate_keys(plan, 3)
    tuples = [(key, k) for k in range(80) for key in keys]
    bench, _ = check(plan, [(size, 1, tuples)], size, latency=10)
    assert bench.read == 3 * reads


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("size", "m2_lines", "share"),
    [
        # The growing line has 1 to 8 of the last tuples, equally often: 4.5 on average.
        pytest.param(64, 1, Fraction(9, 2) / 64, marks=REGRESS),
        pytest.param(16, 1, Fraction(9, 2) / 16, marks=REGRESS),
        pytest.param(8, 1, Fraction(9, 2) / 8, marks=REGRESS),
        # The line before it has 8 more, if the window reaches so far back.
        (64, 2, (8 + Fraction(9, 2)) / 64),
        pytest.param(16, 2, (8 + Fraction(9, 2)) / 16, marks=REGRESS),
        pytest.param(8, 2, 1, marks=REGRESS),
    ],
)
def test_as_much_of_a_window_as_fits_stays_out_of_m3(size, m2_lines, share):
    """Two keys have a window after every tuple, equally many for each place of a line."""
    plan = plan_of(ring_lines=8, m2_lines=m2_lines)
    keys = separate_keys(plan, 2)
    tuples = [(key, k) for k in range(size - 1 + 64) for key in keys]
    bench, _ = check(plan, [(size, 1, tuples)], size)
    values, read = (bench.counted[name] for name in ("window_values", "m3_window_values"))
    assert values == 2 * 64 * size
    assert Fraction(values - read, values) == share


def test_every_line_is_written_once_and_no_more_is_read_than_windows_have():
    """Every 8th item of a key completes a line; a window of 32 every 32 has 3 lines and the
    tail.
    """
    plan = plan_of()
    tuples = [(key, k) for k in range(128) for key in separate_keys(plan, 4)]
    bench, answer = check(plan, [(32, 32, tuples)], "counts", latency=10)
    assert len(answer.windows) == 4 * 4 + 1
    assert (bench.read, bench.written) == (4 * 4 * 3, 4 * 128 // 8)
    assert bench.counted["m3_read_modify_writes"] == 0


class Reads:
    """Computes the lines that dram-only reads, from the order of tuples alone.

    A tuple reads its line unless it is the first tuple of the line, or one of the last 32 tuples
    was in the line. A tuple that begins a line also reads it if windows reach back to the values
    that the line had a ring ago.
    """

    def __init__(self, plan, streams):
        self.updates = self.windows = 0
        items, ring = plan.line.items, plan.lines.ring_lines
        last, places = {}, {}
        for number, beat in enumerate(beats_of(streams)):
            if beat["valid"]:
                size, slide = beat["settings"]["size"], beat["settings"]["slide"]
                at = places[beat["key"]] = places.get(beat["key"], -1) + 1
                line = beat["key"], at // items % ring
                fresh = at % items == 0 and -(-(size - 1) // items) < ring
                self.updates += not fresh and number - last.get(line, -99) > 32
                if at + 1 >= size and (at + 1 - size) % slide == 0:
                    self.windows += at // items - (at + 1 - size) // items
                last[line] = number
            if beat["last"]:
                places = {}


@pytest.mark.in_turn
@pytest.mark.parametrize("few", [3, pytest.param(40, marks=REGRESS)])
def test_dram_only_reads_what_the_order_of_tuples_says(few):
    rng = random.Random(few)
    plan = plan_of("dram-only", key=12, entries=64, items=8, ports=2)
    keys = separate_keys(plan, few)
    streams = [
        (size, slide, [(rng.choice(keys), k) for k in range(count)])
        for size, slide, count in ((32 if few < 9 else 7, 5, 300), (6, 6, 250))
    ]
    bench, answer = check(plan, streams, few, latency=5, stall_in=0.1, stall_out=0.1)
    expected = Reads(plan, streams)
    assert bench.counted["m3_read_modify_writes"] == expected.updates > 2
    assert bench.read == expected.updates + expected.windows
    assert bench.written == sum(len(tuples) for _, _, tuples in streams)
    assert len(answer.windows) > 20


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("latency", "reads", "writes", "limit"),
    [
        (20, 8, 32, Fraction(8, 20 + 2) / Fraction(7, 8)),  # reads under way
        pytest.param(20, 32, 8, Fraction(8, 20 + 2), marks=pytest.mark.regress),  # writes
        pytest.param(8, 32, 32, 1 / (1 + Fraction(7, 8)), marks=REGRESS),  # a command in a cycle
        pytest.param(60, 64, 64, Fraction(32, 60 + 12), marks=pytest.mark.regress),  # in flight
    ],
)
def test_rate_of_dram_only(latency, reads, writes, limit):
    """Keys take turns: seven of eight tuples read their line, and each tuple writes it."""
    count = 120 if latency > 20 else 64
    plan = plan_of("dram-only", key=12, entries=256)
    keys = separate_keys(plan, count)
    preparation = [(key, 1) for k, key in enumerate(keys) for _ in range(k % 8)]
    tuples = preparation + [(keys[k % count], k) for k in range(count * 4)]
    sizes = {"reads": reads, "writes": writes, "commands": 24, "buffer_lines": 64}
    bench, _ = check(plan, [(20, 20, tuples)], latency, latency=latency, sizes=sizes)
    input_cycles = bench.source.run.cycles[len(preparation) + count :]
    rate = (len(input_cycles) - 1) / (input_cycles[-1] - input_cycles[0])
    assert 0.97 * limit <= rate <= 1.03 * limit, (rate, float(limit))


@pytest.mark.in_turn
@pytest.mark.parametrize(("burst", "limit"), [(160, 1), (8, Fraction(8, 9))])
def test_bursts_of_a_key_are_read_once(burst, limit):
    """Each tuple closes a window, and writes its line; a burst of tuples reads its line once."""
    plan = plan_of("dram-only", key=12, entries=64)
    keys = separate_keys(plan, 40)
    tuples = [(key, 1) for k, key in enumerate(keys) for _ in range(k % 7 + 1)]
    begin = len(tuples)
    tuples += [(keys[k // burst % 40], k) for k in range(400)]
    sizes = {"writes": 32, "commands": 24}
    bench, _ = check(plan, [(1, 1, tuples)], burst, latency=6, sizes=sizes)
    input_cycles = bench.source.run.cycles[begin + 80 :]
    assert (
        0.95 * limit
        <= (len(input_cycles) - 1) / (input_cycles[-1] - input_cycles[0])
        <= 1.05 * limit
    )


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("kind", "m2_lines", "windows"), [("mlq", 1, 2), ("mlq", 2, 8), ("dram-only", 1, 2)]
)
def test_an_output_that_stands_still_for_long(kind, m2_lines, windows, monkeypatch):
    """All stages fill up behind a blocked output, with small queues, and continue afterwards.

    With 2 lines in M2 fewer lines from M2 than windows can wait.
    """
    monkeypatch.setattr(levels, "LineAppender", partial(LineAppender, windows=2))
    rng = random.Random(kind)
    plan = plan_of(kind, items=4, ring_lines=4, m2_lines=m2_lines)
    tuples = tuples_of(rng, 100, 4)
    sizes = {"reads": 1, "writes": 1, "commands": 2, "buffer_lines": 4, "turns": 2}
    stalled = range(60, 500)
    options = {"built": {"windows": windows}, "sizes": sizes, "blocked": stalled, "latency": 3}
    bench, _ = check(plan, [(13, 1, tuples)], kind, **options)
    counts = [sum(cycle < end for cycle in bench.source.run.cycles) for end in (300, 500)]
    assert counts[0] == counts[1] < 100


@pytest.mark.in_turn
@pytest.mark.parametrize(("size", "slide", "m2_lines"), [(32, 32, 1), (31, 17, 1), (31, 17, 2)])
def test_a_tuple_in_every_cycle_where_windows_are_few(size, slide, m2_lines):
    plan = plan_of(ring_lines=8, items=4, ports=2, m2_lines=m2_lines)
    keys = separate_keys(plan, 4)
    tuples = [(keys[k // 4 % 4], k) for k in range(600)]
    bench, _ = check(plan, [(size, slide, tuples)], "rate", latency=10)
    input_cycles = bench.source.run.cycles
    assert input_cycles[-1] - input_cycles[100] <= 1.02 * 499


@pytest.mark.in_turn
def test_a_window_with_every_tuple_takes_its_lines_and_one_cycle():
    """One key, slide 1: each window of 15 has 3 or 4 lines from M3, and the tail."""
    plan = plan_of(ring_lines=8, items=4, ports=2)
    tuples = [(3, k) for k in range(200)]
    bench, _ = check(plan, [(15, 1, tuples)], "slides", latency=6)
    output_cycles = bench.sinks[0].run.cycles
    assert len(output_cycles) / (output_cycles[-1] - output_cycles[0] + 1) > 0.9


@pytest.mark.in_turn
@pytest.mark.parametrize("errors", ["bad_reads", "bad_writes"])
@pytest.mark.parametrize(("kind", "m2_lines"), [("mlq", 1), ("mlq", 2), ("dram-only", 1)])
def test_errors_of_the_memory_mark_the_windows_of_their_key(kind, m2_lines, errors):
    plan = plan_of(kind, items=4, ring_lines=4, m2_lines=m2_lines)
    keys = separate_keys(plan, 3)
    tuples = [(keys[k % 3], k) for k in range(240)]
    streams = [(11, 4, tuples)]
    answer = Answer(plan, streams)
    bench = Bench(plan, errors, latency=8)
    (slave,) = bench.slaves
    line = entry_of(plan, keys[1]) * 4 + 2
    slave.bad[errors[4:]] = {bench.bases[0] * PAGE + line * LINE}
    bench.run(streams, len(answer.windows))
    wrong_count = 0
    for actual, expected in zip(bench.windows, answer.windows, strict=True):
        if expected is None or not actual[3]:
            assert actual is expected if expected is None else actual[:3] == expected
        else:
            assert actual[0] == keys[1]
            wrong_count += 1
    assert wrong_count > (3 if m2_lines == 2 else 5)


@pytest.mark.in_turn(5)
def test_a_line_that_was_not_read_spoils_its_key_from_then_on():
    """Keys take turns, so that every tuple reads a line; a single line gives an error."""
    plan = plan_of("dram-only", key=12, entries=64, items=4)
    keys = separate_keys(plan, 34)
    tuples = [(keys[k % 34], k) for k in range(34 * 8)]
    streams = [(1, 1, tuples)]
    answer = Answer(plan, streams)
    bench = Bench(plan, "spoilt", latency=2)
    address = bench.bases[0] * PAGE + (entry_of(plan, keys[7]) * 4 + 1) * LINE
    bench.slaves[0].bad["reads"] = {address}
    bench.run(streams, len(answer.windows))
    # Tuple 4 of the key begins line 1, and tuple 5 is the first to read it.
    wrong_windows = [window[:2] for window in bench.windows if window and window[3]]
    assert wrong_windows == [(keys[7], number) for number in range(5, 8)]
    assert [w and w[:3] for w in bench.windows] == answer.windows


def test_writes_of_two_keys_that_fail_spoil_all():
    """Also windows of one tuple are marked, although they read no line."""
    plan = plan_of(items=4, ring_lines=4)
    keys = separate_keys(plan, 4)
    streams = [(1, 1, [(keys[k % 4], k) for k in range(160)])]
    answer = Answer(plan, streams)
    bench = Bench(plan, "two", latency=8)
    lines = [entry_of(plan, key) * 4 + 2 for key in keys[1:3]]
    bench.slaves[0].bad["writes"] = {bench.bases[0] * PAGE + line * LINE for line in lines}
    bench.run(streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    marked = [w[3] for w in bench.windows[:-1]]
    assert not any(marked[:48])  # until the third line of each is full
    assert all(marked[80:])


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("kind", "seed", "m2_lines"),
    [
        *(("mlq", k, 1) for k in range(3)),
        ("mlq", 0, 2),
        *(pytest.param("mlq", k, 2, marks=REGRESS) for k in range(1, 6)),
        ("dram-only", 3, 1),
    ],
)
def test_a_reset_between_bursts(kind, seed, m2_lines):
    """Streams after the reset are answered, whatever the engine stored before it."""
    rng = random.Random(seed)
    plan = plan_of(kind, items=4, m2_lines=m2_lines)
    streams = streams_of(rng, plan, [60, 80], keys=4)
    answer = Answer(plan, streams)
    bench = Bench(plan, seed, latency=3)
    earlier = streams_of(rng, plan, [200], keys=4)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert bench.evicted == answer.evicted
