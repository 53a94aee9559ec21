"""Checks windows of time of keys, from the table and three levels of memory, against lists."""

import random
from dataclasses import replace
from itertools import product

import pytest
from amaranth.hdl import signed, unsigned

from rtl.keyed.codec.base_delta.base_delta import BaseDelta
from rtl.keyed.store.lines.line_plan import LinePlan
from rtl.keyed.store.lines.line_store import LineStore
from rtl.keyed.store.lines.second_level import SecondLevel
from rtl.keyed.windows.time_kind import TimeKind
from tb.rtl.keyed.key_windows_bench import MEMORIES, separate_keys
from tb.rtl.keyed.time_bench import (
    Answer,
    TimeBench,
    check,
    check_errors,
    plan_of,
    settings_of,
    streams_of,
    tuples_of,
)

REGRESS = pytest.mark.regress
POINTS = {
    "one port": {"time": 10},
    "two ways, words of 1, one mark": {"ways": 2, "word_items": 1, "marks": 1, "time": 12},
    "four ports, two marks": {"ports": 4, "width": 128, "marks": 2, "time": signed(11)},
    "a line is a word": {"word_items": 4, "ports": 2, "width": 256, "number_bits": 8},
    "two lines in M2": {"m2_lines": 2, "m2_kind": "ultra", "time": 10},
    "dram-only": {"memory": "dram-only", "ports": 2, "time": 10},
    "base-delta": {"codec": BaseDelta(32, 13), "ways": 2, "time": 10},
    "base-delta, one mark": {"codec": BaseDelta(64, 16), "marks": 1, "time": 12, "ports": 4},
}
QUICK = [
    ("one port", "restless"),
    ("two ways, words of 1, one mark", "late"),
    ("a line is a word", "restless"),
    ("two lines in M2", "restless"),
    ("dram-only", "restless"),
    ("base-delta", "restless"),
]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("point", "memory"),
    [
        (point, memory) if (point, memory) in QUICK else pytest.param(point, memory, marks=REGRESS)
        for point in POINTS
        for memory in MEMORIES
    ],
)
def test_windows_are_those_of_lists(point, memory):
    rng = random.Random(f"{point} {memory}")
    plan = plan_of(**POINTS[point])
    streams = streams_of(rng, plan, [70, 0, 1, 80, 60], 4, most=255)
    bench, answer = check(plan, streams, f"{point} {memory}", **MEMORIES[memory])
    assert len(answer.windows) > 20
    assert answer.late > 2
    assert bench.written > 10


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("range_", "slide", "most"),
    [
        (3, 1, 6),
        *(pytest.param(*given, marks=REGRESS) for given in ((5, 2, 10), (2, 2, 8), (7, 3, 11))),
    ],
)
def test_every_order_of_three_times(range_, slide, most):
    """Each order has its own key; eight keys take turns."""
    plan = plan_of(marks=2)
    keys = separate_keys(plan, 8)
    orders = list(product(range(most), repeat=3))
    streams = []
    for k in range(0, len(orders), 8):
        group = list(zip(keys, orders[k : k + 8], strict=False))
        tuples = [(key, order[n], 8 * n + key) for n in range(3) for key, order in group]
        tuples += [(key, 60, 0) for key, _ in group]  # closes all open windows
        streams.append(({"range": range_, "slide": slide, "start": 1}, tuples))
    _, answer = check(plan, streams, slide)
    assert len(answer.windows) > 1.5 * len(orders)
    assert answer.late > len(orders) // 8


def test_no_line_is_read_before_it_was_written():
    """The first tuple of a key begins a line, and with dram-only each other tuple changes it."""
    plan = plan_of(memory="dram-only")
    keys = separate_keys(plan, 8)
    settings = {"range": 8, "slide": 4, "start": 0}
    bench, _ = check(plan, [(settings, [(key, 0, key) for key in keys])], "first tuples")
    assert (bench.read, bench.written) == (0, 8)


LEVELS = {"mlq": {}, "two lines": {"m2_lines": 2}, "dram-only": {"memory": "dram-only"}}


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("ports", "memory", "built"),
    [
        (1, "restless", "mlq"),
        pytest.param(1, "restless", "two lines", marks=REGRESS),
        pytest.param(2, "late", "dram-only", marks=REGRESS),
        pytest.param(2, "quick", "mlq", marks=REGRESS),
        pytest.param(2, "late", "mlq", marks=REGRESS),
        pytest.param(2, "late", "two lines", marks=REGRESS),
    ],
)
def test_a_ring_that_is_full(memory, ports, built):
    """Windows have up to 20 tuples, and a ring 16 places: rows have the stored tuples."""
    rng = random.Random(f"{memory} {ports}")
    plan = plan_of(ring_lines=4, ports=ports, time=10, marks=ports, **LEVELS[built])
    tuples, current = [], 0
    for k in range(250):
        current += rng.random() < (0.5 if k % 100 < 70 else 0.9)
        tuples.append((3 if rng.random() < 0.8 else 4, max(0, current - rng.randrange(3)), k))
    streams = [({"range": 10, "slide": slide, "start": 0}, tuples) for slide in (3, 10)]
    _, answer = check(plan, streams, memory, **MEMORIES[memory])
    assert answer.overrun > 20
    assert len(answer.windows) > 50


@pytest.mark.in_turn
@pytest.mark.parametrize(("ways", "m2_lines"), [pytest.param(1, 1, marks=REGRESS), (2, 1), (1, 2)])
def test_keys_that_are_thrown_out_are_reported(ways, m2_lines):
    """Tuples from before the start evict no key, but count as arrivals."""
    rng = random.Random(ways)
    plan = plan_of(entries=8, ways=ways, time=10, m2_lines=m2_lines)
    streams = []
    for count in (80, 120):
        settings = settings_of(rng, plan, start=20)
        streams.append((settings, tuples_of(rng, count, 14, settings, 255)))
    streams[1][1][50:50] = [(key, 19, 0) for key in range(14)]
    _, answer = check(plan, streams, ways, latency=4, stall_in=0.1, stall_out=0.2)
    assert len(answer.evicted) > 20 + len(streams)


@pytest.mark.in_turn
@pytest.mark.parametrize("time", [unsigned(64), signed(64)])
def test_the_ends_of_types(time):
    """Gaps have more windows than 64 bits can count, and more windows than there are numbers."""
    plan = plan_of(time=time, number_bits=40)
    smallest, largest = (-(1 << 63), (1 << 63) - 1) if time.signed else (0, (1 << 64) - 1)
    wide = 1 << 23
    near = {"range": 3 * wide, "slide": wide, "start": smallest}
    last = smallest + (wide << 40) - 1  # in the last slide that has a number
    times = [smallest, smallest + wide, last - 9 * wide, last - 3 * wide, last - wide, last]
    times += [last, last + 1, largest, smallest]
    far = {"range": 9, "slide": 9, "start": largest - 20}
    ends = [
        largest,
        largest - 21,
        largest - 12,
        largest - 11,
        largest - 3,
        largest - 2,
        largest,
        smallest,
    ]
    both = {"range": (1 << 63) - 1, "slide": (1 << 62) + 1, "start": smallest}
    cases = [
        (near, times),
        (far, [*ends[1:], *ends]),
        (both, [smallest, 0, largest, largest - 1]),
    ]
    streams = [(s, [(k % 3, t, k) for t in times for k in range(3)]) for s, times in cases]
    _, answer = check(plan, streams, str(time))
    assert answer.overrun == 6
    assert answer.late > 10
    assert max(w[1] for w in answer.windows if w) > 1 << 39


def test_latency_and_rate():
    """Measures the latency of a window in M1 and M2; then each tuple or window takes a cycle."""
    plan = plan_of()
    settings = {"range": 8, "slide": 2, "start": 0}
    tuples = [(3, 0, 1), (3, 8, 2), *((3, 9, k) for k in range(10)), (3, 40, 3)]
    bench, answer = check(plan, [(settings, tuples)], "latency")
    assert [w[1] for w in answer.windows if w] == [0, 1, 2, 3, 4]
    input_cycles, output_run = bench.source.run.cycles, bench.sinks[0].run
    assert output_run.cycles[0] - input_cycles[1] == bench.dut.latency == 8 + 5 + 3 + 1 + 2 + 1 + 1
    assert input_cycles == list(range(1, 15))  # the lengths of the windows go in cycle 0


def test_a_tuple_that_closes_many_windows():
    """A tuple takes a cycle for each window; the next tuple waits, and continues at once."""
    plan = plan_of(items=4, ring_lines=4)
    settings = {"range": 7, "slide": 1, "start": 0}
    keys = separate_keys(plan, 8)
    tuples = [(key, time, 0) for time in (6, 30, 54, 78) for key in keys]
    bench, answer = check(plan, [(settings, tuples)], "many")
    assert len(answer.windows) == 8 * 3 * 7 + 1
    cycles = bench.sinks[0].run.cycles
    assert cycles[-1] - cycles[0] <= 8 * 3 * 7 + 8


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("kind", ["bad_reads", pytest.param("bad_writes", marks=REGRESS)])
def test_errors_of_the_memory_mark_the_windows_of_their_key(kind):
    check_errors(plan_of(items=4, ring_lines=4, time=10), kind, least=4)


@pytest.mark.parametrize("seed", [0, *(pytest.param(k, marks=REGRESS) for k in range(1, 6))])
def test_a_reset_between_bursts(seed):
    rng = random.Random(seed)
    plan = plan_of()
    streams = streams_of(rng, plan, [60, 80], 4, most=255)
    earlier = streams_of(rng, plan, [200], 4, most=255)
    answer = Answer(plan, streams)
    bench = TimeBench(plan, seed, latency=3)
    bench.run_after_reset(earlier, streams, len(answer.windows))
    assert [w and w[:3] for w in bench.windows] == answer.windows
    assert bench.evicted == answer.evicted
    assert (bench.counted["late"], bench.counted["overrun"]) == (answer.late, answer.overrun)


def test_plans_that_cannot_be():
    plan = plan_of()
    times = plan.window.times
    with pytest.raises(ValueError, match=r"^places must be those of a ring, 32, not 64$"):
        replace(plan, window=TimeKind(times=replace(times, places=64)))
    with pytest.raises(ValueError, match=r"^times.items must be the items of a line, 4, not 8$"):
        replace(plan, window=TimeKind(times=replace(times, items=8)))
    with pytest.raises(ValueError, match=r"^lines of M2 must be 1 or 2, not 3$"):
        SecondLevel(lines=3)
    with pytest.raises(ValueError, match=r"^kind of M2 must be one of block, ultra, external, not"):
        SecondLevel(kind="sram")
    with pytest.raises(ValueError, match=r"^item of a line must be a stamped one, not signed"):
        replace(plan, store=LineStore(line=LinePlan(item=signed(16), items=4, word_items=2)))


@pytest.mark.parametrize(("marks", "most"), [(2, 5), pytest.param(8, 4, marks=REGRESS)])
def test_lines_that_are_read(marks, most):
    """14 tuples of a window begin in its first line or, of two marks, 3 slides before that."""
    plan = plan_of(marks=marks)
    tuples = [(3, k, k) for k in range(90)]
    bench, answer = check(plan, [({"range": 14, "slide": 2, "start": 0}, tuples)], marks)
    windows = [w for w in answer.windows if w]
    assert [len(items) for _, _, items in windows] == [14] * 38
    ends = [2 * j + 14 for j in range(38)]  # also the place of the tuple that closes the window
    assert bench.read >= sum(end // 4 - (end - 14) // 4 for end in ends)
    assert bench.read <= sum(min(most, end // 4) for end in ends)
    if marks == 8:
        assert bench.read == sum(end // 4 - (end - 14) // 4 for end in ends)
