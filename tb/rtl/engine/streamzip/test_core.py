"""Checks streamzip, as shipped Verilog, against a model with a list of tuples for each key."""

import random
from dataclasses import replace

import pytest

from rtl.bus.top import SKID_LATENCY
from rtl.engine.streamzip.areas import areas_of
from rtl.engine.streamzip.rings import Rings
from sim.job import ResetInStream
from sim.memory import DECERR, Fault, Memory
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import Answers, Stream, count_marked, point, random_streams
from tb.rtl.engine.streamzip.row_points import (
    EXTERNAL_M2,
    MEMORIES,
    PLAIN,
    POINTS,
    check,
    meets_where,
)
from tb.rtl.keyed.table.models import TableModel

pytestmark = pytest.mark.hdl

QUICK = ("plain", "dram-only", "M2 outside", "base-delta", "copies outside")


@pytest.mark.long("name")
@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.regress) for n in POINTS]
)
def test_streams_with_settings_of_their_own(name, memory):
    """The rows of streams without a pause between them are right.

    Some streams are empty, some have settings that the engine refuses, and keys evict keys.
    """
    rng, design = random.Random(name), POINTS[name]
    keys = 136 if name == "M2 outside" else 12
    streams = random_streams(rng, design, [0, 1, 300, 40, 0, 700, 3, 500], keys=keys)
    if name == "M2 outside":
        streams = [replace(stream, size=min(stream.size, 7), slide=1) for stream in streams]
        for stream in streams[3:]:
            rng.shuffle(stream.events)
    run, answers = check(
        design, streams, meets_where if name == "plain" else lambda s, t: True, **MEMORIES[memory]
    )
    assert answers.tally["rows"] > 30  # refused streams have no rows, and evicted keys begin again
    assert sum(map(len, answers.evicted)) > 20
    assert run.counters["m3_lines_written"] > (20 if design.options.codec == "none" else 0)
    is_dram_only = design.options.memory == "dram-only"
    assert (run.counters["m3_read_modify_writes"] > 0) == is_dram_only
    assert (run.counters.get("cached_windows", 0) > 0) == name.startswith("cache")
    if name in ("M2 outside", "copies outside"):
        assert run.outcome.memory["m_axi_m2"].read_bursts > 40


@pytest.mark.in_turn
def test_each_stream_has_bases_of_its_own():
    """A stream with other bases waits until the memory has finished the streams before."""
    rng, design = random.Random(7), POINTS["percentiles"]
    events = [[{"k": n % 2, "x": rng.randrange(99), "y": 0} for n in range(150)] for _ in range(6)]
    base_settings = [{"base_0": rng.randrange(1 << 12) << 12, "base_1": k << 12} for k in range(6)]
    # A window after each tuple: many still wait for their lines when the next stream begins.
    streams = [
        Stream(size=48, slide=1, events=e, extra_settings=bases)
        for e, bases in zip(events, base_settings, strict=True)
    ]
    check(design, streams, memory=Memory(delay=20))


@pytest.mark.in_turn
def test_bases_change_before_a_stream_and_not_in_it():
    """Streams begin while windows still wait, and have pauses in which the memory is quiet."""
    streams = []
    for k in range(6):
        size, slide, count = (48, 48, 600) if k % 2 else (48, 1, 150)
        events = [{"k": n % 2, "x": n, "y": 0} for n in range(count)]
        bases = {"base_0": 3 * k << 16, "base_1": 5 * k + 1 << 20}
        streams.append(Stream(size=size, slide=slide, events=events, extra_settings=bases))
    slow = {"stall_input": 0.85, "stall_output": 0.95}
    check(POINTS["percentiles"], streams, memory=Memory(latency=3), **slow)


@pytest.mark.in_turn
def test_words_of_m2_go_behind_the_base_of_their_stream():
    """Words of a stream may still wait for the memory when the next stream, with another base,
    comes.
    """
    design = EXTERNAL_M2
    table = TableModel(key_width=8, entries=design.options.entries, ways=1)
    keys = {
        table.candidates(key)[0]: key for key in range(256)
    }  # one key for each entry, so no key evicts another
    chosen, bases = list(keys.items())[:64], [0x100000 * k for k in (3, 5, 4)]
    streams = []
    for n, base in enumerate(bases):
        events = [{"k": key, "x": n, "y": t} for t in range(6) for _, key in chosen[n::3]]
        streams.append(Stream(size=32, slide=32, events=events, extra_settings={"base_m2": base}))
    run, _ = check(design, streams, memory=Memory(latency=60, stall=0.9), drain=2000)
    for n, base in enumerate(bases):
        for place, _ in chosen:
            words = run.outcome.contents.read(base + 128 * place, 48)
            assert (words != bytes([Memory.fill]) * 48) == (place in dict(chosen[n::3]))


@pytest.mark.in_turn
@pytest.mark.parametrize("base", [1, 4095, (1 << 32) - 1])
def test_a_base_that_is_not_allowed(base):
    events = [{"k": 3, "x": n, "y": 0} for n in range(9)]
    bad = Stream(size=2, slide=2, events=events, extra_settings={"base_0": base})
    good = Stream(size=2, slide=2, events=events, extra_settings={"base_0": 0})
    settings = [bad.settings(PLAIN), good.settings(PLAIN)]
    run = shipped(PLAIN).run([bad.events, good.events], settings, packets=1)
    assert run.packets == Answers(PLAIN, [good], meets_where).packets
    assert run.errors == {"bad_setting"}
    assert run.counters["overrun"] == 9


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "bad",
    [
        *(
            {"size": 0},
            {"slide": 0},
            {"size": 33},
            {"slide": 9},
            {"size": 64 + 8},
            {"slide": 64 + 3},
        ),
        *({"size": 1 << 31}, {"size": (1 << 32) - 8, "slide": (1 << 32) - 8}),
    ],
    ids=str,
)
def test_windows_that_are_not_allowed(bad):
    """The streams before and after are answered, and the tuples of the refused stream are
    counted.
    """
    events = [{"k": 3, "x": n, "y": 0} for n in range(40)]
    good = Stream(size=8, slide=3, events=events)
    settings = [good.settings(PLAIN), good.settings(PLAIN) | bad, good.settings(PLAIN)]
    run = shipped(PLAIN).run([events] * 3, settings, packets=2)
    assert run.packets == Answers(PLAIN, [good, good], meets_where).packets
    assert run.errors == {"bad_setting"}
    assert run.counters["overrun"] == 40


@pytest.mark.parametrize(
    "name",
    ["plain", "base-delta", *(pytest.param(n, marks=pytest.mark.regress) for n in ("xor", "sz"))],
)
def test_latency_is_that_of_the_parts(name):
    """The base addresses are 0, as after a reset, so the stream waits for no earlier accesses."""
    design = POINTS[name]
    bases = {setting: 0 for setting in design.settings.values if setting.startswith("base_")}
    stream = Stream(size=1, slide=1, events=[{"k": 3, "x": 5, "y": 1}], extra_settings=bases)
    run, _ = check(design, [stream], meets_where)
    outcome = run.outcome
    predicted = design.predict(size=1, slide=1).cycles
    assert outcome.first_output - outcome.first_input == predicted + SKID_LATENCY


@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
@pytest.mark.parametrize(
    "codec",
    [
        "none",
        *(
            pytest.param(name, marks=pytest.mark.regress)
            for name in ("base-delta", "base-delta, median", "xor", "sz")
        ),
    ],
)
def test_errors_of_the_memory_are_reported(codec, write):
    """Rows of the key are marked, the status shows the error, and nothing hangs."""
    design, step = PLAIN, 1
    if codec != "none":  # values so far apart that a block has few of them
        name, *items = codec.split(", ")
        select = ", ".join(("sum(x), max(x)", *(f"{item}(x)" for item in items)))
        design, step = point(select=select, codec=name, window_max=32), 1000
    events = [{"k": k % 3, "x": k * 7 % 600 * step, "y": 0} for k in range(600)]
    stream = Stream(size=24, slide=5, events=events)
    answers = Answers(design, [stream], meets_where)
    lines = Rings(design.options).lines
    entry = answers.table.candidates(1)[0]
    fault = Fault(address=64 * (entry * lines + 1), write=write)  # line 1 in the ring of key 1
    run = shipped(design).run([events], [stream.settings(design)], memory=Memory(faults=(fault,)))
    assert run.errors == {"memory_error"}
    assert {row[1] for row in run.packets[0] if row[2] is None} == {1}
    marked = count_marked(run.packets[0], answers.packets[0], 2)
    assert run.counters["wrong_windows"] == marked >= 5


@pytest.mark.in_turn
@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
def test_errors_of_m2_outside_are_reported(write):
    """A word fails that a window needs and that is not on the chip: rows of its key are marked."""
    design = EXTERNAL_M2
    table = TableModel(key_width=8, entries=design.options.entries, ways=1)
    keys = {
        table.candidates(key)[0]: key for key in range(256)
    }  # one key for each entry, so no key evicts another
    place, key = next(iter(keys.items()))
    order = list(keys.values())
    events = [{"k": k, "x": n, "y": 0} for n in range(40) for k in order]
    stream = Stream(size=13, slide=5, events=events)
    fault = Fault(
        address=areas_of(design.options.resolved)["m2"].base + 128 * place + 16, write=write
    )
    run = shipped(design).run([events], [stream.settings(design)], memory=Memory(faults=(fault,)))
    assert run.errors == {"memory_error"}
    expected = Answers(design, [stream]).packets[0]
    assert {row[1] for row in run.packets[0] if row[2] is None} == {key}
    assert count_marked(run.packets[0], expected, 2) >= 5


@pytest.mark.in_turn
@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
def test_errors_of_copies_outside_are_reported(write):
    """Rows of a key are marked if its copy in M2 is not written or not read; others are right."""
    rng, design = random.Random(3), POINTS["copies outside"]
    options = design.options.resolved
    table = TableModel(key_width=6, entries=options.entries, ways=options.ways)
    key, other = (
        5,
        next(k for k in range(64) if set(table.candidates(k)).isdisjoint(table.candidates(5))),
    )
    base, copies = areas_of(options)["m2"].base, options.m2_blocks
    faults = tuple(
        Fault(address=base + 64 * (copies * entry + copy), write=write)
        for entry in table.candidates(key)
        for copy in range(copies)
    )
    values = [rng.randrange(-(1 << 39), 1 << 39) for _ in range(200)]
    events = [{"k": (key, other)[n % 2], "x": x, "y": 0} for n, x in enumerate(values)]
    stream = Stream(size=40, slide=5, events=events)
    run = shipped(design).run([events], [stream.settings(design)], memory=Memory(faults=faults))
    assert run.errors == {"memory_error"}
    expected = Answers(design, [stream]).packets[0]
    assert {row[1] for row in run.packets[0] if row[2] is None} == {key}
    assert count_marked(run.packets[0], expected, 2) == len(expected) // 2 > 5


FAULTS = {
    "read": Fault(access=0, write=False),
    "write": Fault(access=0, write=True, response=DECERR),
}


@pytest.mark.in_turn
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["plain", "dram-only"])
def test_an_error_lasts_until_a_reset(name, fault):
    """A line that is not written, or not read for a change, makes later rows of its key invalid.

    The rows of all later streams are invalid, too. With dram-only a tuple is put into its key's
    line, which is read first unless a recent tuple was put into the same line. Windows of one tuple
    read no other lines. Each stream has other values, so a window with a line of an earlier stream
    has a wrong row.
    """
    design, memory = POINTS[name], Memory(faults=(FAULTS[fault],))
    size, slide = (1, 1) if name == "dram-only" else (20, 5)
    streams = [
        Stream(
            size=size,
            slide=slide,
            events=[{"k": n // 40 % 3, "x": 1000 * number + n, "y": 0} for n in range(200)],
        )
        for number in range(3)
    ]
    fed = [s.events for s in streams], [s.settings(design) for s in streams]
    expected, dut = Answers(design, streams).packets, shipped(design)
    run = dut.run(*fed, memory=memory)
    assert run.errors == {"memory_error"}
    marked = [count_marked(*both, 2) for both in zip(run.packets, expected, strict=True)]
    if (name, fault) == ("plain", "read"):
        assert marked == [1, 0, 0]  # one window misses a line
    else:
        assert marked[0] > 0
        assert marked[1] == marked[2] >= 13
    reset = ResetInStream(cycle=450, beat=200)
    run = dut.run(*fed, memory=memory, reset=reset, packets=2)
    assert any(traffic.errors for traffic in run.outcome.memory.values())
    assert run.packets == expected[1:]
    assert run.errors == set()


def test_stalled_for_long():
    """The outputs stall for long: nothing is lost."""
    rng = random.Random(5)
    streams = random_streams(rng, PLAIN, [400, 300], keys=12)
    check(PLAIN, streams, meets_where, stall_output=0.97, **{"memory": Memory(latency=5)})


@pytest.mark.regress
@pytest.mark.parametrize("seed", range(30))
def test_any_streams(seed):
    rng = random.Random(seed)
    name = rng.choice(list(POINTS))
    counts = [rng.choice([0, 1, 30, 400, 2000]) for _ in range(12)]
    streams = random_streams(rng, POINTS[name], counts, keys=rng.choice([2, 6, 14, 40, 150]))
    memory = Memory(delay=rng.choice([0, 50]), stall=rng.random() / 2, reorder=bool(seed % 2))
    stalls = rng.choice([{}, HALF, {"stall_output": 0.9}, {"stall_input": 0.9}])
    keep = meets_where if name == "plain" else lambda s, t: True
    check(POINTS[name], streams, keep, memory=memory, seed=seed, **stalls)


@pytest.mark.regress
def test_numbers_of_values_wrap_in_a_long_stream():
    """With a codec the values of a key are numbered modulo the places of its ring.

    Key 3 has more values in a stream than places, so its numbers wrap.
    """
    design = point(2, 1, select="min(x), max(x), sum(x)", codec="base-delta", window_max=2)
    places = Rings(design.options).places
    rng, streams = random.Random(5), []
    for size, slide, far in ((1, 1, False), (2, 1, True), (2, 2, False), (1, 1, True)):
        values = [rng.getrandbits(31) if far else n // 5 for n in range(2 * places)]
        events = [{"k": rng.choice((3, 3, 3, 9)), "x": x, "y": 0} for x in values]
        assert sum(tuple_["k"] == 3 for tuple_ in events) > places
        streams.append(Stream(size=size, slide=slide, events=events))
    check(design, streams, stall_output=0.1)
