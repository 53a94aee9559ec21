"""The shipped Verilog of the group-by engine against its model, at its AXI pins."""

import random

import pytest
from amaranth.hdl import Fragment

from query.parser import parse
from rtl.bus.registers import COUNTERS
from rtl.engine.group_by import GroupByParameters
from tb.harness.compiled import ResetInStream
from tb.harness.random_streams import lengths
from tb.rtl.engine.bench import ALL, HALF, design, point, streams_of
from tb.rtl.engine.model import group_rows

pytestmark = pytest.mark.hdl

POINTS = {
    "all, 1 lane": point("uint(5)", "int(6)", lanes=1),
    "all, 2 lanes": point("int(7)", "uint(9)", lanes=2, scan="kogge-stone"),
    "all, 4 lanes": point("uint(32)", "int(32)", lanes=4),
    "all, 8 lanes": point("string(3)", "fixed(3,8)", lanes=8, scan="brent-kung"),
    "all, 16 lanes": point("uint(3)", "int(5)", lanes=16, scan="kogge-stone", count_width=20),
    "64 bits": point("uint(64)", "int(64)", lanes=2),
    "unsigned 64": point("int(64)", "uint(64)", lanes=4, count_width=17),
    "float": point("uint(4)", "float", "min(x), max(x), count(distinct x)", lanes=4),
    "double": point("double", "double", "min(x), count(*), max(x)", lanes=2),
    "two columns": point("uint(6)", "int(12)", "sum(y), avg(x), max(y), avg(y)", lanes=4),
    "no value": point("uint(6)", "int(12)", "count(*)", lanes=4),
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
    "select, signs": point(
        "uint(8)", "uint(10)", "max(x), min(y), avg(x), sum(y), avg(y)", lanes=8, results="select"
    ),
    "select, one sign": point("uint(8)", "uint(10)", "min(y), avg(x)", lanes=2, results="select"),
    "select, float": point(
        "uint(8)", "float", "max(x), count(*), min(x)", lanes=4, results="select"
    ),
    "select of one": point("uint(8)", "int(8)", "max(x)", lanes=4, results="select"),
}


def some_streams(parameters, seed):
    rng = random.Random(seed)
    counts = lengths(parameters.lanes) * 2 + [rng.randrange(300) for _ in range(4)]
    rng.shuffle(counts)
    return streams_of(parameters, rng, counts)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("stalls", [{}, HALF, {"stall_input": 0.9}, {"stall_output": 0.9}])
def test_rows_of_streams_back_to_back(name, stalls):
    parameters = POINTS[name]
    dut = design(parameters)
    for seed in range(3):
        streams = some_streams(parameters, f"{name} {seed}")
        result, rows = dut.run(streams, seed=seed, **stalls)
        assert rows == [group_rows(parameters.query, stream) for stream in streams]
        if "stall_output" not in stalls:
            assert result.input_stalled == 0


@pytest.mark.parametrize("name", SELECTS)
@pytest.mark.parametrize("stalls", [{}, HALF])
def test_each_stream_has_its_own_function(name, stalls):
    parameters = SELECTS[name]
    dut = design(parameters)
    rng = random.Random(name)
    streams = some_streams(parameters, name)
    functions = [rng.randrange(len(parameters.functions)) for _ in streams]
    address = dut.top.registers["function"].address
    writes = {k: [(address, function)] for k, function in enumerate(functions)}
    _, rows = dut.run(streams, writes=writes, seed=1, **stalls)
    for stream, function, got in zip(streams, functions, rows, strict=True):
        shape = parameters.result_shapes[function]
        mask = (1 << shape.width) - 1
        expected = [(r[0], r[1 + function] & mask) for r in group_rows(parameters.query, stream)]
        assert [(key, result & mask) for key, result in got] == expected


@pytest.mark.parametrize("name", [*POINTS, *SELECTS])
def test_latency_of_the_parts_adds_up(name):
    parameters = (POINTS | SELECTS)[name]
    core = parameters.create()
    Fragment.get(core, None)
    assert core.latency == parameters.latency


def test_counters_tell_what_happened():
    parameters = POINTS["float"]
    dut = design(parameters)
    nan, inf = 0x7FC00001, 0x7F800000
    stream = [{"g": g, "x": x} for g in range(9) for x in (0, 0x80000000, inf, nan, nan, 5)]
    names = [f"{name}_{half}" for name in COUNTERS for half in ("low", "high")] + ["status"]
    reads = [dut.top.registers[name].address for name in names]
    result, rows = dut.run([stream, [], stream], reads=reads, seed=3, **HALF)
    assert rows[0] == rows[2] == group_rows(parameters.query, stream)
    assert rows[1] == []
    values = dict(zip(names, result.reads, strict=True))
    assert values["nan_low"] == 2 * 18
    assert values["tuples_low"] == 2 * 54
    assert values["rows_low"] == 2 * 9
    assert values["streams_low"] == 3
    assert values["filtered_low"] == values["status"] == 0
    assert values["stall_out_low"] == result.output_stalled
    assert values["stall_in_low"] == result.input_stalled


def test_where_in_front():
    parameters = point("uint(6)", "int(8)", ALL, "WHERE x < -3 AND y != 5 OR x > 90", lanes=4)
    dut = design(parameters)
    streams = some_streams(parameters, "where")

    def passes(t):
        return (t["x"] < -3 and t["y"] != 5) or t["x"] > 90

    reads = [dut.top.registers["filtered_low"].address]
    result, rows = dut.run(streams, reads=reads, seed=5, **HALF)
    kept = [[t for t in stream if passes(t)] for stream in streams]
    assert rows == [group_rows(parameters.query, stream) for stream in kept]
    assert result.reads == (sum(map(len, streams)) - sum(map(len, kept)),)


@pytest.mark.parametrize("name", ["all, 4 lanes", "all, 2 lanes", "float"])
def test_reset_in_the_middle_of_a_stream(name):
    parameters = POINTS[name]
    dut = design(parameters)
    for seed in range(8):
        rng = random.Random(seed)
        streams = streams_of(parameters, rng, [40, 0, 90, 33, 7])
        beats = dut.beats(streams)
        restart = int(rng.choice(list(beats.starts)[1:]))
        reset = ResetInStream(cycle=rng.randrange(12, len(beats)), beat=restart)
        result = dut.model.run(beats, reset=reset, seed=seed, **HALF).checked()
        rows = dut.rows(result.beats[result.beats_before_reset :])
        first = list(beats.starts).index(restart)
        assert rows == [group_rows(parameters.query, stream) for stream in streams[first:]]


def test_a_beat_that_breaks_the_rules_is_reported():
    parameters = POINTS["all, 4 lanes"]
    dut = design(parameters)
    status = dut.top.registers["status"].address
    for lanes, last, bad in (
        ([1, 1, 1, 1], False, 0),
        ([1, 1, 0, 0], True, 0),
        ([0, 0, 0, 0], True, 0),
        ([1, 1, 1, 0], False, 2),
        ([1, 0, 1, 1], True, 2),
        ([0, 1, 0, 0], True, 2),
    ):
        beats = dut.beats([[{"g": k, "x": k} for k in range(12)]])
        size = dut.top.input_packing.bytes
        beat = 2 if last else 1
        for lane, kept in enumerate(lanes):
            beats.keep[beat, lane * size : (lane + 1) * size] = kept
        result = dut.model.run(beats, reads=[status])
        assert result.reads == (bad,)


def test_reads_and_writes_disturb_nothing():
    parameters = SELECTS["select, 4 lanes"]
    dut = design(parameters)
    streams = some_streams(parameters, "reads")
    registers = dut.top.registers
    writes = {
        k: [(registers["function"].address, 200), (registers["magic"].address, 1), (0xFC, 7)]
        for k in range(len(streams))
    }
    reads = [registers[n].address for n in ("magic", "status", "function", "configuration")]
    result, rows = dut.run(
        streams,
        writes=writes,
        reads=reads,
        background_rate=0.3,
        background_reads=[4 * k for k in range(64)],
        seed=9,
        **HALF,
    )
    assert result.background_reads > 20
    assert result.reads == (0x534C4345, 1, 0, parameters.configuration_hash)
    shape = parameters.result_shapes[0]
    assert [[(k, r & ((1 << shape.width) - 1)) for k, r in stream] for stream in rows] == [
        [(row[0], row[1] & ((1 << shape.width) - 1)) for row in group_rows(parameters.query, s)]
        for s in streams
    ]


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_p_tuples_per_cycle(lanes):
    parameters = point("uint(12)", "int(9)", lanes=lanes)
    dut = design(parameters)
    for kind, count in ((1, 3000), (3000, 3000)):
        stream = [{"g": k % kind if kind > 1 else 0, "x": 5} for k in range(count)]
        result, rows = dut.run([stream])
        assert rows == [group_rows(parameters.query, stream)]
        assert result.input_stalled == 0
        assert result.last_input - result.first_input + 1 == -(-count // lanes)
        assert result.last_output - result.last_input == parameters.latency + 2


def test_a_group_longer_than_a_hundred_thousand():
    parameters = POINTS["all, 4 lanes"]
    dut = design(parameters)
    low = -(1 << 31)
    stream = [{"g": 7, "x": low}] * 100_003 + [{"g": 7, "x": low + 1}, {"g": 8, "x": 1}]
    _, rows = dut.run([stream], seed=2, stall_input=0.2)
    assert rows == [group_rows(parameters.query, stream)]


def test_wrong_parameters_are_refused():
    query = POINTS["all, 4 lanes"].query
    for settings, error, text in (
        ({"lanes": 3}, ValueError, "lanes must be a power of two from 1 to 64, not 3"),
        ({"lanes": 128}, ValueError, "lanes must be from 1 to 64, not 128"),
        ({"lanes": "4"}, TypeError, "lanes must be an integer, not '4'"),
        ({"results": "one"}, ValueError, "results must be one of all, select, not 'one'"),
        (
            {"scan": "x"},
            ValueError,
            "scan must be one of brent-kung, kogge-stone, sklansky, not 'x'",
        ),
        ({"count_width": 0}, ValueError, "count_width must be from 1 to 48, not 0"),
    ):
        with pytest.raises(error) as caught:
            GroupByParameters(query=query, **settings)
        assert str(caught.value) == text


@pytest.mark.parametrize(
    ("select", "reason"),
    [
        ("median(x)", r"median\(x\) selects by rank"),
        ("sum(f)", r"sum\(f\) adds floating-point numbers"),
        ("count(distinct x), count(distinct f)", "it counts distinct values of 2 columns"),
    ],
)
def test_queries_it_cannot_run(select, reason):
    query = parse(
        f"CREATE INPUT STREAM S (g int, x int, f float); SELECT {select} FROM S GROUP BY g"
    )
    with pytest.raises(ValueError, match=reason):
        GroupByParameters(query=query)
