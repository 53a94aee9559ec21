"""Tests that next states are named after their registers, and nothing else is renamed."""

import re

import pytest

from gen.verilog.next_states import with_named_next_states
from tb.committed import PLACE

TEXT = """\
module top(clk, i, o);
  input clk;
  reg [3:0] _00_;
  reg _01_;
  wire _02_;
  reg [3:0] count = 4'h0;
  reg busy;
  wire count_next_2;
  assign _02_ = i & busy;
  always @(posedge clk)
    count <= _00_;
  always @(posedge clk)
    busy <= _01_;
  always @(posedge clk)
    later <= _01_;
  always @* begin
    _00_[0] = _02_;
    _00_[3:1] = count[3:1];
    _01_ = ! _02_;
  end
endmodule
module part(clk);
  reg _00_;
  always @(posedge clk)
    state[2] <= _00_;
  always @(posedge clk)
    state <= 5'h0;
  assign o = "_00_ is a text";
endmodule
"""


def test_each_next_state_has_the_name_of_its_register():
    top, part = re.split(r"(?<=endmodule\n)", TEXT)[:2]
    top = top.replace("_00_", "count_next").replace("_01_", "busy_next")
    assert with_named_next_states(TEXT) == top + part


@pytest.mark.parametrize(
    ("declared", "name"),
    [
        ("wire count_next;", "count_next_2"),
        ("wire count_next;\n  wire count_next_2;", "count_next_3"),
        ("wire count_nexts;", "count_next"),
    ],
)
def test_a_name_in_use_gets_a_number(declared, name):
    module = "module m(clk);\n  {0}\n  always @(posedge clk)\n    count <= {1};\nendmodule\n"
    renamed = with_named_next_states(module.format(declared, "_7_"))
    assert renamed == module.format(declared, name)


def test_next_states_with_equal_wishes():
    """Two blocks step one register, each with a next state of its own."""
    module = """\
module m(clk);
  always @(posedge clk)
    count <= {};
  always @(posedge clk)
    count <= {};
endmodule
"""
    renamed = with_named_next_states(module.format("_1_", "_2_"))
    assert renamed == module.format("count_next", "count_next_2")


@pytest.mark.parametrize("path", sorted(PLACE.glob("*.v")), ids=lambda path: path.stem)
def test_few_registers_of_the_examples_have_invented_names(path):
    registers = re.findall(r"^  reg (?:signed )?(?:\[[-0-9:]+\] )?(\w+)", path.read_text(), re.M)
    invented = [name for name in registers if re.fullmatch(r"_\d+_", name)]
    assert len(registers) > 100
    assert len(invented) <= 3
