"""Applies a check to all Python files of a room, such as ``query``."""

from pathlib import Path

ROOT = Path(__file__).parents[1]


def findings(room, find):
    """Returns a text for each finding, such as ``query/parser.py:12 parse``.

    ``find`` takes the source of a file, and yields the line and the name of each finding. A room
    without files is an error, since a check of nothing cannot fail.
    """
    paths = sorted((ROOT / room).rglob("*.py"))
    assert paths, f"{room} has no files"
    return [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in paths
        for line, name in find(path.read_text(encoding="utf-8"))
    ]
