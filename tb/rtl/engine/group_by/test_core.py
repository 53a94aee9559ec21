"""Checks the shipped Verilog of the group-by engine at its AXI pins against its model."""

import random

import pytest
from amaranth.hdl import Fragment

from rtl.bus.top import SKID_LATENCY
from sim.job import ResetInStream
from tb.bench.random_streams import lengths
from tb.rtl.engine.bench import HALF, narrowed, shipped
from tb.rtl.engine.group_bench import point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = pytest.mark.hdl

FIVE_AGGREGATES = "min(x), max(x), sum(x), count(*), count(distinct x)"
SIGNS = "max(x), min(y), avg(x), sum(y), avg(y)"

POINTS = {
    "all, 4 lanes": point("uint(32)", "int(32)", lanes=4),
    "64 bits": point("uint(64)", "int(64)", lanes=1),
    "unsigned 64": point("int(64)", "uint(64)", lanes=1, count_width=17),
    "float": point("uint(4)", "float", "min(x), max(x), count(distinct x)", lanes=4),
    "double": point("double", "double", "min(x), count(*), max(x)", lanes=2),
    "two columns": point("uint(6)", "int(12)", "sum(y), avg(x), max(y), avg(y)", lanes=2),
    "no value": point("uint(3)", "int(12)", "count(*)", lanes=4),
}
SELECTS = {
    "select, 4 lanes": point("uint(8)", "fixed(8,24)", lanes=4, results="select"),
    "select, 2 lanes": point(
        "uint(8)",
        "uint(10)",
        "max(x), count(*), sum(x), min(x)",
        lanes=2,
        results="select",
        scan="brent-kung",
    ),
    "select, signs": point("uint(8)", "uint(10)", SIGNS, lanes=2, results="select"),
    "select, float": point(
        "uint(8)", "float", "max(x), count(*), min(x)", lanes=4, results="select"
    ),
}

#: Further designs, most with more lanes, which take long to build.
WIDE = {
    "all, 1 lane": point("uint(12)", "int(6)", lanes=1),
    "all, 2 lanes": point("int(13)", "uint(9)", lanes=2, scan="kogge-stone"),
    "most, 8 lanes": point("string(3)", "fixed(3,8)", FIVE_AGGREGATES, lanes=8, scan="brent-kung"),
    "most, 16 lanes": point(
        "uint(12)", "int(5)", FIVE_AGGREGATES, lanes=16, scan="kogge-stone", count_width=20
    ),
    "all, 8 lanes": point("string(3)", "fixed(3,8)", lanes=8, scan="brent-kung"),
    "all, 16 lanes": point("uint(3)", "int(5)", lanes=16, scan="kogge-stone", count_width=20),
    "64 bits, 2 lanes": point("uint(64)", "int(64)", lanes=2),
    "unsigned 64, 4 lanes": point("int(64)", "uint(64)", lanes=4, count_width=17),
}
WIDE_SELECTS = {
    "select, one sign": point("uint(8)", "uint(10)", "min(y), avg(x)", lanes=2, results="select"),
    "select of one": point("uint(8)", "int(8)", "max(x)", lanes=4, results="select"),
    "select, signs, 8 lanes": point("uint(8)", "uint(10)", SIGNS, lanes=8, results="select"),
}


def names(quick, wide):
    return [*quick, *(pytest.param(name, marks=pytest.mark.regress) for name in wide)]


def some_streams(design, seed):
    rng = random.Random(seed)
    counts = lengths(design.input.lanes) * 2 + [rng.randrange(300) for _ in range(4)]
    rng.shuffle(counts)
    return streams_of(design, rng, counts)


@pytest.mark.long("name")
@pytest.mark.in_turn(by="name")
@pytest.mark.parametrize("name", names(POINTS, WIDE))
@pytest.mark.parametrize("stalls", [{}, HALF, {"stall_input": 0.9}, {"stall_output": 0.9}])
def test_rows_of_streams_back_to_back(name, stalls):
    design = (POINTS | WIDE)[name]
    for seed in range(3):
        streams = some_streams(design, f"{name} {seed}")
        run = shipped(design).run(streams, seed=seed, **stalls)
        assert run.packets == [group_rows(design.query, stream) for stream in streams]
        if "stall_output" not in stalls:
            assert run.outcome.input_stalled == 0


@pytest.mark.in_turn
@pytest.mark.long("name")
@pytest.mark.parametrize("name", names(SELECTS, WIDE_SELECTS))
@pytest.mark.parametrize("stalls", [{}, HALF])
def test_each_stream_has_its_own_function(name, stalls):
    design = (SELECTS | WIDE_SELECTS)[name]
    rng = random.Random(name)
    streams = some_streams(design, name)
    functions = [rng.randrange(len(design.settings.functions)) for _ in streams]
    settings = [{"function": function} for function in functions]
    run = shipped(design).run(streams, settings, seed=1, **stalls)
    for stream, function, actual in zip(streams, functions, run.packets, strict=True):
        expected = [(row[0], row[1 + function]) for row in group_rows(design.query, stream)]
        assert narrowed(actual, design.rows.selected[function]) == expected


@pytest.mark.parametrize("name", [*POINTS, *SELECTS])
def test_latency_of_the_parts_adds_up(name):
    design = (POINTS | SELECTS)[name]
    core = design.create()
    Fragment.get(core, None)
    assert core.latency == design.prediction.cycles


@pytest.mark.in_turn
def test_counters():
    design = POINTS["float"]
    nan, inf = 0x7FC00001, 0x7F800000
    stream = [{"g": g, "x": x} for g in range(9) for x in (nan, 0x80000000, 0, 5, nan, inf)]
    run = shipped(design).run([stream, [], stream], seed=3, **HALF)
    assert run.packets[0] == run.packets[2] == group_rows(design.query, stream)
    assert run.packets[1] == []
    assert run.errors == set()
    assert run.counters == {
        "nan": 2 * 18,
        "tuples": 2 * 54,
        "rows": 2 * 9,
        "streams": 3,
        "filtered": 0,
        "cut": 0,
        "stall_out": run.outcome.output_stalled,
        "stall_in": run.outcome.input_stalled,
    }


@pytest.mark.in_turn
def test_where_in_front():
    design = point(
        "uint(6)", "int(8)", FIVE_AGGREGATES, "WHERE x < -3 AND y != 5 OR x > 90", lanes=4
    )
    streams = some_streams(design, "where")

    def passes(t):
        return (t["x"] < -3 and t["y"] != 5) or t["x"] > 90

    run = shipped(design).run(streams, seed=5, **HALF)
    selected = [[t for t in stream if passes(t)] for stream in streams]
    assert run.packets == [group_rows(design.query, stream) for stream in selected]
    assert run.counters["filtered"] == sum(map(len, streams)) - sum(map(len, selected))


@pytest.mark.in_turn
@pytest.mark.parametrize("name", ["all, 4 lanes", "double", "float"])
def test_reset_in_the_middle_of_a_stream(name):
    design = POINTS[name]
    dut = shipped(design)
    for seed in range(8):
        rng = random.Random(seed)
        streams = streams_of(design, rng, [40, 0, 90, 33, 7])
        beats = dut.beats(streams)
        restart = int(rng.choice(list(beats.starts)[1:]))
        reset = ResetInStream(cycle=rng.randrange(12, len(beats)), beat=restart)
        run = dut.run(beats, reset=reset, seed=seed, **HALF)
        first = list(beats.starts).index(restart)
        assert run.packets == [group_rows(design.query, stream) for stream in streams[first:]]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("lanes", "last", "errors"),
    [
        ([1, 1, 1, 1], False, set()),
        ([1, 1, 0, 0], True, set()),
        ([0, 0, 0, 0], True, set()),
        ([1, 1, 1, 0], False, {"bad_beat"}),
        ([1, 0, 1, 1], True, {"bad_beat"}),
        ([0, 1, 0, 0], True, {"bad_beat"}),
    ],
)
def test_a_beat_that_breaks_the_rules_is_reported(lanes, last, errors):
    dut = shipped(POINTS["all, 4 lanes"])
    beats = dut.beats([[{"g": k, "x": k} for k in range(12)]])
    size = dut.design.input.packing.bytes
    for lane, is_valid in enumerate(lanes):
        beats.keep[2 if last else 1, lane * size : (lane + 1) * size] = is_valid
    assert dut.run(beats).errors == errors


@pytest.mark.in_turn
def test_reads_and_writes_do_not_disturb_a_stream():
    design = SELECTS["select, 4 lanes"]
    dut = shipped(design)
    streams = some_streams(design, "reads")
    function, magic = dut.addresses("function", "magic")
    writes = {k: [(function, 200), (magic, 1), (0xFFC, 7)] for k in range(len(streams))}
    run = dut.run(
        streams,
        writes=writes,
        reads=["magic", "function", "configuration"],
        background_rate=0.3,
        background_reads=[*range(0, 0x40, 4), *range(0x400, 0x440, 4), 0x300, 0xFFC],
        seed=9,
        **HALF,
    )
    assert run.outcome.background_reads > 20
    assert run.errors == {"bad_function"}
    assert run.reads == (0x534C4345, 0, design.configuration_hash)
    shape = design.rows.selected[0]
    assert [narrowed(rows, shape) for rows in run.packets] == [
        [(row[0], row[1]) for row in group_rows(design.query, stream)] for stream in streams
    ]


@pytest.mark.in_turn
@pytest.mark.long("name")
@pytest.mark.parametrize(
    ("name", "lanes"),
    [
        ("64 bits", 1),
        ("double", 2),
        ("all, 4 lanes", 4),
        pytest.param("most, 8 lanes", 8, marks=pytest.mark.regress),
        pytest.param("most, 16 lanes", 16, marks=pytest.mark.regress),
    ],
)
def test_p_tuples_per_cycle(name, lanes):
    design = (POINTS | WIDE)[name]
    assert design.prediction.tuples_per_cycle == lanes
    for kind, count in ((1, 3000), (3000, 3000)):
        stream = [{"g": k % kind if kind > 1 else 0, "x": 5} for k in range(count)]
        run = shipped(design).run([stream])
        assert run.packets == [group_rows(design.query, stream)]
        outcome = run.outcome
        assert outcome.input_stalled == 0
        assert outcome.last_input - outcome.first_input + 1 == -(-count // lanes)
        assert outcome.last_output - outcome.last_input == design.prediction.cycles + SKID_LATENCY


@pytest.mark.in_turn(5)
def test_a_group_longer_than_a_hundred_thousand():
    design = POINTS["all, 4 lanes"]
    low = -(1 << 31)
    stream = [{"g": 7, "x": low}] * 100_003 + [{"g": 7, "x": low + 1}, {"g": 8, "x": 1}]
    run = shipped(design).run([stream], seed=2, stall_input=0.2)
    assert run.packets == [group_rows(design.query, stream)]


SORTED_BY = {
    "uint(8)": [0, 3, 3, 100, 255],
    "int(9)": [-256, -1, -1, 0, 255],
    "float": [0xBF800000, 0x80000000, 0, 0, 0x3F800000],  # -1, -0, 0, 0, 1
    "string(2)": [0, 0x6100, 0x6100, 0x6162, 0xFFFF],
}


@pytest.mark.in_turn
@pytest.mark.parametrize("group", SORTED_BY)
def test_an_unsorted_stream_is_reported(group):
    """A swap of two tuples is reported if their groups differ; each stream is checked by itself."""
    keys = SORTED_BY[group]
    dut = shipped(point(group, "int(6)", "count(*), max(x)"))
    ascending = [{"g": g, "x": x} for g in keys for x in (1, -1, 5)]
    assert dut.run([ascending, ascending[:1], ascending]).errors == set()
    swaps = [(a, b) for a in range(len(ascending)) for b in range(a) if a - b in (1, 3, 4, 14)]
    for a, b in swaps:
        stream = list(ascending)
        stream[a], stream[b] = stream[b], stream[a]
        expected = {"unsorted"} if stream[a]["g"] != stream[b]["g"] else set()
        assert dut.run([ascending, stream, ascending], seed=a, **HALF).errors == expected, (a, b)


@pytest.mark.in_turn(5)
def test_values_that_are_counted_as_distinct_must_be_sorted_too():
    dut = shipped(point("uint(8)", "int(6)", "count(distinct x)", where="WHERE y < 9"))
    stream = [{"g": g, "x": x, "y": 0} for g in (1, 2) for x in (-3, -3, 0, 4)]
    assert dut.run([stream]).errors == set()
    left_out = [*stream[:3], stream[0] | {"y": 9}, *stream[3:]]
    assert dut.run([left_out]).errors == set()
    assert dut.run([[*stream[:3], stream[0], *stream[3:]]]).errors == {"unsorted"}
