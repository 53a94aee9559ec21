"""Checks that equal blocks are synthesised once, and that all blocks make the design."""

import json

import pytest

from gen.report import blocks
from gen.report import synthesis as synth
from gen.report.blocks import blocks_of
from gen.report.joined_netlist import join
from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from gen.verilog.yosys import ToolError, run
from tb.gen.designs import Chain

#: Script for Yosys. It proves by induction, from power-up on, that the outputs of the joined
#: netlist equal the outputs of the design in every cycle.
PROOF = """\
read_rtlil top.il; prep -flatten -top top; rename top gold; design -stash gold;
read_json net.json; read_verilog -overwrite +/xilinx/cells_sim.v; prep -flatten -top top;
rename top gate; design -stash gate;
design -copy-from gold gold; design -copy-from gate gate;
miter -equiv -flatten -make_outputs gold gate miter; hierarchy -top miter; async2sync; opt -full;
tee -o sat.txt sat -verify -tempinduct -maxsteps 12 -prove trigger 0 miter
""".replace("\n", " ")


@pytest.fixture
def every_module_is_a_block(monkeypatch):
    monkeypatch.setattr(blocks, "PART", 0)


def test_a_small_design_is_one_block():
    text = to_rtlil(Chain()).read()
    assert list(blocks_of(text).all()[1].values()) == [1]
    assert blocks_of(text).below == {}


def test_equal_blocks_are_found_once(every_module_is_a_block):
    top = blocks_of(to_rtlil(Chain()).read())
    result, times = top.all()
    assert sorted(times.values()) == [1, 1, 2]  # the first has its ports in another order
    assert list(top.below) == ["top.part0", "top.part1", "top.part2"]
    assert top.below["top.part1"].digest == top.below["top.part2"].digest
    assert list(result)[-1] == top.digest


@pytest.mark.regress
def test_all_blocks_together_are_the_design(every_module_is_a_block, tmp_path, monkeypatch):
    complete = []
    monkeypatch.setattr(synth, "join", lambda *given: complete.append(join(*given)) or complete[0])
    source = to_rtlil(Chain())
    report = synthesise(source, "xcup", tmp_path, by_block=True)
    single = synthesise(source, "xcup", tmp_path)
    assert (report.lut, report.depth) == (single.lut, single.depth)
    assert (report.ff, single.ff) == (72, 56)  # each adder has b in a register: all are the same
    assert report.note.endswith("4 blocks, 3 of them distinct, each by itself")
    assert proved(source, complete[0])
    cells = complete[0]["modules"]["top"]["cells"].values()
    one, *_, other = (cell for cell in cells if cell["type"] == "FDRE")
    one["connections"]["D"] = other["connections"]["D"]
    with pytest.raises(ToolError, match="proof did fail"):
        proved(source, complete[0])


def proved(source, netlist):
    files = {"top.il": source.read(), "net.json": json.dumps(netlist)}
    return "Induction step proven" in run(PROOF, files, ["sat.txt"])["sat.txt"]
