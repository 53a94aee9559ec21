"""Checks a platform's project: Yosys reads the Verilog, and every pin has a constraint."""

import re

from gen.verilog.yosys import run

#: Cells of each family as Yosys's libraries describe them, by a file of the project.
_LIBRARIES = {
    "top.lpf": "+/ecp5/cells_sim.v +/ecp5/cells_bb.v",
    "top.xdc": "+/xilinx/cells_sim.v +/xilinx/cells_xtra.v",
    "top.qsf": "quartus.v",
}
#: Cells of Quartus that no library of Yosys has.
_QUARTUS_CELLS = (
    "(* blackbox *) module altera_pll(input refclk, rst, fbclk, output outclk, locked);"
    "parameter fractional_vco_multiplier = 0, reference_clock_frequency = 0, operation_mode = 0,"
    "number_of_clocks = 0, output_clock_frequency0 = 0, phase_shift0 = 0, duty_cycle0 = 0,"
    "pll_type = 0, pll_subtype = 0; endmodule\n"
    "(* blackbox *) module altera_std_synchronizer(input clk, reset_n, din, output dout);"
    "parameter depth = 0; endmodule\n"
    "(* blackbox *) module altiobuf_in(input [0:0] datain, output [0:0] dataout);"
    "parameter enable_bus_hold = 0, number_of_channels = 1, use_differential_mode = 0;"
    "endmodule\n"
    "(* blackbox *) module altiobuf_out(input [0:0] datain, oe, output [0:0] dataout);"
    "parameter enable_bus_hold = 0, number_of_channels = 1, use_differential_mode = 0, use_oe = 0;"
    "endmodule\n"
)


def engine_box(ports):
    """Returns Verilog of a module with the engine's ports and nothing inside."""
    lines = [f"{way} [{width - 1}:0] {name}" for name, way, width in ports.ports]
    return f"(* blackbox *) module {ports.top}({', '.join(lines)}); endmodule\n"


def check_project(files, ports, engine):
    """Checks the top of a project: complete, no loops, and one driver for each wire.

    Parameters
    ----------
    files : dict of str to str
        The board's files by their paths.
    ports : boards.ports.Ports
    engine : str
        Verilog of the engine.
    """
    project_files = {
        path[len("project/") :]: text for path, text in files.items() if "project/" in path
    }
    (library,) = (cells for file, cells in _LIBRARIES.items() if file in project_files)
    sources = {
        name: project_files[name]
        for name in ("top.v", "top.il", "liteeth_mac.v")
        if name in project_files
    }
    sources |= {"engine.v": engine, "quartus.v": _QUARTUS_CELLS}
    reads = [f"read_{'rtlil' if n.endswith('.il') else 'verilog'} {n};" for n in sources]
    script = (
        f"read_verilog -lib -specify {library}; {' '.join(reads[:-1])} "
        "hierarchy -check -top top; proc; check -assert; tee -o ports.txt portlist top"
    )
    listed = run(script, sources, ["ports.txt"])["ports.txt"]
    pins = re.findall(r"(?:input|output|inout) +(?:\[(\d+):0\] )?(\w+)", listed)
    texts = "".join(
        text for name, text in project_files.items() if name.endswith(("lpf", "xdc", "qsf"))
    )
    constraints = texts.replace("\\[", "[")  # Tcl needs a backslash there
    for last, name in pins:
        for bit in [""] if last in ("", "0") else [f"[{k}]" for k in range(int(last) + 1)]:
            assert f'"{name}{bit}"' in constraints, f"{name}{bit} has no pin"
