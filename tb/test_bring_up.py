"""Follows the bring-up guide with its files, its commands and its Python session."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pandas
import pytest

ROOT = Path(__file__).parents[1]
GUIDE = ROOT / "docs" / "bring-up.md"


def blocks(language):
    """Returns the guide's code blocks in a language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)


def output_of(*command, cwd):
    """Runs a command that must succeed, and returns its output.

    The command finds the programs of the Python environment. PYTHONPATH is not set, so the command
    cannot import the project from its tree.
    """
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    completed = subprocess.run(
        command, cwd=cwd, env=environment | tools, capture_output=True, text=True
    )
    assert completed.returncode == 0, completed.stderr[-2000:]
    return completed.stdout


def session(text, cwd):
    """Runs a Python program, and returns its output."""
    (cwd / "session.py").write_text(text)
    return output_of("python", "session.py", cwd=cwd)


@pytest.mark.regress
def test_the_guide_leads_to_verilog_a_project_and_a_session(tmp_path):
    data, engine = blocks("python")
    (query,) = blocks("sql")
    check_commands, build_commands = blocks("sh")
    session(data, tmp_path)
    (tmp_path / "rooms.cql").write_text(query)
    printed = [output_of(*shlex.split(line), cwd=tmp_path) for line in check_commands.splitlines()]
    assert re.search(r"^mismatches +0 *$", printed[1], re.MULTILINE)
    for line in build_commands.splitlines():
        output_of(*shlex.split(line), cwd=tmp_path)
    directory = tmp_path / "build" / "rooms"
    (command,) = re.findall(r"^    (vivado .*)$", GUIDE.read_text(), re.MULTILINE)
    assert command in (directory / "README.md").read_text()
    assert (directory / command.split()[-1]).exists()
    *_, counts = session(engine, directory).splitlines()
    golden = pandas.read_csv(tmp_path / "golden.csv")
    # Windows of 64 tuples with SLIDE 16 and 32; a window lacks a room now and then, so it has up to
    # 8 rows.
    windows = {slide: (5000 - 64) // slide + 1 for slide in (16, 32)}
    rooms = 8
    rows, rows_of_wide_slides = map(int, counts.split())
    assert rows == len(golden)
    assert windows[16] * rooms * 0.9 < rows <= windows[16] * rooms
    assert windows[32] * rooms * 0.9 < rows_of_wide_slides <= windows[32] * rooms
