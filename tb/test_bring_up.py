"""The bring-up guide, done as a newcomer does it: its files, its commands, its session."""

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
    """The guide's blocks in that language, in their order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE.read_text(), re.MULTILINE | re.DOTALL)


def told(*command, cwd):
    """What it prints; it succeeds. Tools are found as the guide says, our folders are not."""
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    rest = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=cwd, env=rest | tools, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def session(text, cwd):
    (cwd / "session.py").write_text(text)
    return told("python", "session.py", cwd=cwd)


@pytest.mark.regress
def test_a_newcomer_comes_to_verilog_a_project_and_a_session(tmp_path):
    data, engine = blocks("python")
    (query,) = blocks("sql")
    proof, made = blocks("sh")
    session(data, tmp_path)
    (tmp_path / "rooms.cql").write_text(query)
    printed = [told(*shlex.split(line), cwd=tmp_path) for line in proof.splitlines()]
    assert re.search(r"^mismatches +0 *$", printed[1], re.MULTILINE)
    for line in made.splitlines():
        told(*shlex.split(line), cwd=tmp_path)
    directory = tmp_path / "build" / "rooms"
    (command,) = re.findall(r"^    (vivado .*)$", GUIDE.read_text(), re.MULTILINE)
    assert command in (directory / "README.md").read_text()
    assert (directory / command.split()[-1]).exists()
    *_, counts = session(engine, directory).splitlines()
    golden = pandas.read_csv(tmp_path / "golden.csv")
    # Windows of 64 after every 16 tuples, and after every 32.
    windows = {slide: (5000 - 64) // slide + 1 for slide in (16, 32)}
    rooms = 8
    rows, fewer = map(int, counts.split())
    assert rows == len(golden)
    assert windows[16] * rooms * 0.9 < rows <= windows[16] * rooms
    assert windows[32] * rooms * 0.9 < fewer <= windows[32] * rooms
