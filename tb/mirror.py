"""Finds the test of a source file: at the mirrored path, or in the table of the file's room.

The mirrored test of ``rtl/stream/skid.py`` is ``tb/rtl/stream/test_skid.py``. A file without a
mirrored test has a line in ``tb/<room>/covered_by.toml``, which names the test that covers it. The
line of ``boards/*.py`` holds for all other files of the folder, so that a new board needs no line.
"""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("query", "caching", "golden", "rtl", "boards", "host", "sim", "gen", "sluice")
TABLE = "covered_by.toml"


def mirrored_test(file):
    """Returns the path of the mirrored test; the test need not exist."""
    path = Path(file)
    return f"tb/{path.parent.as_posix()}/test_{path.stem}.py"


def covering_tests(room, root=ROOT):
    """Returns the table of a room: tests of files and folders without mirrored tests."""
    path = Path(root) / "tb" / room / TABLE
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def covering_test(file, table):
    """Returns the test that a table names for a file, or for the file's folder; None without."""
    return table.get(file, table.get(f"{Path(file).parent.as_posix()}/*.py"))
