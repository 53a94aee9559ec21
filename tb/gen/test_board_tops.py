"""Simulates the Verilog that ships for a board: each engine's top with the board's bus width,
packets and ports, on traces of a cluster (the project's and Google's), with stalls.
"""

import json

import pytest

from boards import BOARDS
from tb.golden.data_files import shared

pytestmark = [pytest.mark.regress, pytest.mark.hdl, pytest.mark.spark]

SCHEMA = """CREATE INPUT STREAM TaskEvents (
  time uint(64), job uint(32), event uint(8), priority uint(8), cpu fixed(8,24));
"""
#: Tuples of 4 to 12 bytes, rows of 13 and more: most divide no bus.
QUERIES = {
    "group-by": (
        "SELECT job, min(cpu), max(cpu), sum(cpu), count(*) {} GROUP BY job;",
        "",
        {"lanes": 4},
    ),
    "swag": (
        "SELECT job, min(cpu), max(cpu), count(*) {} GROUP BY job;",
        "[ROWS 64 SLIDE 16]",
        {"lanes": 2, "capacity": 64},
    ),
    "two-stacks": ("SELECT count(*), min(cpu), sum(cpu) {};", "[ROWS 64 SLIDE 1]", {}),
    "window-id": ("SELECT count(*), sum(cpu) {};", "[RANGE 400 SLIDE 100 WATTR time]", {}),
    "pane": ("SELECT count(*), min(cpu) {};", "[RANGE 400 SLIDE 100 WATTR time]", {}),
    "streamzip": ("SELECT job, sum(cpu), count(*) {};", "[PARTITION BY job ROWS 4 SLIDE 1]", {}),
}


def traces(examples):
    """Returns the files, and the options that describe their format."""
    return {
        "made": (examples / "cluster_trace.csv.gz", ()),
        "Google's": (
            shared("google_cluster_task_events.txt.gz"),
            ("--format", "google-task-events-excerpt"),
        ),
    }


@pytest.mark.parametrize("trace", ["made", "Google's"])
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("engine", QUERIES)
def test_rows_are_golden(engine, board, trace, sluice, examples, tmp_path):
    data, form = traces(examples)[trace]
    select, window, options = QUERIES[engine]
    query = tmp_path / f"{engine.replace('-', '_')}.cql"
    query.write_text(SCHEMA + select.format(f"FROM TaskEvents {window}") + "\n")
    arguments = [part for name, value in options.items() for part in ("--set", f"{name}={value}")]
    more_arguments = ["--engine", engine, "--board", board, "--input", data, *form]
    stalls = ["--stall-input", 0.3, "--stall-output", 0.3, "--seed", 8]
    code, out, err = sluice("simulate", query, *more_arguments, *arguments, *stalls, "--json")
    assert code == 0, out + err
    output = json.loads(out)
    assert (output["mismatches"], output["problems"]) == (0, [])
    assert output["rows"] == output["rows_expected"] > 5
