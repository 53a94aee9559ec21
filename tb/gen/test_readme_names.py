"""Every name in every README exists: ports, registers, files, fields, settings, commands."""

import json
import os
import re
import subprocess
from collections import Counter

import numpy as np
import pandas
import pytest

from gen.directory.regmap import exports
from host import engine as host_engine
from host.backend import Backend
from host.description import Description
from query.window import Range
from rtl.contract.options import option_fields
from rtl.engine import ENGINES
from sim.errors import ToolMissingError
from tb.gen.readmes import FACES, KINDS, build_of, builds, quick_readmes, to_csv
from tb.host.tables import random_tuples

#: Words of programs, buses and tools that no file of a directory declares.
WORDS = {
    *("read", "write", "transfer", "close", "Engine.open", "host/backend.py"),
    *("board", "wire", "connect", "tlast", "tuser", "endofpacket", "busy", "v++", "Engine"),
    *("--board", "--set punctuations=made", "--set end_marker=true", "--set host_link=true"),
}
#: Ends of the names of files that tools write: the design's name comes first, and no script of the
#: directory has the whole name.
TOOLS_OWN = ("_map.mrp", ".twr")
#: Shell code that stands for each vendor's tool. It fails for unknown arguments and missing files.
STUBS = {
    "vivado": '[ "$1 $2 $3" = "-mode batch -source" ] && [ $# = 4 ] && [ -f "$4" ]',
    "xtclsh": '[ $# = 1 ] && [ -f "$1" ]',
    "quartus_sh": '{ [ "$1" = -t ] && [ $# = 2 ] && [ -f "$2" ]; } || '
    '{ [ "$1 $2" = "--flow compile" ] && [ $# = 3 ] && [ -f "$3.qsf" ]; }',
}


@pytest.fixture(scope="module")
def readmes():
    """All READMEs by the names of their kinds."""
    return quick_readmes(builds())


def test_there_are_all_kinds():
    """Each engine with and without WHERE, a network, each board, selected results, evictions."""
    result = builds().values()
    for board in ("ultra96-v2", "de5-net", "ml605", "generic", None):
        mine = [b for b in result if (b.board and b.board.name) == board]
        kinds = {(b.design.engine, b.query.where is not None, b.design.face.network) for b in mine}
        assert len(kinds) >= 2 * len(ENGINES) + 4
        assert any(b.design.settings.functions and b.design.face.network for b in mine)
        assert any(len(b.design.streams) > 2 for b in mine)
        assert any(b.design.input.punctuations for b in mine)


def test_every_name_exists(readmes):
    unknown = Counter()
    for kind, readme in readmes.items():
        known_names = WORDS | names_of(readme)
        text = readme.text
        for name in readme.names:
            if (
                name not in known_names
                and not made_by_a_script(name, readme)
                and not is_command(name)
            ):
                unknown[f"{kind}: {name}"] += 1
        for action, register, address, _ in readme.steps:
            assert bool(register) == (action != "send")
            assert not register or readme.registers[register].address == address, kind
        assert "${" not in text
    assert sorted(unknown) == []


def names_of(readme):
    """Returns every name that other files of the directory declare."""
    design, ports = readme.design, readme.ports
    options = [f.name for engine in ENGINES.values() for f in option_fields(engine.options)]
    return {
        *readme.files, *(path.rpartition("/")[0] + "/" for path in readme.files),
        *(path.rpartition("/")[2] for path in readme.files),
        *readme.registers, *(name.removesuffix("_low") for name in readme.registers),
        *(bus.name for bus in ports.buses), ports.clock, ports.reset,
        *(flag.name for flag in readme.registers["status"].fields),
        *(field.name for field in design.input.packing.fields),
        *(field.name for field in design.rows.packing.fields),
        *design.settings.functions, *design.input.sorted_by, *options, design.engine,
    }  # fmt: skip


def made_by_a_script(name, readme):
    """True for a file or a folder that a script of the directory names."""
    scripts = [text for path, text in readme.files.items() if path.endswith((".tcl", ".qsf"))]
    if name.endswith(TOOLS_OWN):
        return any("process run" in text for text in scripts)
    stem, _, kind = name.rstrip("/").rpartition("/")[2].partition(".")
    # Quartus calls its output as the project that its script opens.
    word = stem if kind == "sof" else name.rstrip("/").rpartition("/")[2]
    return any(re.search(rf"\b{re.escape(word)}\b", text) for text in scripts)


def is_command(name):
    return name.startswith("ping ")


def test_ports_are_those_that_there_are(readmes):
    """Each port has a line in the table, and the text names other buses in one sentence only."""
    for kind, readme in readmes.items():
        buses = {bus.name for bus in readme.ports.buses}
        rows = re.findall(r"^\| `(\w+)` \| A[-\w]* \w+ \| \d+ \|$", readme.text, re.MULTILINE)
        assert set(rows) == buses, kind
        spoken = [name for name in readme.names if re.match("[sm]_axi|sink|source", name)]
        assert set(spoken) <= buses, kind


def test_what_is_said_of_hardware_is_true(readmes):
    """The text names PYNQ and a bitstream exactly if a script builds a bitstream for PYNQ.

    It names a driver exactly if the directory has the driver.
    """
    for kind, readme in readmes.items():
        pynq = "vivado/system.tcl" in readme.files
        assert ("PYNQ" in readme.text) == pynq, kind
        assert (".bit`" in readme.text) == pynq, kind
        driver = f"registers/{readme.build.name}_driver.h" in readme.files
        assert ("_driver" in readme.text) == driver, kind
        assert driver != readme.design.face.network
        jtag = "quartus/system.tcl" in readme.files and not readme.design.input.punctuations
        assert ("System Console" in readme.text.partition("## From Python")[2]) == jtag, kind
        promised = pynq or "vivado/package_xo.tcl" in readme.files or jtag
        promised = promised or readme.design.input.punctuations  # which no DMA can send
        if not promised and "python" in readme.programs and not readme.design.face.network:
            assert "so there is no hardware that the program can open yet" in readme.text, kind


@pytest.mark.in_turn
def test_the_network_is_brought_up(readmes):
    """All network registers are written, the own MAC last; both ends equal those of the program."""
    for kind, readme in readmes.items():
        written = [(r, value) for action, r, _, value in readme.steps if action == "write"]
        described = json.loads(readme.files["manifest.json"])
        network = [
            r for s in described.get("network", {}).get("settings", ()) for r in s["registers"]
        ]
        if not readme.design.face.network:
            assert network == [], kind
            continue
        assert len(network) >= 8
        assert set(network) <= {register for register, _ in written}, kind
        assert [register for register, _ in written[-2:]] == ["mac_low", "mac_high"], kind
        values = {register: int(v, 16) for register, v in written if register in network}
        ends = re.findall(r'\("([\d.]+)", (\d+)\)', readme.programs["python"])
        for prefix, (address, port) in zip(("", "to_"), ends, strict=True):
            parts = bytes(map(int, address.split(".")))
            assert values[f"{prefix}address"] == int.from_bytes(parts, "big"), kind
            assert values[f"{prefix}port"] == int(port), kind


@pytest.mark.in_turn
def test_commands_are_what_tools_take(readmes, tmp_path):
    """Stubs of the vendors' tools check each distinct set of lines; any line may be the first."""
    for tool, accepts in STUBS.items():
        (tmp_path / tool).write_text(f"#!/bin/sh\n{accepts}\n")
        (tmp_path / tool).chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    finished, ran = set(), 0
    for kind, readme in readmes.items():
        *lines, first_test = readme.commands
        for path in re.findall(r"\S+\.s?v\b", first_test):
            assert path in readme.files, kind
        shape = tuple(line.replace(readme.build.name, "top") for line in lines)
        if not lines or shape in finished:
            continue
        finished.add(shape)
        directory = tmp_path / f"{len(finished)}"
        for path, text in readme.files.items():
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            (directory / path).write_text(text)
        for line in lines:
            code = subprocess.run(line, shell=True, cwd=directory, env=environment).returncode
            assert code == 0, f"{kind}: {line}"
            ran += 1
    assert ran >= 10


def test_c_programs_compile(readmes, tmp_path):
    """The C programs for datagrams compile; tb/gen/directory/test_readme.py has the others."""
    chosen = {t.design.engine: t for t in reversed(readmes.values()) if t.design.face.network}
    assert set(chosen) == set(ENGINES)
    sources = []
    for engine, readme in chosen.items():
        directory = tmp_path / engine
        directory.mkdir()
        headers = exports(readme.registers.values(), readme.ports)
        name = f"{readme.build.name}_host.h"
        headers[name] = readme.files[f"registers/{name}"]
        for path, text in headers.items():
            (directory / path).write_text(text)
        (directory / "first.c").write_text(readme.programs["c"])
        sources.append(str(directory / "first.c"))
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *sources]
    try:
        process = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise ToolMissingError("gcc") from None
    assert (process.returncode, process.stderr) == (0, "")


def test_python_programs_compile_and_set_start_where_they_must(readmes):
    """With WHERE the host class cannot know the start of window 0, see tb/host/test_errors.py."""
    for kind, readme in readmes.items():
        program = readme.programs["python"]
        compile(program, "README.md", "exec")
        unknown = readme.design.query.where is not None and "start" in readme.registers
        unknown = unknown or (
            readme.design.query.where is not None and "start_low" in readme.registers
        )
        assert ("start=start" in program) == (unknown and not readme.design.face.network), kind
        punctuations, where = readme.design.input.punctuations, readme.design.query.where
        has_punctuations = punctuations and where is not None
        assert ("punctuations=punctuations" in program) == has_punctuations, kind
        assert ("choose=write_function" in program) == (
            readme.design.face.network and bool(readme.design.settings.functions)
        ), kind


class Taking(Backend):
    """Board that takes every tuple and gives no row, with counting registers and no engine."""

    takes_punctuations = True

    def __init__(self, description):
        self._names = {at: name for name, at in description.registers.items()}
        self._values = {"magic": int(description.host["magic"], 16)}
        self._values["configuration"] = description.configuration
        self.starts = []

    def read(self, address):
        return self._values.get(self._names[address], 0)

    def write(self, address, value):
        self._values[self._names[address]] = value

    def transfer(self, tuples, finished, punctuations=()):
        count = len(tuples) - np.count_nonzero(punctuations)
        self._values["tuples_low"] = self._values.get("tuples_low", 0) + count
        self.starts.append(self._values.get("start", self._values.get("start_low")))
        return {"m_axis": []}

    def close(self):
        pass


def test_python_programs_run_to_their_end(readmes, tmp_path, monkeypatch):
    """Each program sends its table to a board without rows, with ``start`` where WHERE hides it.

    tb/gen/test_readme_runs.py runs the programs for datagrams.
    """
    monkeypatch.chdir(tmp_path)
    ran = 0
    for kind, readme in readmes.items():
        design, text = readme.design, readme.programs.get("python", "")
        if not kind.endswith("; None; ") or "from host import Engine" not in text:
            continue
        (tmp_path / "manifest.json").write_text(readme.files["manifest.json"])
        to_csv(design, random_tuples(design, 20, 5), "data.csv")
        board = Taking(Description.read(tmp_path))
        monkeypatch.setattr(host_engine, "backend_of", lambda *_, board=board: board)
        exec(compile(text, kind, "exec"), {})
        assert len(board.starts) == max(1, len(design.settings.functions)), kind
        assert (None in board.starts) != isinstance(design.query.window, Range), kind
        ran += 1
    assert ran == len(KINDS)


def test_texts_are_read_as_they_are(tmp_path, monkeypatch):
    """Texts that look like numbers, or like missing values, stay texts."""
    build = build_of("streamzip, constants")
    text = quick_readmes({"texts": build})["texts"].programs["python"]
    (line,) = re.findall(r"^table = .*$", text, re.MULTILINE)
    (key,) = (c.name for c in build.query.schema.columns if str(c.type).startswith("string"))
    pandas.DataFrame({key: ["007", "NA", "", "x"], "x": np.arange(4)}).to_csv(tmp_path / "data.csv")
    monkeypatch.chdir(tmp_path)
    space = {"pandas": pandas}
    exec(line, space)
    assert space["table"][key].tolist() == ["007", "NA", "", "x"]
    assert space["table"]["x"].tolist() == [0, 1, 2, 3]


def test_there_is_a_readme_of_each_face(readmes):
    """Few designs refuse a face, so each face has READMEs of most kinds."""
    for face in FACES:
        readme = ", ".join(f"{option}={value}" for option, value in face.items())
        assert sum(kind.endswith(f"; {readme}") for kind in readmes) > 2 * len(KINDS)
