"""Windows of the last tuples of each key: the shipped Verilog and PySpark have the same rows."""

import json
import random
from dataclasses import replace

import pyarrow as pa
import pytest

from golden.answer import full_answer
from golden.plans.lives import Evictions
from golden.spark.session import session
from golden.tuples import Tuples, arrow_type
from query.parser import parse
from sim.memory import Memory
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import Stream, draw_alike, evicted, raw
from tb.rtl.engine.streamzip.row_points import FLOAT_SUMS as FLOATS
from tb.rtl.engine.streamzip.row_points import PLAIN

pytestmark = [pytest.mark.spark, pytest.mark.hdl]


def golden(stream, evictions, design=PLAIN):
    """PySpark's rows of a stream as tuples of raw integers."""
    window = replace(design.query.window, size=stream.size, slide=stream.slide)
    parsed = parse(str(replace(design.query, window=window)))
    columns = {
        c.name: pa.array([in_arrow(t[c.name], c.type) for t in stream.events], arrow_type(c.type))
        for c in parsed.columns
    }
    thrown = Evictions.from_values(parsed, *zip(*evictions, strict=True)) if evictions else None
    tuples = Tuples(parsed.schema, pa.table(columns))
    answer = full_answer(parsed, session("local[2]"), tuples, None, thrown)
    columns = [answer.rows[name].combine_chunks() for name in parsed.row_names]
    floats = [pa.types.is_float32(column.type) for column in columns]
    raws = [c.view(pa.uint32()) if f else c for c, f in zip(columns, floats, strict=True)]
    return list(zip(*(column.to_pylist() for column in raws), strict=True))


def in_arrow(value, type_):
    """Returns a raw value as Arrow's value."""
    return type_.value(value) if type_.floating else value


def stream_of(rng, size, slide, count, keys, query=PLAIN.query, **fixed):
    """Tuples of any values, the ends of their types among them."""
    types = {c.name: c.type for c in query.columns}
    events = [
        {name: raw(rng, type_) for name, type_ in types.items()} | {"k": rng.choice(keys)} | fixed
        for _ in range(count)
    ]
    return Stream(size=size, slide=slide, events=events)


@pytest.mark.in_turn
def test_the_same_rows():
    """Forty keys on eight entries; one key and two, at the ends of their type; hardly any tuple."""
    rng = random.Random(12)
    streams = [
        stream_of(rng, 2, 1, 400, [*range(40), *[1, 2] * 15]),
        stream_of(rng, 32, 5, 300, [0]),
        stream_of(rng, 1, 1, 0, [0]),
        stream_of(rng, 1, 1, 1, [63], y=0),
        stream_of(rng, 2, 2, 60, [0, 63]),
        stream_of(rng, 2, 1, 50, range(9), y=15),  # WHERE lets none pass
        stream_of(rng, 1, 1, 40, [0, 63], x=-(1 << 31)),
    ]
    run = shipped(PLAIN).run(
        [stream.events for stream in streams],
        [stream.settings(PLAIN) for stream in streams],
        packets={"m_axis": len(streams), "m_axis_evicted": len(streams)},
        memory=Memory(delay=20, stall=0.2, reorder=True),
        seed=12,
        **HALF,
    )
    evictions = evicted(PLAIN, run.outcome)
    assert run.packets == [golden(*both) for both in zip(streams, evictions, strict=True)]
    assert run.errors == set()
    assert run.counters["collision"] == sum(map(len, evictions)) == len(evictions[0]) > 100
    assert [len(rows) for rows in run.packets[2:4]] == [0, 1]
    assert min(len(run.packets[k]) for k in (0, 1, 4, 6)) > 10
    assert run.packets[5] == []


@pytest.mark.regress
def test_the_same_sums_of_floats():
    """The order is the same, with -0 and infinities of both signs, also of evicted keys."""
    rng, design = random.Random(13), FLOATS
    infinities = [int(design.query.schema["x"].type.parse(text)) for text in ("inf", "-inf")]
    streams = [
        stream_of(rng, 7, 1, 400, [*range(20), *[1, 2] * 20], design.query),
        stream_of(rng, 3, 1, 80, [1], design.query),
    ]
    draw_alike(rng, streams[0].events, design.query)
    for n, event in enumerate(streams[1].events):
        event["x"] = 1 << 31 if n < 20 else rng.choice([*infinities, event["x"]])
    run = shipped(design).run(
        [stream.events for stream in streams],
        [stream.settings(design) for stream in streams],
        packets={"m_axis": len(streams), "m_axis_evicted": len(streams)},
    )
    evictions = evicted(design, run.outcome)
    pairs = zip(streams, evictions, strict=True)
    assert run.packets == [golden(stream, gone, design) for stream, gone in pairs]
    assert {1 << 31, 0x7FC00000} < {row[2] for row in run.packets[1]}
    assert min(map(len, run.packets)) > 60


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
@pytest.mark.parametrize(
    "window", ["ROWS 100 SLIDE 7", "ROWS 3 SLIDE 1", "RANGE 50 SLIDE 9 WATTR t"]
)
def test_sums_of_doubles_on_the_command_line(sluice, tmp_path, window, memory):
    rng, (query, data) = random.Random(window), (tmp_path / n for n in ("q.cql", "d.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (k uint(8), x double, f float, t uint(32));\n"
        f"SELECT k, sum(x), max(x), avg(f), avg(x) FROM S [PARTITION BY k {window}];\n"
    )
    rows = [
        f"{rng.randrange(9)},{rng.uniform(-1, 9)!r},{rng.gauss(0, 1):.9g},{time + rng.randrange(9)}"
        for time in range(550)
        for _ in range(9)
    ]
    data.write_text("\n".join(["k,x,f,t", *rows, ""]))
    options = ("--set", "entries=64", "--set", f"memory={memory}", "--memory", "restless")
    code, out, _ = sluice("simulate", query, "--input", data, "--json", *options)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] > 500


#: The seed's table, with more keys than it has entries.
FULL = {"entries": 16384, "window_max": 16}


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
@pytest.mark.parametrize("back_end", ["restless", "ddr3"])
def test_twenty_thousand_keys_on_the_seeds_table(
    sluice, tmp_path, memory, back_end, record_property
):
    """Every eviction is reported, and golden computes the same rows for these evictions."""
    rng = random.Random(1)
    query, data, evicted_file = (tmp_path / name for name in ("q.cql", "d.csv", "g.csv"))
    query.write_text(
        "CREATE INPUT STREAM S (k uint(32), x int(64));\n"
        "SELECT k, min(x), max(x), sum(x), count(*) FROM S [PARTITION BY k ROWS 4 SLIDE 2];\n"
    )
    keys, ends = rng.sample(range(1 << 32), 20_000), (-(1 << 63), (1 << 63) - 1)
    rows = [
        f"{rng.choice(keys)},{rng.choice((*ends, rng.randrange(*ends)))}" for _ in range(200_000)
    ]
    data.write_text("\n".join(["k,x", *rows, ""]))
    built = FULL | {"memory": memory}
    options = [t for name, value in built.items() for t in ("--set", f"{name}={value}")]
    arguments = ("--memory", back_end, "--evicted", evicted_file, "--seed", 5, "--json", *options)
    code, out, _ = sluice("simulate", query, "--input", data, "--allow-evictions", *arguments)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] == output["rows_expected"] > 20_000
    evicted_count = len(evicted_file.read_text().splitlines()) - 1
    assert output["dropped"]["collision"] == evicted_count > 20_000
    for name in ("rows", "cycles", "dropped"):
        record_property(name, str(output[name]))
    assert len({row.split(",")[0] for row in rows}) > 16_384
