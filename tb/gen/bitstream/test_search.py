"""Checks the chosen clock and the attempts of the placer, with invented results of the placer."""

from contextlib import nullcontext

import pytest

from gen.bitstream import search
from gen.bitstream.flow import Placed
from gen.bitstream.search import find_clock
from gen.design.build import resolve
from gen.terminal.errors import CheckFailedError
from gen.verilog.yosys import ToolError
from tb.gen.bitstream.reports import netlist, report

QUERY = "examples/cluster_groupby.toml"


class Tools:
    """Answers each attempt with a pair of clocks, and records the goal and the seed."""

    def __init__(self, answers):
        self.answers, self.attempts = list(answers), []
        self.netlist = netlist(LUT4=10)

    def synthesise(self, project, cache):
        assert project.engine in project.files["top.ys"]
        return self.netlist

    def place(self, project, netlist, cache):
        assert netlist is self.netlist
        words = project.arguments("NEXTPNR_ECP5")
        (line,) = (x for x in project.files["top.lpf"].splitlines() if "engine_clock" in x)
        goal = float(line.split()[-2]) / 1e6
        self.attempts.append((goal, int(words[words.index("--seed") + 1])))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Placed(config="config", report=report(*answer, asked=goal), log="log")


@pytest.fixture
def find(monkeypatch, cache, saved_design_files):
    """Returns a function from answers of the placer to (result, attempts, changes of dividers)."""

    def run(answers, *options, tools=None):
        tools, changes = tools or Tools(answers), []

        def with_pll(config, old, new):
            changes.append((dict(old), dict(new)))
            return f"{config}*"

        monkeypatch.setattr(search, "design_files", saved_design_files)
        monkeypatch.setattr(search, "synthesise", tools.synthesise)
        monkeypatch.setattr(search, "place", tools.place)
        monkeypatch.setattr(search, "with_pll", with_pll)
        build = resolve(QUERY, board="versa-ecp5", options=options)
        fixed = any(option.startswith("clock_mhz") for option in options)
        placed_design = find_clock(build, fixed, cache, lambda text: nullcontext())
        return placed_design, tools.attempts, changes

    return run


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("reached", "step"),
    [
        (300, 125),
        (112.5, 112.5),
        (112.49, 100),
        (75, 75),
        pytest.param(26, 25, marks=pytest.mark.regress),
        pytest.param(62.6, 62.5, marks=pytest.mark.regress),
    ],
)
def test_the_fastest_step_that_is_reached(find, reached, step):
    """A design is placed once for 75 MHz, and gets the dividers of another clock."""
    placed_design, attempts, changes = find([(reached, 125.0)])
    assert attempts == [(75, 1)]
    assert (placed_design.build.board.clock_mhz, placed_design.clocks[0].asked_mhz) == (step, step)
    assert (placed_design.missed, placed_design.config, placed_design.seed) == ([], "config*", 1)
    ((old, new),) = changes
    assert 100 * old["CLKOP_DIV"] / old["CLKI_DIV"] / old["CLKOS_DIV"] == 75
    assert 100 * new["CLKOP_DIV"] / new["CLKI_DIV"] / new["CLKOS_DIV"] == step


@pytest.mark.in_turn
def test_a_slow_receiver_is_tried_again_with_other_seeds(find):
    """The second attempt reaches 60 MHz, so the third attempt's goal is the step below, 50 MHz."""
    placed_design, attempts, _ = find([(90, 120), (60, 124.9), (58, 125)])
    assert attempts == [(75, 1), (75, 2), (50, 3)]
    assert (placed_design.missed, placed_design.build.board.clock_mhz, placed_design.seed) == (
        [],
        50,
        3,
    )
    scripts = placed_design.files(".cache", {})
    assert "--seed 3 " in scripts["project/build_top.sh"]
    assert "--seed 3 " in scripts["project/build_top.bat"]


@pytest.mark.in_turn
def test_scripts_must_name_the_seed_that_is_replaced(find, monkeypatch):
    monkeypatch.setattr(search, "_FIRST_SEED", "--seed 9 ")
    with pytest.raises(ValueError, match=r"build_top\.sh must have '--seed 9 ' once, not 0 times"):
        find([(90, 130)])


@pytest.mark.in_turn
def test_no_attempt_meets_all_clocks(find):
    placed_design, attempts, _ = find([(90, 120), (90, 121), (20, 130)])
    assert attempts == [(75, 1), (75, 2), (75, 3)]  # the goal never rises, though 90 are reached
    (missed,) = placed_design.missed
    assert (missed.name, missed.asked_mhz, missed.reached_mhz) == ("engine", 25, 20)


@pytest.mark.in_turn(5)
def test_a_fixed_clock_keeps_its_dividers(find):
    placed_design, attempts, changes = find([(80, 130), (88, 130)], "clock_mhz=87.5")
    assert attempts == [(87.5, 1), (87.5, 2)]
    assert (placed_design.config, changes, placed_design.missed) == ("config", [], [])
    assert placed_design.build.board.clock_mhz == 87.5


@pytest.mark.in_turn
def test_a_design_that_is_larger_than_its_part(find):
    tools = Tools([])
    tools.netlist = netlist(LUT4=43_849, DP16KD=2)
    message = r"the LFE5UM-45F-8BG381C of versa-ecp5: it takes 43,849 of 43,848 LUT \(100 %\)$"
    with pytest.raises(CheckFailedError, match=message):
        find([], tools=tools)
    assert tools.attempts == []


def test_a_design_that_fills_its_part_is_placed(find):
    tools = Tools([(80, 130)])
    tools.netlist = netlist(LUT4=43_848)
    _, attempts, _ = find([], tools=tools)
    assert attempts == [(75, 1)]


def test_reasons_of_the_placer(find):
    error = ToolError("nextpnr failed (1):\nInfo: x\nERROR: no BELs remaining\n1 error")
    with pytest.raises(CheckFailedError, match="cannot place and route the design: no BELs remain"):
        find([error])
    with pytest.raises(ToolError, match=r"^killed$"):
        find([ToolError("killed")])
