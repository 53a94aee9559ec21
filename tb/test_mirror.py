"""Checks that each file has its test: at the mirrored path, or in the table of its room.

The test must import the file, directly or through other files. A file ``__init__.py`` needs a test
if it has functions or classes of its own.
"""

import ast
from functools import cache

import pytest

from tb.mirror import ROOMS, ROOT, TABLE, covering_test, covering_tests, mirrored_test
from tb.mutants.nearest import Imports


def problems(files, tests, table, importing_tests):
    """Returns a line for each file without its test, and for each wrong line of the table.

    Parameters
    ----------
    files, tests : set of str
        The files that need a test, and the test files.
    table : dict of str to str
        The test that covers each file without a mirrored test.
    importing_tests : function of str to set of str
        Test files that import a file.
    """
    unmirrored = {file for file in files if mirrored_test(file) not in tests}
    folders = {f"{file.rpartition('/')[0]}/*.py" for file in unmirrored - table.keys()}
    lines = [
        f"{line}: no such file needs a test" for line in sorted(table.keys() - files - folders)
    ]
    for file in sorted(files):
        mirrored = mirrored_test(file)
        test = covering_test(file, table) if file in unmirrored else mirrored
        if file in table and file not in unmirrored:
            lines.append(f"{file}: has {mirrored}, and so needs no line in {TABLE}")
        elif test is None:
            lines.append(f"{file}: neither {mirrored} nor a line in {TABLE}")
        elif test not in tests:
            lines.append(f"{file}: {test} does not exist")
        elif test not in importing_tests(file):
            lines.append(f"{file}: {test} does not import it")
    return lines


def needs_test(path):
    if path.name != "__init__.py":
        return True
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body)


@cache
def imports():
    return Imports(ROOT)


def paths(folder, pattern="*.py"):
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(pattern)}


@pytest.mark.parametrize("room", ROOMS)
def test_each_file_has_its_test(room):
    files = {file for file in paths(room) if needs_test(ROOT / file)}
    assert files
    lines = problems(
        files, paths("tb", "test_*.py"), covering_tests(room), lambda f: imports().distances(f)
    )
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize(
    ("tests", "table", "imported", "line"),
    [
        (["test_a"], {}, ["test_a"], None),
        (["test_b"], {"rtl/a.py": "tb/rtl/test_b.py"}, ["test_b"], None),
        (["test_b"], {"rtl/*.py": "tb/rtl/test_b.py"}, ["test_b"], None),
        (
            ["test_b"],
            {"rtl/*.py": "tb/rtl/test_b.py"},
            [],
            "rtl/a.py: tb/rtl/test_b.py does not import it",
        ),
        (
            ["test_a"],
            {"rtl/*.py": "tb/rtl/test_a.py"},
            ["test_a"],
            "rtl/*.py: no such file needs a test",
        ),
        (
            ["test_b"],
            {"*.py": "tb/rtl/test_b.py", "rtl/a.py": "tb/rtl/test_b.py"},
            ["test_b"],
            "*.py: no such file needs a test",
        ),
        ([], {}, [], "rtl/a.py: neither tb/rtl/test_a.py nor a line in covered_by.toml"),
        (
            ["test_a", "test_b"],
            {"rtl/a.py": "tb/rtl/test_b.py"},
            ["test_a", "test_b"],
            "rtl/a.py: has tb/rtl/test_a.py, and so needs no line in covered_by.toml",
        ),
        (
            [],
            {"rtl/a.py": "tb/rtl/test_b.py"},
            [],
            "rtl/a.py: tb/rtl/test_b.py does not exist",
        ),
        (["test_a"], {}, [], "rtl/a.py: tb/rtl/test_a.py does not import it"),
        (
            ["test_b", "test_c"],
            {"rtl/a.py": "tb/rtl/test_b.py"},
            ["test_c"],
            "rtl/a.py: tb/rtl/test_b.py does not import it",
        ),
        (
            ["test_a"],
            {"rtl/gone.py": "tb/rtl/test_a.py"},
            ["test_a"],
            "rtl/gone.py: no such file needs a test",
        ),
    ],
)
def test_wrong_lines_and_missing_tests_are_noticed(tests, table, imported, line):
    names = {name: f"tb/rtl/{name}.py" for name in (*tests, *imported)}
    lines = problems(
        {"rtl/a.py"},
        {names[test] for test in tests},
        table,
        lambda file: {names[test] for test in imported},
    )
    assert lines == ([line] if line else [])
