"""READMEs of generated directories of every kind, and the names and programs in them."""

import re
from decimal import Decimal
from functools import cache
from pathlib import Path

import pandas
import pytest

from boards import BOARDS
from boards.platforms.platform_board import PlatformBoard
from boards.ports import Ports
from gen.design.build import Build, face_of
from gen.directory import design_files
from gen.directory.whole_directory import write_directory
from query.design import DesignPoint
from query.types import Fixed
from rtl.bus.top_registers import registers_of
from tb.rtl.engine import time_bench
from tb.rtl.engine.points import DESIGNS, WHERE

#: Designs of every kind: engines, WHERE, results=select, constants, evictions, punctuations.
KINDS = DESIGNS | {
    "pane, where": time_bench.point("pane", where=WHERE),
    "window-id, where": time_bench.point("window-id", "fixed(20,3)", where=WHERE),
}
#: Options of the bus beside those that a board has by itself.
FACES = ({}, {"network": True}, {"bus_bits": 64}, {"bus": "vitis"})
STEP = re.compile(
    r"^\| (\d+) \| (\w+) \| (?:`(\w+)`)? ?\| ?(0x[0-9a-f]+)? ?\| ([^|]*?) ?\| (.*) \|$",
    re.MULTILINE,
)
#: Says what streams are called that are no ports.
INNER_STREAMS = re.compile(r"Inside, the two streams[^.]*\.|Counters call[^.]*\.")
FENCE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def build_of(name, board=None, face=None):
    """The build of a kind, on a board and with options of the bus, as a command line makes it.

    Raises ValueError where the design cannot have them.
    """
    design, board = KINDS[name], BOARDS.get(board)
    faced, refused = design.with_face(face_of(face or {})), None
    if board is not None:
        try:
            faced = design.with_face(face_of(face or {}, board.face_for(design.rows)))
        except ValueError as error:
            refused = str(error)
    file = Path("".join(c if c.isalnum() else "_" for c in name) + ".cql")
    point = DesignPoint(query=design.query, query_file=file, file=file, engine=design.engine)
    return Build(point=point, design=faced, board=board, refused=refused)


@cache
def builds():
    """Returns every kind of design on every board with every possible face, by name.

    Boards with an Amaranth platform are left out: `tb/boards/platforms` tests their projects.
    """
    result = {}
    boards = [name for name, board in BOARDS.items() if not isinstance(board, PlatformBoard)]
    for name in KINDS:
        for board in (*boards, None):
            for face in FACES:
                try:
                    build = build_of(name, board, face)
                except ValueError:
                    continue
                readme = ", ".join(f"{option}={value}" for option, value in face.items())
                result[f"{name}; {board}; {readme}"] = build
    return result


class Readme:
    """Holds the README of a generated directory, its design and all files of the directory."""

    def __init__(self, build, files):
        self.build, self.files = build, files
        self.design, self.registers = build.design, registers_of(build.design)
        self.ports = Ports.of_design(build.name, build.design)
        self.text = files["README.md"]
        self.programs = dict(FENCE.findall(self.text))

    @property
    def steps(self):
        """Action, register, address and value of each step; the last three may be empty."""
        return [
            (action, register, int(address or "0", 16), value)
            for _, action, register, address, value, _ in STEP.findall(self.text)
        ]

    @property
    def commands(self):
        """The lines of the part on building that a user types."""
        section = self.text.partition("## Build\n")[2].partition("## Ports")[0]
        return re.findall(r"^    (.*)$", section, re.MULTILINE)

    @property
    def names(self):
        """Every name in backticks outside of programs, and of the sentence on streams inside."""
        return re.findall(r"`([^`\n]+)`", INNER_STREAMS.sub("", FENCE.sub("", self.text)))


def quick_readmes(actual):
    """Returns the README of each build, with all other files.

    The Verilog is empty, and of the register map only the header for the programs is written, since
    the others take long.
    """
    first = next(iter(actual.values()))
    ports = Ports.of_design(first.name, first.design)
    forms = design_files.exports(registers_of(first.design).values(), ports)

    def named(_, ports, **__):
        return {path.replace(first.name, ports.top): "" for path in forms}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(design_files, "verilog_of", lambda *_: "")
        patch.setattr(design_files, "exports", named)
        generated_files = {
            name: design_files.design_files(build, "none") for name, build in actual.items()
        }
    return {name: Readme(actual[name], files) for name, files in generated_files.items()}


def written(build, directory, cache):
    """The README of a build, with all files in a directory."""
    files = design_files.design_files(build, cache)
    write_directory(directory, files)
    return Readme(build, files)


def to_csv(design, tuples, path):
    """Writes the tuples as a user has them, with fixed point as decimal numbers."""
    columns = {}
    for name in tuples.table.column_names:
        values, type_ = tuples.table[name].to_pylist(), design.query.schema[name].type
        if isinstance(type_, Fixed):
            values = [f"{Decimal(value) / 2**type_.fraction:f}" for value in values]
        columns[name] = values
    pandas.DataFrame(columns, dtype=object).to_csv(path, index=False, na_rep="nan")
