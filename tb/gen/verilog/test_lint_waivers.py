"""Checks that each warning of Verilator about shipped Verilog is explained in the waivers."""

import re
from functools import lru_cache

import pytest

from gen.design.build import resolve
from gen.verilog.lint_waivers import WAIVED, waiver
from gen.verilog.shipped_verilog import verilog_of
from tb.gen.examples import EXAMPLES
from tb.gen.verilog.linting import lint

#: Options of a small engine for windows of each key.
SMALL = ("entries=8", "ways=1", "ports=1", "port_bits=512", "window_max=64", "capacity=16")
#: Queries and options whose Verilog has warnings that no example has.
OTHERS = {
    "a stream of punctuations": ("trades_windowid.toml", ("punctuations=stream",)),
    "external M2": ("range_per_key.cql", (*SMALL, "m2_kind=external", "m2_lines=2")),
    "copies outside": (
        "rows_per_key.cql",
        ("entries=8", "window_max=64", "codec=base-delta", "m2_blocks=2", "m2_kind=external"),
    ),
    "Avalon": ("rows_trades.cql", ("bus=avalon",)),
    "an interrupt": ("trades_pane.toml", ("interrupt=true",)),
    "a link to a host": ("cluster_groupby.toml", ("network=true", "host_link=true")),
    "no outer memory": ("rows_per_key.toml", (*SMALL, "m3_kind=block")),
    "a cache and neighbours": (
        "rows_per_key.cql",
        (*SMALL, "codec=base-delta", "cached_keys=4", "neighbours=2"),
    ),
    "sz": ("doubles.cql", (*SMALL, "codec=sz")),
    "xor": ("doubles.cql", (*SMALL, "codec=xor")),
}
#: The query of the cases "sz" and "xor".
DOUBLES = """\
CREATE INPUT STREAM Readings (k uint(32), d double);
SELECT k, min(d), median(d) FROM Readings [PARTITION BY k ROWS 8 SLIDE 2];
"""


@pytest.fixture(scope="module")
def shipped(sluice_files):
    """Name and Verilog of an engine's example."""

    def text(engine):
        name, files = sluice_files(engine)
        return name, files[f"{name}.v"]

    return text


@pytest.fixture(scope="module")
def other_verilog(examples, cache, tmp_path_factory):
    """Returns a function from a name in `OTHERS` to the design's name and Verilog."""
    doubles = tmp_path_factory.mktemp("queries") / "doubles.cql"
    doubles.write_text(DOUBLES)

    @lru_cache
    def text(case):
        file, options = OTHERS[case]
        build = resolve(doubles if file == doubles.name else examples / file, options=options)
        return build.name, verilog_of(build.design, build.name, cache)

    return text


@pytest.mark.in_turn
@pytest.mark.parametrize(
    "engine",
    [e if e != "swag" else pytest.param(e, marks=pytest.mark.regress) for e in EXAMPLES],
)
def test_no_warning_is_left_for_the_examples(engine, shipped, tmp_path):
    assert lint(tmp_path, *shipped(engine)) == []


@pytest.mark.parametrize(
    "case",
    [c if c == "an interrupt" else pytest.param(c, marks=pytest.mark.regress) for c in OTHERS],
)
def test_no_warning_is_left_with_options(case, other_verilog, tmp_path):
    assert lint(tmp_path, *other_verilog(case)) == []


@pytest.mark.regress
def test_every_waiver_is_needed(shipped, other_verilog, tmp_path):
    """The Verilog of an example, or of a design with one of the `OTHERS`, has the warning."""
    texts = [shipped(engine) for engine in EXAMPLES] + [other_verilog(case) for case in OTHERS]
    warnings = []
    for number, (name, text) in enumerate(texts):
        folder = tmp_path / str(number)
        folder.mkdir()
        warnings += lint(folder, name, text, waived=False)
    for rule, text, _ in WAIVED:
        pattern = "" if text is None else re.escape(text).replace(r"\*", ".*").replace(r"\?", ".")
        assert any(rule == kind and re.search(pattern, warning) for kind, warning in warnings), (
            rule,
            text,
        )


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
    broad = {
        "CMPCONST",
        "SYMRSVDWORD",
        "UNUSEDSIGNAL",
        "WIDTHEXPAND",
        "WIDTHTRUNC",
        "VARHIDDEN",
        "UNSIGNED",
    }
    assert all(text for rule, text, _ in WAIVED if rule in broad)
