"""Checks that the shipped text is plain Verilog-2005, and the same bytes every time."""

import hashlib
import os
import re
import subprocess
import sys

import pytest
from amaranth.hdl import ClockDomain, Module
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from gen.verilog.shipped_verilog import convert
from tb.gen.designs import Alike, Chosen, Top
from tb.gen.verilog.icarus_output import output_of


@pytest.fixture(scope="module")
def text():
    return convert(Top(), "sluice_top")


def test_header_and_port_order(text):
    assert text.startswith("// SPDX-License-Identifier: BSD-2-Clause\n// sluice_top: ")
    assert "module sluice_top(aclk, aresetn, a, b, o);" in text


def test_no_escaped_names_paths_or_newer_verilog(text):
    assert "\\" not in text
    assert "src =" not in text
    assert ".py" not in text
    assert not re.search(r"always_(ff|comb)|\blogic\b", text)


def test_every_module_bears_the_name_of_the_top(text):
    modules = re.findall(r"^module (\w+)\(", text, re.MULTILINE)
    assert sorted(modules) == ["sluice_top", "sluice_top_part0", "sluice_top_part1"]


def test_interface_attributes_are_on_ports_alone(text):
    attribute = '(* X_INTERFACE_INFO = "xilinx.com:interface:axis:1.0 A TDATA" *)\n  input [7:0] a;'
    assert attribute in text
    assert text.count("X_INTERFACE_INFO") == 1


def test_ports_with_the_same_driver_keep_their_order_and_attributes():
    """The design has 90 ports, so Yosys writes the port list in several lines."""
    text = convert(Alike(90), "sluice_alike")
    names = [f"output_{90 - k:03}" for k in range(90)]
    assert f"module sluice_alike({', '.join(names)});" in text
    matches = re.findall(r'\(\* X_INTERFACE_INFO = "of (\w+)" \*\)\s+output (\w+);', text)
    assert sorted(matches) == [(name, name) for name in sorted(names)]


class Memories(wiring.Component):
    """Has four memories: block RAM, UltraRAM, distributed RAM, and one without a requested kind."""

    def __init__(self):
        super().__init__({"aclk": In(1), "a": In(9), "o": Out(4)})

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain(reset_less=True)
        m.d.comb += sync.clk.eq(self.aclk)
        for k, style in enumerate(("block", "ultra", "distributed", None)):
            attrs = {"ram_style": style} if style else {}
            m.submodules[f"store{k}"] = store = Memory(shape=8, depth=512, init=[], attrs=attrs)
            writer, reader = store.write_port(), store.read_port()
            m.d.comb += [
                *(writer.addr.eq(self.a), writer.data.eq(self.a), writer.en.eq(1)),
                *(reader.addr.eq(self.a), self.o[k].eq(reader.data.xor())),
            ]
        return m


def test_memories_ask_quartus_for_the_same_kind_of_ram():
    """Xilinx's attribute and Quartus's stand before one memory, in each case but the last."""
    text = convert(Memories(), "sluice_memories")
    matches = re.findall(r"((?: +\(\*[^\n]*\*\)\n)*) +reg \[7:0\] \w+ \[511:0\];", text)
    requested = [dict(re.findall(r'\(\* (\w+) = "([^"]*)" \*\)', lines)) for lines in matches]
    assert requested == [
        {"ram_style": "block", "ramstyle": "no_rw_check, M20K"},
        {"ram_style": "ultra", "ramstyle": "no_rw_check, M20K"},
        {"ram_style": "distributed", "ramstyle": "MLAB"},
        {},
    ]


def test_registers_keep_their_initial_values(text):
    assert re.search(r"reg \[7:0\] \w+ = 8'(d0|h00);", text)


def test_the_text_runs(text, tmp_path):
    """Icarus runs the text as Verilog-2005. The output is the XOR of two equal sums, plus 1."""
    bench = """
    module bench;
      reg clk = 0; reg rst_n = 0; wire [7:0] o;
      sluice_top dut(.aclk(clk), .aresetn(rst_n), .a(8'd3), .b(8'd4), .o(o));
      always #1 clk = ~clk;
      initial begin #10 rst_n = 1; #20 $display("o=%0d", o); $finish; end
    endmodule
    """
    assert "o=1\n" in output_of(text + bench, tmp_path)


def test_blocks_begin_defined(tmp_path):
    """Blocks of every module, and parts of a register, are defined before the first clock edge."""
    bench = """
    module bench;
      reg clk = 0; reg rst = 0; wire [15:0] o;
      chosen dut(.clk(clk), .rst(rst), .o(o));
      initial begin #1 $display("o=%b", o); $finish; end
    endmodule
    """
    text = convert(Chosen(), "chosen")
    assert "o=1010011110100111\n" in output_of(text + bench, tmp_path)


def test_the_same_bytes_whatever_the_hash_seed(text, request):
    program = (
        "import hashlib; from gen.verilog.shipped_verilog import convert; "
        "from tb.gen.designs import Top;"
        "print(hashlib.sha256(convert(Top(), 'sluice_top').encode()).hexdigest())"
    )
    digests = set()
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=request.config.rootpath,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(ran.stdout.strip())
    assert digests == {hashlib.sha256(text.encode()).hexdigest()}


def test_kept_text_is_the_same(text, tmp_path):
    assert convert(Top(), "sluice_top", tmp_path) == text
    assert convert(Top(), "sluice_top", tmp_path) == text
