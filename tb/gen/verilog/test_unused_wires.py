"""Checks that only unused wires are removed."""

import json

import pytest

from gen.design.build import resolve
from gen.verilog import shipped_verilog as verilog
from gen.verilog import unused_wires as unused
from gen.verilog.unused_wires import without_unused
from gen.verilog.yosys import run
from tb.gen.examples import EXAMPLES

BEFORE = """\
module small(clk, a, o, p);
  input clk;
  wire clk;
  input [7:0] a;
  wire [7:0] a;
  output [7:0] o;
  wire [7:0] o;
  output p;
  wire p;
  wire [-1:0] nothing;
  (* keep = 1 *)
  (* mark = "a" *)
  wire signed [3:0] first;
  wire [3:0] second;
  wire [3:0] third;
  wire [7:0] kept;
  wire half;
  wire text;
  wire into;
  wire h0;
  reg [7:0] register = 8'h00;
  assign first = second[3:0];
  assign second = a[3:0];
  assign third[1:0] = a[1:0];
  assign third[3:2] = second[1:0];
  assign kept = a + 8'h0;
  assign h0 = a[0];
  assign text = a[1];
  assign into = a[2];
  always @(posedge clk)
    register <= kept;
  part #(.name("text")) one (
    .into(a[3]),
    .o(half)
  );
  assign o = register;
endmodule
"""
AFTER = """\
module small(clk, a, o, p);
  input clk;
  wire clk;
  input [7:0] a;
  wire [7:0] a;
  output [7:0] o;
  wire [7:0] o;
  output p;
  wire p;
  wire [7:0] kept;
  wire half;
  reg [7:0] register = 8'h00;
  assign kept = a + 8'h0;
  always @(posedge clk)
    register <= kept;
  part #(.name("text")) one (
    .into(a[3]),
    .o(half)
  );
  assign o = register;
endmodule
"""


def test_what_is_only_assigned_goes_with_what_it_alone_reads():
    """Ports stay; digits, texts and the ports of an instance are no names of this module."""
    assert without_unused(BEFORE) == AFTER


def test_each_module_by_itself():
    """Two modules have a wire of the same name, and only one module reads the wire."""
    one, other = (
        BEFORE,
        "module other(o);\n  output o;\n  wire o;\n  assign o = first;\nendmodule\n",
    )
    assert without_unused(one + other) == AFTER + other


def test_nothing_more_to_do():
    assert without_unused(AFTER) == AFTER


def cells(text, top):
    """Returns the number of cells of each type, counted by Yosys."""
    script = f"hierarchy -top {top}; proc; flatten; opt_clean -purge; tee -q -o s.json stat -json"
    result = run(f"read_verilog t.v; {script}", {"t.v": text}, ["s.json"])["s.json"]
    return json.loads(result)["design"]["num_cells_by_type"]


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param(engine, marks=pytest.mark.regress) if engine == "streamzip" else engine
        for engine in EXAMPLES
        if engine != "swag"
    ],
)
def test_the_same_hardware(engine, examples, cache, sluice_files, monkeypatch):
    """The cells of every engine but the large one stay the same."""
    name, files = sluice_files(engine)
    build = resolve(examples / f"{EXAMPLES[engine]}.toml")
    monkeypatch.setattr(unused, "without_unused", lambda text: text)
    monkeypatch.setattr(verilog, "_cached", lambda source, _: verilog._converted(source))
    earlier = verilog.verilog_of(build.design, name, cache)
    assert len(files[f"{name}.v"]) < len(earlier)
    assert cells(files[f"{name}.v"], name) == cells(earlier, name)
