"""`sluice report` shows figures rightly; the figures are made up, and no synthesis runs."""

import json

import pytest

from gen import cli
from gen.commands import report
from gen.jobs import resources
from gen.report.synthesis import Report

QUERY = "CREATE INPUT STREAM S (g uint(4), x int(8)); SELECT g, sum(x) FROM S GROUP BY g;"
FIGURES = {"lut": 120, "ff": 90, "lutram": 0, "bram36": 1, "uram": 0, "dsp": 2, "depth": 3}
FIGURES |= {"depth_io": 4, "logic_ps": 2500, "note": "an estimate", "tool": "a tool"}


@pytest.fixture
def syntheses(monkeypatch, tmp_path):
    """Yields a list that collects the designs and options of each synthesis.

    All designs that stand in one report must have the same buses.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.cql").write_text(QUERY)
    result, faces = [], []

    def figures(out, design, target, wrapper, cache, by_block=False):
        result.append((design.engine, target, wrapper, by_block))
        faces.append(design.face)
        path = ("count", "LUT4", "LUT4", "LUT4", "sum")
        return Report(target=target, cells={"LUT4": 3}, critical_path=path, **FIGURES)

    for module in (report, resources):
        monkeypatch.setattr(module, "engine_report", figures)
    yield result
    assert len(set(faces)) == 1


def run(*arguments):
    # cli.main would leave this process without handlers of signals, as the command has ended.
    assert cli.run(["report", "q.cql", *arguments]) == 0


@pytest.mark.parametrize("options", [(), ("--wrapper",), ("--by-block",)])
def test_json_has_the_options_and_the_figures(syntheses, capsys, options):
    run("--target", "xc6v", "--json", *options)
    output = json.loads(capsys.readouterr().out)
    flags = {"wrapper": "--wrapper" in options, "by_block": "--by-block" in options}
    assert {name: output.get(name) for name in flags} == flags
    assert syntheses == [("group-by", "xc6v", flags["wrapper"], flags["by_block"])]
    assert output["engine"] == "group-by"
    assert {name: output[name] for name in FIGURES} == FIGURES
    assert output["critical_path"] == ["count", "LUT4", "LUT4", "LUT4", "sum"]


@pytest.mark.parametrize(("results", "designs"), [("all", 1), ("select", 2)])
def test_a_selected_result_is_reported_beside_all_of_them(
    syntheses, tmp_path, capsys, results, designs
):
    query = QUERY.replace("sum(x)", "sum(x), min(x)").replace(" GROUP", " [ROWS 8 SLIDE 8] GROUP")
    (tmp_path / "q.cql").write_text(query)
    settings = ("--set", f"results={results}", "--set", "capacity=16", "--set", "bus_bits=128")
    run("--target", "xc6v", "--wrapper", "--by-block", "--json", *settings)
    output = json.loads(capsys.readouterr().out)
    assert output["parameters"]["results"] == results
    assert syntheses == [("swag", "xc6v", True, True)] * designs
    all_results = output.get("beside")
    assert (all_results and all_results["parameters"]["results"]) == (
        "all" if designs == 2 else None
    )


def test_rows_with_all_results_that_fit_no_datagram(syntheses, tmp_path, capsys):
    """Rows of 184 bytes fit a datagram in whole words of 8 bytes, rows of 185 bytes do not."""
    query = "CREATE INPUT STREAM S (s string(176), x uint(64), y uint(8)); "
    query += "SELECT s, min(x), max(y) FROM S GROUP BY s;"
    (tmp_path / "q.cql").write_text(query)
    run("--lanes", "1", "--set", "results=select", "--set", "network=true")
    assert "there is no design with results=all beside it: " in capsys.readouterr().out
    assert len(syntheses) == 1


def test_text_counts_equal_cells_of_the_path_in_a_row(syntheses, capsys):
    run()
    printed = capsys.readouterr().out
    assert "longest path: count > 3 LUT4 > sum\n" in printed
    assert "an estimate" in printed
    assert "a tool" in printed
    row = next(line for line in printed.splitlines() if "120" in line)
    numbers = [int(word) for word in row.replace(",", "").split() if word.isdigit()]
    assert numbers == [120, 0, 90, 1, 0, 2, 3, 2500]


def test_keys_in_a_gib(syntheses, tmp_path, capsys):
    """Windows of 4,096 values at a ratio of 5 take rings of 112 blocks of 64 bytes."""
    schema = "CREATE INPUT STREAM S (k uint(8), x int(64));"
    query = f"{schema} SELECT k, min(x) FROM S [PARTITION BY k ROWS 4096 SLIDE 1];"
    (tmp_path / "q.cql").write_text(query)
    options = ("--set", "codec=base-delta", "--set", "expected_ratio=5", "--set", "entries=64")
    run(*options)
    printed = capsys.readouterr().out
    line = "memory of a key: 7,168 bytes; 1 GiB holds 149,796 keys (entries=131072)\n"
    assert line in printed
    run("--json", *options)
    assert json.loads(capsys.readouterr().out)["key_memory"]["bytes"] == 64 * 7168
