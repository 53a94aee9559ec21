"""Checks that memories of the shipped Verilog begin with zeros in simulators, and only there."""

import re

from amaranth.hdl import ClockDomain, Module
from amaranth.lib import wiring
from amaranth.lib.memory import Memory
from amaranth.lib.wiring import In, Out

from gen.verilog.shipped_verilog import convert
from gen.verilog.yosys import run
from gen.verilog.zeroed_memories import with_zeroed_memories
from tb.gen.verilog.icarus_output import output_of

#: For each memory: its kind, its words, and its initial contents.
MEMORIES = {
    "block": ("block", 512, []),
    "deep": (None, 8192, []),
    "ultra": ("ultra", 512, []),
    "few": ("block", 256, []),
    "rom": ("block", 512, [7] * 512),
}
#: Output of each memory before anything is written, in the order of `MEMORIES`.
FIRST_READ = ("0", "0", "x", "0", "7")


class Memories(wiring.Component):
    """Reads one address of each memory in every cycle; ``write`` writes 5 to the address."""

    def __init__(self):
        outputs = {name: Out(4) for name in MEMORIES}
        super().__init__({"aclk": In(1), "write": In(1), "a": In(8), **outputs})

    def elaborate(self, platform):
        m = Module()
        m.domains.sync = sync = ClockDomain(reset_less=True)
        m.d.comb += sync.clk.eq(self.aclk)
        for name, (style, depth, init) in MEMORIES.items():
            attrs = {"ram_style": style} if style else {}
            m.submodules[name] = store = Memory(shape=4, depth=depth, init=init, attrs=attrs)
            writer, reader = store.write_port(), store.read_port()
            m.d.comb += [
                *(writer.addr.eq(self.a), writer.data.eq(5), writer.en.eq(self.write)),
                *(reader.addr.eq(self.a), getattr(self, name).eq(reader.data)),
            ]
        return m


BENCH = f"""
module bench;
  reg clk = 0; reg write = 0;
  {"".join(f"wire [3:0] {name}; " for name in MEMORIES)}
  memories dut(.aclk(clk), .write(write), .a(8'd255), {", ".join(f".{n}({n})" for n in MEMORIES)});
  task show; $display("{" ".join("%h" for _ in MEMORIES)}", {", ".join(MEMORIES)}); endtask
  initial begin
    repeat (3) begin #1 clk = 1; #1 clk = 0; end
    show;
    write = 1;
    repeat (3) begin #1 clk = 1; #1 clk = 0; end
    show;
    $finish;
  end
endmodule
"""


def test_first_reads_and_later_reads_in_icarus(tmp_path):
    """Only UltraRAM is undefined; a loop at time 0 does not undo what is written later."""
    output = output_of(convert(Memories(), "memories") + BENCH, tmp_path)
    assert output.split() == [*FIRST_READ, *"55555"]


def test_synthesis_sees_no_loop():
    """Yosys defines SYNTHESIS; ``few`` and ``rom`` have their contents in other words."""
    text = convert(Memories(), "memories")
    script = "read_verilog text.v; proc; write_rtlil text.il"
    rtlil = run(script, {"text.v": text}, ["text.il"])["text.il"]
    cells = re.findall(r'cell \$meminit\S* (?:.*\n)*?    parameter \\MEMID "\\+(\w+)"', rtlil)
    assert {name.partition("_")[0] for name in cells} == {"few", "rom"}


def test_each_synthesis_tool_skips_the_loop(tmp_path):
    """Icarus runs the loop without a macro, and skips it with Yosys's macro or with Quartus's."""
    module = 'module a;\n  reg [3:0] store [511:0];\n  initial #1 $display("%h", store[511]);\n'
    text = with_zeroed_memories(f"{module}endmodule\n")
    assert output_of(text, tmp_path).split() == ["0"]
    for macro in ("SYNTHESIS", "ALTERA_RESERVED_QIS"):
        assert output_of(f"`define {macro}\n{text}", tmp_path).split() == ["x"]


def test_a_loop_counts_with_a_name_of_its_own():
    """The names of another module do not matter."""
    memory = "  reg [3:0] store [511:0];\nendmodule\n"
    modules = f"module a(store_word, store_word_2);\n{memory}", f"module b(x);\n{memory}"
    counters = re.findall(r"integer (\w+);", with_zeroed_memories("".join(modules)))
    assert counters == ["store_word_3", "store_word"]
