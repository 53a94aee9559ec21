"""Checks that the shipped bench passes, and fails where the design differs."""

import re

import pytest

from boards.ports import Ports
from gen.directory.testbench import testbench as bench_of
from gen.verilog.shipped_verilog import convert
from query.parser import parse
from rtl.bus.ports import buses_of
from rtl.bus.top import AxiTop
from rtl.bus.top_registers import registers_of
from rtl.engine import ENGINES
from tb.gen.directory.icarus import run
from tb.gen.examples import EXAMPLES
from tb.rtl.bus.many_buses import many_buses


@pytest.fixture(scope="module")
def example_texts(sluice_files):
    """Verilog and bench of an engine's example."""

    def texts(engine):
        name, files = sluice_files(engine)
        return name, files[f"{name}.v"], files[f"sim/{name}_tb.sv"]

    return texts


@pytest.mark.in_turn
@pytest.mark.parametrize("engine", EXAMPLES)
def test_passes(engine, example_texts, tmp_path):
    name, verilog, bench = example_texts(engine)
    code, said = run(tmp_path, verilog, bench)
    assert (code, said.splitlines()[0]) == (0, f"PASS: {name}")


def test_more_streams_and_memories(tmp_path):
    design = many_buses()
    ports = Ports(top="sluice_many", buses=buses_of(design))
    bench = bench_of(design, ports, registers_of(design))
    code, said = run(tmp_path, convert(AxiTop(design), "sluice_many"), bench)
    assert (code, said.splitlines()[0]) == (0, "PASS: sluice_many")


@pytest.mark.in_turn
def test_an_engine_that_is_busy_for_long_passes(tmp_path):
    """After the only tuple the engine sends the rows of 129 windows."""
    text = (
        "CREATE INPUT STREAM T (t uint(64), k uint(32), v fixed(32,32));"
        "SELECT avg(v), count(*) FROM T [RANGE 128 SLIDE 1 WATTR t];"
    )
    design = ENGINES["pane"](query=parse(text))
    ports = Ports(top="sluice_pane", buses=buses_of(design))
    bench = bench_of(design, ports, registers_of(design))
    code, said = run(tmp_path, convert(AxiTop(design), "sluice_pane"), bench)
    assert (code, said.splitlines()[0]) == (0, "PASS: sluice_pane")


@pytest.mark.in_turn
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            r"32'd1397506885|32'h534c4345",
            "32'h534c4346",
            "magic must be 0x534c4345, not 0x534c4346",
        ),
        (r"(?s)assign s_axis_tready = \w+;", "assign s_axis_tready = 1'h0;", "does not answer"),
    ],
)
def test_fails_on_another_design(old, new, said, example_texts, tmp_path):
    name, verilog, bench = example_texts("group-by")
    changed, times = re.subn(old, new, verilog)
    if not times:  # the port is that of an instance
        changed, times = re.subn(r"\(s_axis_tready\)", "()", verilog)
    assert times
    code, output = run(tmp_path, changed, bench)
    assert code != 0
    assert said in output
    assert f"PASS: {name}" not in output
