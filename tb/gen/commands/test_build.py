"""Checks the files and the errors of `sluice build`, with invented results of the placer."""

import json
import re

import pytest

from gen import cli
from gen.bitstream import search
from gen.bitstream.flow import Placed
from gen.commands import build as command
from tb.gen.bitstream.reports import netlist, report

QUERY = "examples/cluster_groupby.toml"


@pytest.fixture
def sluice_build(monkeypatch, capfd, cache, saved_design_files, tmp_path):
    """Returns a function from clocks and arguments to exit code, output, errors and directory."""

    def run(clocks, *arguments):
        placed = Placed(config="config", report=report(*clocks), log="the log")
        monkeypatch.setattr(search, "design_files", saved_design_files)
        monkeypatch.setattr(search, "synthesise", lambda project, cache: netlist(LUT4=1))
        monkeypatch.setattr(search, "place", lambda *arguments: placed)
        monkeypatch.setattr(search, "with_pll", lambda config, old, new: config)
        monkeypatch.setattr(command, "pack", lambda *a: {"top.bit": b"\xff\0", "top.svf": b"svf"})
        directory = tmp_path / "build"
        code = cli.run(["build", *arguments, "-o", str(directory), "--cache", str(cache)])
        return code, *capfd.readouterr(), directory

    return run


def test_a_bitstream_and_its_figures(sluice_build):
    arguments = (QUERY, "--board", "versa-ecp5", "--set", "address=10.1.2.3", "--json")
    code, out, _, directory = sluice_build((101, 130), *arguments)
    values = json.loads(out)
    assert code == 0
    assert (directory / "top.bit").read_bytes() == b"\xff\0"
    assert (directory / "top.svf").read_bytes() == b"svf"
    assert (directory / "project" / "top.nextpnr.log").read_text() == "the log"
    assert "FREQUENCY NET" in (directory / "project" / "top.lpf").read_text()
    assert values["bitstream"] == str(directory / "top.bit")
    assert values["tuples_per_second"] == 100_000_000
    assert values["link_tuples_per_second"] == 125_000_000 // 8
    assert [(c["name"], c["asked_mhz"], c["met"]) for c in values["clocks"]] == [
        ("engine", 100, True), ("Ethernet receiver", 125, True),
    ]  # fmt: skip
    assert {use["kind"]: use["percent"] for use in values["utilisation"]}["LUT"] == 38.9
    assert values["link"]["address"] == "10.1.2.3"
    figures = json.loads((directory / "build.json").read_text())
    assert figures == {k: v for k, v in values.items() if k not in ("directory", "bitstream")}
    listed = json.loads((directory / "manifest.json").read_text())["files"]
    assert {"top.bit", "top.svf", "build.json", "project/top.nextpnr.log"} <= set(listed)
    assert "100 MHz" in (directory / "README.md").read_text()


@pytest.mark.in_turn(5)
def test_a_slow_design_leaves_no_bitstream_of_an_earlier_run(sluice_build):
    arguments = (QUERY, "--board", "versa-ecp5")
    assert sluice_build((80, 130), *arguments)[0] == 0
    code, out, err, directory = sluice_build((80, 120), *arguments)
    assert code == 1
    assert err.splitlines()[-1] == (
        "sluice: the design is too slow for versa-ecp5: Ethernet receiver clock 120 of 125 MHz; no "
        "bitstream was written; choose fewer lanes or a smaller engine"
    )
    assert not (directory / "top.bit").exists()
    assert not (directory / "top.svf").exists()
    assert (directory / "project" / "top.nextpnr.log").exists()
    assert re.search(r"^engine +75 +80 +yes *$", out, re.MULTILINE)
    assert re.search(r"^Ethernet receiver +125 +120 +NO *$", out, re.MULTILINE)
    assert (
        "engine clock: 75 MHz, so the engine takes up to 75,000,000 tuples per second; Ethernet "
        "carries at most 15,625,000 of them"
    ) in out
    code, _, err, _ = sluice_build((70, 130), *arguments, "--clock", "75")
    assert code == 1
    assert "engine clock 70 of 75 MHz; no bitstream was written; choose a lower --clock" in err


@pytest.mark.parametrize(
    ("query", "arguments", "message"),
    [
        (QUERY, (), "build needs a board: --board versa-ecp5 or ecpix5-85 or ulx3s-85"),
        (QUERY, ("--board", "de5-net"), "board de5-net needs its vendor's tool: `sluice generate"),
        (QUERY, ("--board", "arty-a7"), "board arty-a7 needs its vendor's tool: `sluice generate"),
        (QUERY, ("--board", "generic"), "board generic is no particular board"),
        (QUERY, ("--clock", "75"), "build needs a board: --board versa-ecp5 or"),
        (QUERY, ("--board", "ultra96-v2", "--clock", "75"), "board ultra96-v2 needs its vendor's"),
        (
            QUERY,
            ("--board", "versa-ecp5", "--set", "bus_bits=64", "--set", "host_link=true"),
            "host_link=true needs the network of versa-ecp5: bus_bits must not be given with",
        ),
        (
            QUERY,
            ("--board", "versa-ecp5", "--set", "network=false"),
            "board versa-ecp5 needs network=true: its link carries frames",
        ),
        (
            "examples/rows_per_key.toml",
            ("--board", "ecpix5-85"),
            "board ecpix5-85 has nothing to connect to m_axi_0, m_axi_1, m_axi_2, m_axi_3 of "
            "engine streamzip: its memory is not supported yet; take m3_kind=block for windows "
            "in block RAM",
        ),
        (
            "examples/trades_windowid.toml",
            ("--board", "versa-ecp5", "--set", "punctuations=stream", "--set", "host_link=false"),
            "the design cannot have the network face of board versa-ecp5: host_link must be true",
        ),
        (QUERY, ("--board", "versa-ecp5", "--clock", "74.2"), "take 74.0741 or 74.2857"),
        (
            QUERY,
            ("--board", "versa-ecp5", "--clock", "75", "--set", "clock_mhz=50"),
            "clock_mhz is set to both",
        ),
        (QUERY, ("--board", "versa-ecp5", "--start", "5"), "the query has no RANGE"),
    ],
)
def test_refusals_in_one_line(sluice_build, query, arguments, message):
    code, out, err, directory = sluice_build((100, 130), query, *arguments)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert line.startswith("sluice: ")
    assert message in line
    assert not directory.exists()
