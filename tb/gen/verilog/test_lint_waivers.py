"""Checks that each warning of Verilator about shipped Verilog is explained in the waivers."""

import re

import pytest

from gen.design.build import resolve
from gen.verilog.lint_waivers import WAIVED, waiver
from gen.verilog.shipped_verilog import verilog_of
from tb.gen.examples import EXAMPLES
from tb.gen.verilog.linting import lint

#: Warnings that are left with the waivers in use; the aim is 0.
MOST = 20


@pytest.fixture(scope="module")
def shipped(sluice_files):
    """Name and Verilog of an engine's example."""

    def text(engine):
        name, files = sluice_files(engine)
        return name, files[f"{name}.v"]

    return text


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    "engine",
    [e if e != "swag" else pytest.param(e, marks=pytest.mark.regress) for e in EXAMPLES],
)
def test_warnings_that_are_left(engine, shipped, tmp_path):
    remaining = lint(tmp_path, *shipped(engine))
    assert len(remaining) <= MOST, remaining
    assert {rule for rule, _ in remaining} <= {"UNUSEDSIGNAL", ""}


@pytest.mark.regress
def test_every_waiver_is_needed(shipped, examples, cache, tmp_path):
    """An engine needs it, or punctuations from the stream, a table of constants, or Avalon."""
    result = []
    for engine in EXAMPLES:
        (tmp_path / engine).mkdir()
        result += lint(tmp_path / engine, *shipped(engine), waived=False)
    keys = ["entries=8", "ways=1", "ports=1", "port_bits=512", "window_max=64", "capacity=16"]
    for file, options in (
        ("trades_windowid.toml", ["punctuations=stream"]),
        ("range_per_key.cql", [*keys, "m2_kind=external", "m2_lines=2"]),
        ("rows_trades.cql", ["bus=avalon"]),
    ):
        build = resolve(examples / file, options=options)
        text = verilog_of(build.design, build.name, cache)
        result += lint(tmp_path, build.name, text, waived=False)
        assert lint(tmp_path, build.name, text) == []
    for rule, text, _ in WAIVED:
        pattern = "" if text is None else re.escape(text).replace(r"\*", ".*").replace(r"\?", ".")
        assert any(rule == kind and re.search(pattern, said) for kind, said in result), (rule, text)


FAULTS = {
    "WIDTHTRUNC": "  assign o = a + b;\n",  # of 4 bits in 2
    "WIDTHEXPAND": "  wire [7:0] wide;\n  assign wide = a;\n  assign o = wide[1:0] & wide[7:6];\n",
    "UNUSEDSIGNAL": "  wire [3:0] lost;\n  assign lost = a & b;\n  assign o = a[1:0];\n",
    "UNDRIVEN": "  wire [1:0] open;\n  assign o = open;\n",
    "LATCH": "  reg [1:0] o;\n  always @* if (a[0]) o = b[1:0];\n",
    "PINMISSING": "  part p(.a(a), .b(b));\n  assign o = a[1:0];\n",
}


@pytest.mark.parametrize("rule", FAULTS)
def test_faults_are_still_seen(rule, tmp_path):
    """The waivers hide no real fault of the Verilog."""
    part = "module part(input [3:0] a, input [3:0] b, output [3:0] c);\n"
    part += "  assign c = a & b;\nendmodule\n"
    head = "module top(a, b, o);\n  input [3:0] a;\n  input [3:0] b;\n  output [1:0] o;\n"
    text = head + FAULTS[rule] + "endmodule\n" + part
    assert rule in {kind for kind, _ in lint(tmp_path, "top", text)}


def test_each_waiver_has_a_reason():
    lines = waiver("sluice_x").splitlines()
    assert lines[2] == "`verilator_config"
    waived = [place for place, line in enumerate(lines) if line.startswith("lint_off")]
    assert len(waived) == len(WAIVED)
    for place in waived:
        assert re.fullmatch(r"// \S.{3,}", lines[place - 1])
        assert '-file "*sluice_x.v"' in lines[place]
    broad = {"UNUSEDSIGNAL", "WIDTHEXPAND", "WIDTHTRUNC", "VARHIDDEN", "UNSIGNED"}
    assert all(text for rule, text, _ in WAIVED if rule in broad)
