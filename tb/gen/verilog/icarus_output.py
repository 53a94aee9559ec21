"""Runs a Verilog-2005 text with its bench in Icarus."""

import shutil
import subprocess

from sim.errors import ToolMissingError


def output_of(text, directory):
    """Returns the output of a text that holds a design and a bench."""
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    (directory / "bench.v").write_text(text)
    build = ["iverilog", "-g2005", "-o", "bench", "bench.v"]
    subprocess.run(build, cwd=directory, check=True, capture_output=True)
    return subprocess.run(["vvp", "bench"], cwd=directory, capture_output=True, text=True).stdout
