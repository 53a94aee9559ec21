"""Runs a shipped bench in Icarus."""

import shutil
import subprocess

from sim.errors import ToolMissingError


def run(directory, verilog, bench):
    """Runs the bench in Icarus, and returns its exit code and its output."""
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    (directory / "dut.v").write_text(verilog)
    (directory / "bench.sv").write_text(bench)
    build = ["iverilog", "-g2012", "-Wall", "-o", "bench", "dut.v", "bench.sv"]
    built = subprocess.run(build, cwd=directory, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert "bench.sv" not in built.stderr
    command = ["vvp", "-n", "bench"]
    process = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    return process.returncode, process.stdout
