"""`sluice simulate` of sliding windows on real traces, under stalls on both sides."""

import json

import pytest

from tb.golden.data_files import shared, unpacked

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
    pytest.param(GOOGLE, "job", "ROWS 500 SLIDE 100", SMALL, marks=LARGE),
    pytest.param(GOOGLE, "job", "ROWS 1024 SLIDE 64", {}, marks=LARGE),
    pytest.param(GOOGLE, "priority", "ROWS 100 SLIDE 20", {}, marks=LARGE),
    pytest.param(GOOGLE, "priority", "ROWS 4096 SLIDE 4096", {"passes": "pipelined"}, marks=LARGE),
    pytest.param(DEBS, "s34", "ROWS 2000 SLIDE 500", {}, marks=LARGE),
]
FUNCTIONS = ("min", "median", "max", "sum", "avg")
#: Lines of the trace that `make test` reads.
START = 3_000


@pytest.mark.parametrize(("trace", "group", "window", "settings"), RUNS)
def test_every_row_of_a_trace(sluice, tmp_path, trace, group, window, settings):
    check(sluice, tmp_path, shared(trace[0]), trace, group, window, settings)


@pytest.mark.in_turn
def test_every_row_of_the_start_of_a_trace(sluice, tmp_path):
    """The first lines of a trace: windows of 500 tuples every 100 tuples have 26 ends.

    Without averages, because a divider takes most of the time of building a model.
    """
    path = tmp_path / "start.txt"
    path.write_text("".join(f"{line}\n" for line in unpacked(shared(GOOGLE[0]))[:START]))
    window, functions = "ROWS 500 SLIDE 100", ("min", "median", "max", "sum")
    assert check(sluice, tmp_path, path, GOOGLE, "job", window, SMALL, functions) > 100


def check(sluice, tmp_path, path, trace, group, window, settings, functions=FUNCTIONS):
    """Simulates aggregates of a trace; returns the number of rows."""
    _, name, schema, value = trace
    query = tmp_path / "trace.cql"
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
    return output["rows"]
