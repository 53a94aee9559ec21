"""Tests `sluice generate --unit`: one block as Verilog, with its manifest."""

import json
import re


def test_a_block_and_its_manifest(sluice, tmp_path):
    directory = tmp_path / "merger"
    arguments = ["generate", "--unit", "flims", "--set", "lanes=2", "-o", directory]
    code, out, _ = sluice(*arguments, "--json")
    assert code == 0
    manifest = json.loads((directory / "manifest.json").read_text())
    assert json.loads(out) == {"directory": str(directory)} | {
        key: value for key, value in manifest.items() if key != "sha256"
    }
    assert manifest["parameters"] == {"lanes": 2, "width": 64, "cardinality": 0}
    assert sorted(path.name for path in directory.iterdir()) == ["flims.v", "manifest.json"]
    verilog = (directory / "flims.v").read_text()
    ports = re.search(r"module flims\(([^)]*)\);", verilog)[1].split(", ")
    assert ports == [*(port["name"] for port in manifest["ports"]), "clk", "rst"]
    value = next(p for p in manifest["ports"] if p["name"] == "b_payload_lane1_value")
    assert value == {
        "name": "b_payload_lane1_value",
        "direction": "input",
        "width": 32,
        "signed": True,
        "stream": "b",
        "field": "lane1_value",
    }
    assert re.search(r"input signed \[31:0\] b_payload_lane1_value;", verilog)


def test_the_second_run_replaces_the_files(sluice, tmp_path):
    for lanes in (4, 2):
        arguments = ["--unit", "compactor", "--set", f"lanes={lanes}", "-o", tmp_path / "block"]
        assert sluice("generate", *arguments)[0] == 0
        verilog = (tmp_path / "block" / "compactor.v").read_text()
        assert ("lane2" in verilog) == (lanes == 4)


def test_the_list_of_units(sluice):
    code, out, _ = sluice("engines", "--units", "--json")
    assert code == 0
    units = {unit["name"]: unit["parameters"] for unit in json.loads(out)["units"]}
    assert units["flims"] == {"lanes": 4, "width": 64, "cardinality": 0}
