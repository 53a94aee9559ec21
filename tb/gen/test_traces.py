"""`sluice simulate` of sliding windows on real traces, under stalls on both sides."""

import json

import pytest

from tb.golden.data_files import shared

pytestmark = [pytest.mark.spark, pytest.mark.hdl]

GOOGLE = (
    "google_cluster_task_events.txt.gz",
    "google-task-events-excerpt",
    "TaskEvents (job uint(32), priority uint(8), cpu fixed(8,24))",
    "cpu",
)
DEBS = (
    "debs2012_manufacturing.txt.gz",
    "debs2012",
    "Readings (index uint(32), mf01 uint(16), s34 uint(1))",
    "mf01",
)
SMALL = {"capacity": 32, "window_max": 1024}
LARGE = pytest.mark.regress
RUNS = [
    (GOOGLE, "job", "ROWS 500 SLIDE 100", SMALL),
    pytest.param(GOOGLE, "job", "ROWS 1024 SLIDE 64", {}, marks=LARGE),
    pytest.param(GOOGLE, "priority", "ROWS 100 SLIDE 20", {}, marks=LARGE),
    pytest.param(GOOGLE, "priority", "ROWS 4096 SLIDE 4096", {"passes": "pipelined"}, marks=LARGE),
    pytest.param(DEBS, "s34", "ROWS 2000 SLIDE 500", {}, marks=LARGE),
]


@pytest.mark.parametrize(("trace", "group", "window", "settings"), RUNS)
def test_every_row_of_a_trace(sluice, tmp_path, trace, group, window, settings):
    file, name, schema, value = trace
    path = shared(file)
    query = tmp_path / "trace.cql"
    functions = ("min", "median", "max", "sum", "avg")
    columns = ", ".join(f"{function}({value})" for function in functions)
    query.write_text(
        f"CREATE INPUT STREAM {schema};\n"
        f"SELECT {group}, {columns}, percentile({value}, 0.9) AS most, count(distinct {value}), "
        f"count(*)\nFROM {schema.split()[0]} [{window}] GROUP BY {group};\n"
    )
    options = [text for key, value in settings.items() for text in ("--set", f"{key}={value}")]
    stalls = ["--stall-input", 0.2, "--stall-output", 0.3, "--seed", 7]
    arguments = ["--input", path, "--format", name, *options, *stalls, "--json"]
    code, out, _ = sluice("simulate", query, *arguments)
    output = json.loads(out)
    assert (code, output["mismatches"], output["problems"]) == (0, 0, [])
    assert output["rows"] == output["rows_expected"] > 0
    assert output["stream_rule_violations"] == 0
