"""Checks percentiles by pivots in the engine for windows of each key, as shipped Verilog."""

import random
from dataclasses import replace
from itertools import product
from unittest import mock

import pytest
from amaranth.hdl import Fragment

from query.parser import parse
from rtl.engine import ENGINES
from rtl.engine.streamzip.memory_bits import pass_bits_of
from rtl.engine.streamzip.options import Options
from rtl.memory.block import BlockMemory
from sim.job import ResetInStream
from sim.memory import Fault, Memory
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import Answers, Stream, count_marked, random_streams
from tb.rtl.engine.streamzip.pivot_points import POINTS
from tb.rtl.engine.streamzip.row_points import MEMORIES, check

pytestmark = pytest.mark.hdl

REGRESS = pytest.mark.regress
SCHEMA = "CREATE INPUT STREAM S (t uint(32), k uint(32), x {});"
ITEMS = "avg(x), min(x), max(x), median(x)"
WINDOW = "PARTITION BY k ROWS {} SLIDE {}"


def points(*quick):
    return [name if name in quick else pytest.param(name, marks=REGRESS) for name in POINTS]


@pytest.mark.in_turn
@pytest.mark.long("name")
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("name", points("xor"))
def test_streams_with_settings_of_their_own(name, memory):
    """The rows are right for streams back to back: empty, refused, and with evicted keys."""
    rng, design = random.Random(name), POINTS[name]
    streams = random_streams(rng, design, [0, 1, 300, 40, 0, 700, 3, 500], keys=12)
    run, answers = check(design, streams, **MEMORIES[memory])
    assert answers.tally["rows"] > 50
    assert sum(map(len, answers.evicted)) > 20
    fewest = answers.tally["rows"] + (design.options.resolved.neighbours == 1)
    assert run.counters["passes"] >= fewest


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", points("xor"))
def test_one_pass_suffices_if_the_slide_is_at_most_k(name):
    """Only the first window of a key, whose pivot is 0 or of a former key, takes more passes."""
    rng, design = random.Random(name), POINTS[name]
    slide = design.options.resolved.neighbours
    steps = (-1, 0, 0, 0, 1, 4000)
    state, events = {}, []
    for _ in range(900):
        key = rng.randrange(2)  # two keys fit the ways of one set of the table
        state[key] = state.get(key, 5000) + rng.choice(steps)
        events.append({"k": key, "x": state[key], "y": 0})
    first = Stream(size=16, slide=slide, events=events)
    for streams in ([first], [first, first]):
        run, answers = check(design, streams)
        assert run.counters["collision"] == 0
        rows = answers.tally["rows"]
        extra_passes = run.counters["passes"] - rows
        # If the other windows needed a second pass, there would be twice as many passes as rows.
        assert 2 * len(streams) <= extra_passes <= rows // 4


@pytest.mark.parametrize("name", points("xor"))
def test_the_end_of_a_stream_waits_for_rows_that_stall(name):
    """The end of a stream arrives after all verdicts, while rows still wait in the kernels."""
    rng, design = random.Random(name), POINTS[name]
    streams = random_streams(rng, design, [8, 16, 1, 9, 0, 24] * 4, keys=1)
    streams = [replace(stream, size=4, slide=3) for stream in streams]
    _, answers = check(design, streams, stall_output=0.97)
    assert answers.tally["rows"] > 2 * len(streams)


@pytest.mark.parametrize("name", points("xor"))
def test_a_reset_in_a_stream(name):
    """Passes that are under way at the reset leave no trace in the stream after it."""
    rng, design = random.Random(name), POINTS[name]
    streams = random_streams(rng, design, [300, 400, 200], keys=4)
    streams = [replace(stream, size=8, slide=3) for stream in streams]
    fed = [s.events for s in streams], [s.settings(design) for s in streams]
    expected = Answers(design, streams).packets
    reset = ResetInStream(cycle=450, beat=300)
    run = shipped(design).run(*fed, memory=Memory(delay=20), reset=reset, packets=2)
    assert run.packets == expected[1:]


@REGRESS
@pytest.mark.parametrize("name", ["lines", "base-delta", "xor", "sz"])
def test_errors_of_the_memory_are_reported(name):
    """Rows of the key are marked, and nothing hangs."""
    design = POINTS[name]
    rng = random.Random(name)
    events = [{"k": k % 3, "x": rng.getrandbits(20), "y": 0} for k in range(600)]
    stream = Stream(size=24, slide=5, events=events)
    answers = Answers(design, [stream])
    fault = Fault(access=2, write=False)
    run = shipped(design).run([events], [stream.settings(design)], memory=Memory(faults=(fault,)))
    assert run.errors == {"memory_error"}
    assert run.counters["wrong_windows"] == count_marked(run.packets[0], answers.packets[0], 2) >= 1


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ["base-delta", pytest.param("lines", marks=REGRESS)])
def test_windows_that_become_wrong_between_two_passes_count(name):
    """A write fails while a window of the key waits for its second pass.

    The first windows of a key have no pivots, so they take several passes, and the writes of later
    lines of the key are under way. Each of the first writes fails once.
    """
    design = POINTS[name]
    wide = design.options.window_max
    rng = random.Random(name)
    events = [{"k": 1, "x": rng.getrandbits(20), "y": 0} for _ in range(40 * wide)]
    stream = Stream(size=wide, slide=1, events=events)
    answers = Answers(design, [stream])
    for access in range(12):
        memory = Memory(faults=(Fault(access=access, write=True),), delay=30)
        run = shipped(design).run([events], [stream.settings(design)], memory=memory)
        assert run.errors == {"memory_error"}
        marked = count_marked(run.packets[0], answers.packets[0], 2)
        assert run.counters["wrong_windows"] == marked >= 1


@REGRESS
@pytest.mark.parametrize("seed", range(20))
def test_any_streams(seed):
    rng = random.Random(seed)
    name = rng.choice(list(POINTS))
    counts = [rng.choice([0, 1, 30, 400, 2000]) for _ in range(12)]
    streams = random_streams(rng, POINTS[name], counts, keys=rng.choice([2, 6, 14, 40]))
    memory = Memory(delay=rng.choice([0, 50]), stall=rng.random() / 2, reorder=bool(seed % 2))
    stalls = rng.choice([{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}])
    check(POINTS[name], streams, memory=memory, seed=seed, **stalls)


@pytest.mark.parametrize("name", ["lines", "xor, double"])
def test_memory_of_the_passes(name):
    """The prediction equals the bits of the three memories in the built collector."""
    _, keys, *_ = POINTS[name].create.args
    memories, initialize = [], BlockMemory.__init__

    def record(memory, *args, **kwargs):
        initialize(memory, *args, **kwargs)
        memories.append(memory)

    collector = keys.store.collector(keys)
    with mock.patch.object(BlockMemory, "__init__", record):
        Fragment.get(collector, None)
    assert pass_bits_of(keys) == sum(memory.bits for memory in memories) > 0


@pytest.mark.parametrize(("codec", "ratio"), [("none", None), ("base-delta", 2.0)])
@pytest.mark.parametrize("value", ["fixed(40,24)", "uint(16)"])
def test_default_is_the_faster_way(value, codec, ratio):
    """The prediction of the whole engine is at most a seventh below that of the other way.

    ``ratio`` is the compression that the default expects of a codec.
    """
    ways = set()
    for size, slide in product((16, 64, 128, 1024, 4096), (1, 4, 16, 64, 4096)):
        if slide > size:
            continue
        text = f"{SCHEMA.format(value)} SELECT k, {ITEMS} FROM S [{WINDOW.format(size, slide)}];"
        designs = {
            way: ENGINES["streamzip"](query=parse(text), codec=codec, percentiles=way)
            for way in ("sorter", "pivot", None)
        }
        shape = {} if ratio is None else {"ratio": ratio}
        sorter, pivot, default = (
            design.predict(dram="ideal", keys=64, **shape).tuples_per_cycle
            for design in designs.values()
        )
        assert default >= 6 / 7 * max(sorter, pivot), (size, slide)
        ways.add(designs[None].parameters["percentiles"])
    assert ways == {"sorter", "pivot"}


def test_default_with_one_way():
    """Without percentiles, and with windows of time, the default is the sorter."""
    text = "SELECT k, {} FROM S [PARTITION BY k {}];"
    rows, time = "ROWS 1024 SLIDE 1", "RANGE 1024 SLIDE 1 WATTR t"
    for items, window in (("max(x)", rows), (ITEMS, time)):
        query = parse(f"{SCHEMA.format('int(40)')} {text.format(items, window)}")
        assert Options(query=query, codec="base-delta").resolved.percentiles == "sorter"


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    ("window", "options", "message"),
    [
        ("ROWS 4096 SLIDE 3", {"window_max": 2}, "ROWS must be at most window_max, 2, not 4096"),
        ("ROWS 64 SLIDE 3", {"line_values": 256}, "line_values must be at most 64, not 256"),
        (f"ROWS {1 << 30} SLIDE 2", {}, f"ROWS must be at most {1 << 20}, not {1 << 30}"),
        ("ROWS 16 SLIDE 16", {"capacity": 16, "line_values": 32}, "capacity must be at least 32"),
        ("ROWS 1024 SLIDE 1024", {"capacity": 16}, "capacity must be at least 32 to sort windows"),
    ],
)
def test_options_without_room_are_refused(window, options, message):
    """The default of ``percentiles`` is computed before the other options are checked."""
    query = parse(f"{SCHEMA.format('int(8)')} SELECT k, {ITEMS} FROM S [PARTITION BY k {window}];")
    with pytest.raises(ValueError, match=f"^{message}"):
        Options(query=query, **options)


def test_defaults():
    """Serial decoders need pivots; K follows SLIDE."""
    kinds = {name: design.options.resolved.percentiles for name, design in POINTS.items()}
    assert set(kinds.values()) == {"pivot"}
    query = POINTS["xor"].query
    for slide, neighbours in ((1, 1), (2, 2), (3, 4), (8, 4)):
        window = replace(query.window, slide=slide)
        options = Options(query=replace(query, window=window))
        assert (options.resolved.percentiles, options.resolved.neighbours) == ("sorter", neighbours)
        options = Options(query=replace(query, window=window), codec="grid")
        assert options.resolved.neighbours == max(2, neighbours)
    with pytest.raises(ValueError, match=r"^percentiles must be pivot with codec=xor, not sorter"):
        Options(query=query, codec="xor", percentiles="sorter")
