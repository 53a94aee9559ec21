"""Generates every engine for every board, and checks the directory with tools.

The Verilog goes through Verilator's lint with the shipped waivers (by FuseSoC), Icarus with the
first test, and Yosys. Tcl files run against stubs that record the commands. tb/boards tests the
contents of a board's files; this module tests the agreement of the files.
"""

import re
import shutil
import subprocess

import pytest

from boards import BOARDS
from boards.platforms.platform_board import PlatformBoard
from boards.ports import Ports
from gen.design.build import resolve
from gen.directory.design_files import design_files
from gen.verilog.yosys import run as run_yosys
from sim.errors import ToolMissingError
from tb.boards.platforms.projects import check_project
from tb.boards.tcl import interpreter, words
from tb.gen.examples import EXAMPLES
from tb.gen.fusesoc import FuseSoc

#: What stands for the tool whose scripts lie in a folder.
STUBS = {"vivado": "vivado_stub.tcl", "quartus": "quartus_stub.tcl", "ise": "ise_stub.tcl"}
#: Vendors' programs that FuseSoC would call for a build.
TOOLS = {"ultra96-v2": "vivado", "de5-net": "quartus_sh"}
#: Commands that name a file.
SOURCES = {"read_verilog", "read_xdc", "add_files", "xfile", "add_fileset_file"}
#: What begins a project, by the tools.
OPENS = {"create_project", "project_new", "create_system", "project"}
#: Those that run for each change.
EVERYDAY = {("two-stacks", "de5-net")}
PAIRS = [
    pytest.param(e, b, marks=() if (e, b) in EVERYDAY else pytest.mark.regress)
    for e in EXAMPLES
    for b in BOARDS
]


class Made:
    """The directory of an engine's example for a board."""

    def __init__(self, build, cache, directory):
        self.build, self.name, self.root = build, build.name, directory
        self.ports = Ports.of_design(build.name, build.design)
        self.files = design_files(build, cache)
        for path, text in self.files.items():
            place = directory / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)

    def commands(self, path):
        """Returns the commands of a script, each as a list of words."""
        record = self.root.parent / "record"
        stub = f"tb/boards/{STUBS[path.partition('/')[0]]}"
        process = subprocess.run(
            [*interpreter(), stub, self.root / path, record], capture_output=True, text=True
        )
        assert (process.returncode, process.stderr) == (0, ""), path
        return [words(line) for line in record.read_text().splitlines()]

    def scripts(self):
        kinds = (".tcl", ".qsf")
        return [p for p in self.files if p.endswith(kinds) and p.partition("/")[0] in STUBS]


@pytest.fixture
def made(examples, cache, tmp_path):
    def make(engine, board):
        build = resolve(examples / f"{EXAMPLES[engine]}.toml", board=board)
        assert build.design.engine == engine
        return Made(build, cache, tmp_path / "made")

    return make


@pytest.mark.in_turn
@pytest.mark.hdl
@pytest.mark.parametrize(("engine", "board"), PAIRS)
def test_tools_take_it(engine, board, made, tmp_path):
    directory = made(engine, board)
    check_fusesoc(directory, board, tmp_path)
    check_icarus(directory)
    check_yosys(directory)
    if isinstance(BOARDS[board], PlatformBoard):
        check_project(directory.files, directory.ports, directory.files[f"{directory.name}.v"])
    else:
        check_scripts(directory, BOARDS[board])


@pytest.mark.hdl
@pytest.mark.regress
@pytest.mark.parametrize("engine", ["group-by", "streamzip"])
def test_simulation_through_the_view(engine, made, tmp_path):
    """Simulates designs with ports other than AXI; tb/gen/test_fusesoc.py simulates AXI."""
    directory = made(engine, "de5-net")
    code, said = FuseSoc(tmp_path).run(directory.root, directory.name, "--target", "sim")
    assert code == 0, said
    assert f"PASS: {directory.name}\n" in said


def check_fusesoc(made, board, tmp_path):
    """Lint is silent, and the simulation and a build are set up."""
    fusesoc = FuseSoc(tmp_path)
    code, said = fusesoc.run(made.root, made.name, "--target", "lint")
    assert code == 0, said
    assert "%Warning" not in said
    code, said = fusesoc.run(made.root, made.name, "--target", "sim", "--setup")
    assert code == 0, said
    if board in TOOLS:
        fusesoc.spy(TOOLS[board])
        code, said = fusesoc.run(made.root, made.name, "--target", "build", "--setup")
        assert code == 0, said


def check_icarus(made):
    """Runs the line of the directory's README."""
    if shutil.which("iverilog") is None:
        raise ToolMissingError("iverilog")
    (line,) = re.findall(r"^    (iverilog .*)$", made.files["README.md"], re.MULTILINE)
    process = subprocess.run(line, shell=True, cwd=made.root, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    assert f"PASS: {made.name}\n" in process.stdout


def check_yosys(made):
    """Checks with Yosys: the Verilog is Verilog-2005, complete, without loops, and each wire has
    one driver.
    """
    script = f"read_verilog top.v; hierarchy -check -top {made.name}; proc; check -assert; "
    ports = run_yosys(
        f"{script} tee -o ports.txt portlist {made.name}",
        {"top.v": made.files[f"{made.name}.v"]},
        ["ports.txt"],
    )["ports.txt"]
    listed = re.findall(r"(input|output) +(?:\[(\d+):0\] )?(\w+)", ports)
    result = {(name, way, int(top or 0) + 1) for way, top, name in listed}
    assert result == set(made.ports.ports)


def check_scripts(made, board):
    """Checks that each script ends, and that part, top and files of the script exist."""
    opened = []
    for path in made.scripts():
        finished = made.commands(path)
        words = [word for command in finished for word in command]
        if path.endswith(".qsf") or any(command[0] in OPENS for command in finished):
            opened.append(path)
            # ISE asks for it in pieces: xc6vlx240t, -1, ff1156.
            assert board.part in words or set(re.split("(-[0-9])", board.part)) <= set(words), path
            assert any(made.name in word for word in words), path
        for command in finished:
            check_files(made, path, command)
        if path.endswith("system.tcl"):
            check_connections(made, finished)
    assert bool(opened) == bool(made.scripts()) == (board.part is not None)


def check_files(made, script, command):
    """Checks that each file named by a command exists, or is copied by the script."""
    folder = (made.root / script).parent
    kinds = (".v", ".xdc", ".ucf", ".sdc", "_assignments.tcl")
    named = [word for word in command[1:] if word.endswith(kinds)]
    assert named or command[0] not in SOURCES, command
    if command[0] == "add_fileset_file":  # it has a name, and a path
        named = [word for word in named if "/" in word]
    copied = {made.root / "vivado" / kind / f"{made.name}.v" for kind in ("ip", "kernel")}
    for name in named:
        assert (folder / name).exists() or (folder / name) in copied, command


def check_connections(made, done):
    """Checks that every bus of the top is connected once, by the tool's name for the bus."""
    vivado = any(command[0] == "create_bd_cell" for command in done)
    joined = [c[1:] for c in done if c[0] in ("connect_bd_intf_net", "add_connection")]
    ends = [end for pair in joined for end in pair if end.startswith("engine")]
    for bus in made.ports.buses:
        name = bus.name.upper() if vivado else bus.name
        assert sum(re.split("[/.]", end)[1] == name for end in ends) == 1, name
