"""Runs the commands and compiles the C of docs/generate.md, in the environment of README.md."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sim.errors import ToolMissingError

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "generate.md"
#: What each command must say.
SAYS = {
    "verilator": "Verilator: Built from",
    "iverilog": "PASS: sluice_cluster_groupby",
    "lint": "Verilator: Built from",
    "sim": "PASS: sluice_cluster_groupby",
    "build": "called: -mode batch -source vivado/build.tcl",
    "python": "PASS: sluice_cluster_groupby",
}


def commands():
    """Returns the lines that create a directory and run tools in it, by purpose."""
    text = DOCUMENT.read_text(encoding="utf-8")
    programs = "sluice generate|cd|verilator|iverilog|fusesoc|python"
    lines = re.findall(rf"^    ((?:{programs}) .*)$", text, re.M)
    generate, enter, *tools = lines
    assert generate.startswith("sluice generate")
    assert enter == "cd build/cluster"
    named = {}
    for line in tools:
        target = re.search(r"--target (\w+)", line)
        named[target[1] if target else line.split()[0]] = line
    return generate, enter, named


def activated(command, directory, *, first=""):
    """Runs a line in a shell with the environment of README.md, and no variable of the tests.

    ``first`` is a folder whose programs come before all others.
    """
    keep = ("HOME", "LANG", "PYTHONPATH")
    environment = {name: os.environ[name] for name in keep if name in os.environ}
    environment["PATH"] = "/usr/local/bin:/usr/bin:/bin"
    script = f'. "{sys.prefix}/bin/activate"\nPATH="{first}:$PATH"\n{command}\n'
    process = subprocess.run(
        ["bash", "-ec", script], cwd=directory, env=environment, capture_output=True, text=True
    )
    return process.returncode, process.stdout + process.stderr


@pytest.fixture(scope="module")
def directory(tmp_path_factory, request):
    """A working directory with the examples, in which the document's first command has run."""
    place = tmp_path_factory.mktemp("work")
    for name in ("examples", ".cache"):
        (place / name).symlink_to(request.config.rootpath / name)
    generate, _, _ = commands()
    code, said = activated(generate, place)
    assert code == 0, said
    return place


def test_the_document_has_all_commands():
    assert list(commands()[2]) == list(SAYS)


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(
    "tool", [pytest.param(t, marks=pytest.mark.regress) if t == "sim" else t for t in SAYS]
)
def test_a_command_runs_as_it_stands(tool, directory, tmp_path):
    """Each command of the document prints its expected text; Vivado is replaced by `echo`."""
    if tool in ("iverilog", "python") and shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    (tmp_path / "vivado").write_text('#!/bin/sh\necho "called: $*"\n')
    (tmp_path / "vivado").chmod(0o755)
    _, enter, tools = commands()
    code, said = activated(f"{enter}\n{tools[tool]}", directory, first=tmp_path)
    assert code == 0, said
    assert SAYS[tool] in said
    assert "%Warning" not in said


@pytest.mark.in_turn
@pytest.mark.hdl
def test_the_c_compiles(directory, tmp_path):
    """The lines in C compile with the header of the directory that the first command creates."""
    if shutil.which("gcc") is None:
        raise ToolMissingError("gcc")
    text = DOCUMENT.read_text(encoding="utf-8")
    ((include, lines),) = re.findall(r"^    (#include .*)\n\n((?:    .*\n|\n)+)", text, re.M)
    source = tmp_path / "document.c"
    source.write_text(f"{include}\nvoid lines(void)\n{{\n{lines}(void)tuples, (void)count;\n}}\n")
    headers = directory / "build" / "cluster" / "registers"
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", headers]
    process = subprocess.run([*command, source], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")
