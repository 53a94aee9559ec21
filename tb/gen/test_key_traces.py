"""`sluice simulate` of windows of each key on a real trace, on both memories, under stalls."""

import gzip
import json

import pytest

from tb.golden.data_files import shared

pytestmark = [pytest.mark.spark, pytest.mark.hdl, pytest.mark.regress]

SCHEMA = "CREATE INPUT STREAM TaskEvents (job uint(32), priority uint(8), cpu fixed(8,24));"
ITEMS = "min(cpu), max(cpu), sum(cpu), avg(cpu), count(*)"
#: One design for all windows; 16,384 entries would take a minute more to make.
DESIGN = {"entries": 1024, "window_max": 4096, "line_values": 8}
TIMES = 4  # so often the trace is repeated, for more than 50,000 tuples


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """The tuples of the trace, once and repeated end to end."""
    path = shared("google_cluster_task_events.txt.gz")
    lines = gzip.decompress(path.read_bytes())
    long = tmp_path_factory.mktemp("trace") / "long.txt"
    long.write_bytes(lines * TIMES)
    return {"once": path, "long": long}


def check(sluice, tmp_path, data, ws, wa, *arguments, **settings):
    query = tmp_path / "keys.cql"
    text = f"SELECT job, {ITEMS} FROM TaskEvents [PARTITION BY job ROWS {ws} SLIDE {wa}];"
    query.write_text(f"{SCHEMA}\n{text}\n")
    given = [t for name, value in (DESIGN | settings).items() for t in ("--set", f"{name}={value}")]
    source = ["--input", data, "--format", "google-task-events-excerpt"]
    code, out, _ = sluice("simulate", query, *source, *given, *arguments, "--json")
    found = json.loads(out)
    assert (code, found["mismatches"], found["problems"]) == (0, 0, [])
    assert found["stream_rule_violations"] == 0
    assert found["rows"] == found["rows_expected"] > 0
    return found


STALLS = ("--stall-input", 0.2, "--stall-output", 0.3, "--seed", 7)


def test_every_row_of_the_trace(sluice, tmp_path, trace):
    found = check(sluice, tmp_path, trace["once"], 64, 8, *STALLS)
    assert found["memory"]["m3_read_modify_writes"] == 0


WINDOWS = [(ws, wa) for ws in (64, 256, 1024, 4096) for wa in (1, 8, 64, ws)]


@pytest.mark.parametrize("stalls", [(), STALLS], ids=["free", "stalled"])
@pytest.mark.parametrize("back_end", ["ideal", "ddr3"])
@pytest.mark.parametrize("memory", ["mlq", "dram-only"])
@pytest.mark.parametrize(("ws", "wa"), WINDOWS)
def test_every_row_of_the_repeated_trace(sluice, tmp_path, trace, ws, wa, memory, back_end, stalls):
    arguments = ("--memory", back_end, *stalls)
    found = check(sluice, tmp_path, trace["long"], ws, wa, *arguments, memory=memory)
    assert found["tuples"] >= 50_000
    changed = found["memory"]["m3_read_modify_writes"]
    assert (changed > 0) == (memory == "dram-only")
