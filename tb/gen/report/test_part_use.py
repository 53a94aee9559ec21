"""Checks how a report compares its figures with the part and the clock of a board."""

import json
from dataclasses import dataclass

import pytest

from gen import cli
from gen.design.build import resolve
from gen.jobs import resources as command
from gen.prediction.board_rate import tuples_per_second
from gen.report.part_use import (
    clock_warnings,
    part_figures,
    part_lines,
    uses_of_part,
)
from gen.report.synthesis import Report

QUERY = "examples/cluster_groupby.toml"


@dataclass
class Figures:
    target: str = "ecp5"
    lut: int = 20_000
    lutram: int = 1_924
    ff: int = 10_962
    dsp: int = 18
    alm: list | None = None
    fmax_mhz: float | None = 80.0
    logic_ps: int | None = None
    block_ram_bits: int = 27 * 18 * 1024


def test_use_in_per_cent():
    """A block RAM of an ECP5 has half of the 36 Kbit in which reports count."""
    build = resolve(QUERY, board="versa-ecp5")
    uses = {
        use.kind: (use.used, use.available, use.percent) for use in uses_of_part(build, Figures())
    }
    assert uses == {
        "LUT": (21_924, 43_848, 50), "FF": (10_962, 43_848, 25), "BRAM": (27, 108, 25),
        "DSP": (18, 72, 25),
    }  # fmt: skip


def test_half_a_block_ram_takes_a_block():
    """A block of an UltraScale+ has 36 Kbit: three halves and a whole block are 2.5 blocks."""
    build = resolve(QUERY, board="ultra96-v2")
    figures = Figures(target="xcup", block_ram_bits=(3 * 18 + 36) * 1024)
    uses = {use.kind: use.used for use in uses_of_part(build, figures)}
    assert uses["BRAM"] == 3


def test_alms_and_the_memories_of_the_engine():
    build = resolve("examples/rows_trades.toml", board="de5-net")
    figures = Figures(target="alm", alm=[23_472, 46_944], block_ram_bits=7 * 10 * 1024)
    uses = {use.kind: (use.used, use.percent) for use in uses_of_part(build, figures)}
    blocks = -(-build.design.predict().memory_bits // (20 * 1024))
    assert uses["ALM"] == (23_472, 10)
    assert uses["BRAM"][0] == blocks


def test_lines():
    """The bus carries 8 bytes of a datagram in a cycle: one tuple, though there are four lanes."""
    build = resolve(QUERY, board="versa-ecp5")
    use, clock = part_lines(build, Figures())
    assert use == (
        "LFE5UM-45F-8BG381C of versa-ecp5: LUT 50 % (21,924 of 43,848), "
        "FF 25 % (10,962 of 43,848), BRAM 25 % (27 of 108), DSP 25 % (18 of 72)"
    )
    assert clock == (
        "clock of versa-ecp5: 80 MHz estimated, the board's is 62.5 MHz, so the engine takes up to "
        "62,500,000 tuples per second; Ethernet carries at most 15,625,000 of them"
    )
    assert tuples_per_second(build) == 62_500_000


def test_the_rate_of_the_link_as_data():
    rates = {
        board: part_figures(resolve(QUERY, board=board), Figures())["link_tuples_per_second"]
        for board in ("versa-ecp5", "arty-a7", "ultra96-v2")
    }
    assert rates == {"versa-ecp5": 15_625_000, "arty-a7": 1_562_500, "ultra96-v2": None}


def test_a_delay_without_routing():
    build = resolve(QUERY, board="arty-a7")
    figures = Figures(target="xc7", fmax_mhz=None, logic_ps=8_000)
    _, clock = part_lines(build, figures)
    assert clock.startswith(
        "clock of arty-a7: 125 MHz estimated without routing, the board's is 100"
    )
    assert clock_warnings(build, figures) == []
    figures.logic_ps = 12_500
    assert clock_warnings(build, figures) == [
        "the estimated clock of 80 MHz is below the 100 MHz of arty-a7: choose a smaller clock_mhz"
    ]
    figures.logic_ps = 10_001  # 99.99 MHz
    (line,) = clock_warnings(build, figures)
    assert line.startswith("the estimated clock of 99.9 MHz is below the 100 MHz of arty-a7")
    figures.logic_ps = None
    assert clock_warnings(build, figures) == []
    assert part_figures(build, figures)["estimated_mhz"] is None


def test_a_clock_that_is_just_reached():
    build = resolve(QUERY, board="ultra96-v2")
    assert clock_warnings(build, Figures(target="xcup", fmax_mhz=200)) == []
    (line,) = clock_warnings(build, Figures(target="xcup", fmax_mhz=199.9))
    assert line.endswith("below the 200 MHz of ultra96-v2: choose fewer lanes")


@pytest.mark.parametrize("board", [None, "generic"])
def test_no_part_no_line(board):
    build = resolve(QUERY, board=board)
    assert list(part_lines(build, Figures())) == []
    assert clock_warnings(build, Figures()) == []
    assert part_figures(build, Figures()) is None


def test_another_family_says_nothing_of_the_part():
    build = resolve(QUERY, board="versa-ecp5")
    (clock,) = part_lines(build, Figures(target="xcup"))
    assert clock == (
        "clock of versa-ecp5: 62.5 MHz, so the engine takes up to 62,500,000 tuples per "
        "second; Ethernet carries at most 15,625,000 of them"
    )
    assert clock_warnings(build, Figures(target="xcup", fmax_mhz=1)) == []


def test_report_prints_and_warns(monkeypatch, capfd, tmp_path):
    """A design that is too large and too slow has a warning for each."""

    def engine_report(out, design, target, wrapper, cache, by_block=False):
        figures = {"lut": 40_000, "lutram": 4_000, "ff": 1, "bram36": 1, "uram": 0, "dsp": 0}
        return Report(
            target=target, **figures, depth=1, depth_io=1, fmax_mhz=50.0, cells={},
            critical_path=(), note="", tool="",
        )  # fmt: skip

    monkeypatch.setattr(command, "engine_report", engine_report)
    arguments = ["report", QUERY, "--board", "versa-ecp5", "--cache", str(tmp_path)]
    assert cli.run(arguments) == 0
    out, err = capfd.readouterr()
    assert "LUT 100.3 % (44,000 of 43,848)" in out
    assert "50 MHz estimated, the board's is 62.5 MHz" in out
    assert err.splitlines() == [
        "sluice: warning: the design takes 44,000 LUTs, and the LFE5UM-45F-8BG381C of versa-ecp5 "
        "has 43,848",
        "sluice: warning: the estimated clock of 50 MHz is below the 62.5 MHz of versa-ecp5: "
        "choose a smaller clock_mhz",
    ]
    assert cli.run([*arguments, "--json"]) == 0
    part = json.loads(capfd.readouterr().out)["part"]
    assert (part["name"], part["estimated_mhz"], part["clock_mhz"]) == (
        "LFE5UM-45F-8BG381C",
        50,
        62.5,
    )
    assert part["use"][0] == {"kind": "LUT", "used": 44_000, "available": 43_848, "percent": 100.3}
