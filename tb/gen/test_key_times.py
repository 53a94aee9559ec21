"""Windows of time of each key: the shipped Verilog and PySpark have the same rows."""

import gzip
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
from tb.golden.data_files import shared
from tb.rtl.engine.bench import HALF, shipped
from tb.rtl.engine.key_bench import evicted
from tb.rtl.engine.key_time_bench import random_streams
from tb.rtl.engine.streamzip.time_points import PLAIN

pytestmark = [pytest.mark.spark, pytest.mark.hdl]
TRACE = "google_cluster_task_events.txt.gz"


def golden(stream, query, evictions):
    """PySpark's rows of a stream as tuples of raw integers, and how many tuples are late."""
    window = replace(query.window, size=stream.range, slide=stream.slide)
    parsed = parse(str(replace(query, window=window)))
    columns = {
        c.name: pa.array([t[c.name] for t in stream.events], arrow_type(c.type))
        for c in parsed.columns
    }
    tuples = Tuples(parsed.schema, pa.table(columns))
    thrown = Evictions.from_values(parsed, *zip(*evictions, strict=True)) if evictions else None
    answer = full_answer(parsed, session("local[2]"), tuples, stream.start, thrown)
    return [tuple(row[n] for n in parsed.row_names) for row in answer.rows.to_pylist()], answer.late


def compare(seed, count, tuples):
    """Streams back to back, each with settings, start, disorder and gaps of its own; in stalls."""
    rng = random.Random(seed)
    streams = random_streams(rng, PLAIN, [tuples] * count, keys=12)
    streams = [stream for stream in streams if stream.allowed(PLAIN)]
    run = shipped(PLAIN).run(
        [stream.events for stream in streams],
        [stream.settings(PLAIN) for stream in streams],
        packets={"m_axis": len(streams), "m_axis_evicted": len(streams)},
        memory=Memory(delay=20, reorder=True),
        seed=seed,
        **HALF,
    )
    assert (run.counters["overrun"], run.errors) == (0, set())
    evictions = evicted(PLAIN, run.outcome)
    answers = [golden(*one) for one in zip(streams, [PLAIN.query] * count, evictions, strict=False)]
    assert run.packets == [rows for rows, _ in answers]
    assert run.counters["late"] == sum(late for _, late in answers)
    assert min(sum(map(len, evictions)), sum(map(len, run.packets)), run.counters["late"]) > 20


@pytest.mark.regress
def test_the_same_rows():
    compare(3, 2, 250)


@pytest.mark.regress
def test_forty_streams():
    compare(4, 40, 400)


@pytest.fixture
def trace():
    return shared(TRACE)


@pytest.mark.regress
@pytest.mark.parametrize("levels", ["mlq", "dram-only"])
@pytest.mark.parametrize("memory", ["ideal", "ddr3"])
@pytest.mark.parametrize(
    ("slide", "given"),
    [
        (8, ()),
        (8, ("--start", 100)),
        (1, ("--stall-input", 0.3, "--stall-output", 0.4, "--seed", 7)),
        (64, ()),
    ],
)
def test_every_row_of_a_trace(trace, sluice, tmp_path, slide, given, memory, levels):
    """The query of seed 004, its section 4.5, for each job; times are whole seconds."""
    query = tmp_path / "trace.cql"
    query.write_text(
        "CREATE INPUT STREAM TaskEvents (time uint(32), job uint(32), cpu fixed(8,24));\n"
        "SELECT job, avg(cpu), min(cpu), median(cpu), count(*) FROM TaskEvents "
        f"[PARTITION BY job RANGE 64 SLIDE {slide} WATTR time];\n"
    )
    sizes = ("entries=1024", "window_max=4096", "overlap=128", f"memory={levels}")
    built = [text for size in sizes for text in ("--set", size)]
    arguments = ["--input", trace, "--format", "google-task-events-excerpt", *built, *given]
    code, out, _ = sluice("simulate", query, *arguments, "--memory", memory, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] == output["rows_expected"] > 200
    assert (output["memory"]["m3_read_modify_writes"] > 0) == (levels == "dram-only")
    with gzip.open(trace, "rt") as lines:
        first = int(next(lines).split()[0])
    expected = given[1] if given and given[0] == "--start" else first // slide * slide
    assert int(output["start"]) == expected


#: Of each codec the type of ``cpu``, what is asked of it, and options.
CODECS = {
    "base-delta": ("fixed(8,24)", "avg(cpu), min(cpu), count(*)", ()),
    "xor": ("double", "max(cpu), min(cpu), count(*)", ()),
    "grid": ("double", "max(cpu), min(cpu), count(*)", ()),
    "sz": ("double", "max(cpu), min(cpu), count(*)", ("exponent=-24",)),
}


@pytest.mark.regress
@pytest.mark.parametrize("memory", ["ideal", "ddr3"])
@pytest.mark.parametrize("slide", [1, 8, 64])
@pytest.mark.parametrize("codec", CODECS)
def test_every_row_of_a_trace_with_a_codec(trace, sluice, tmp_path, codec, slide, memory):
    """For a lossy codec golden's rows are those of the reconstructed values."""
    cpu, items, extra_options = CODECS[codec]
    query = tmp_path / "trace.cql"
    query.write_text(
        f"CREATE INPUT STREAM TaskEvents (time uint(32), job uint(32), cpu {cpu});\n"
        f"SELECT job, {items} FROM TaskEvents "
        f"[PARTITION BY job RANGE 64 SLIDE {slide} WATTR time];\n"
    )
    sizes = ("entries=1024", "window_max=4096", "overlap=128", f"codec={codec}", *extra_options)
    built = [text for size in sizes for text in ("--set", size)]
    arguments = ["--input", trace, "--format", "google-task-events-excerpt", *built]
    code, out, _ = sluice("simulate", query, *arguments, "--memory", memory, "--json")
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] == output["rows_expected"] > 200
    assert output["predicted_tuples_per_cycle"] > 0
