"""Tests the report of the line coverage, and that pre-commit runs the commands of ``make lint``."""

import re
from pathlib import Path

import yaml

from tb.coverage import report

ROOT = Path(__file__).parents[1]


def test_files_below_the_bar_are_named_lowest_first():
    counts = {"whole.py": (10, 0), "low.py": (10, 5), "edge.py": (10, 1), "lower.py": (4, 3)}
    assert report(counts).splitlines() == [
        " 25.0 %  lower.py",
        " 50.0 %  low.py",
        " 73.5 %  of all lines; 2 files are below 90 %",
    ]


def test_no_lines_count_as_covered():
    assert report({}) == "100.0 %  of all lines; 0 files are below 90 %"
    assert report({"empty.py": (0, 0)}) == "100.0 %  of all lines; 0 files are below 90 %"


def test_pre_commit_runs_what_lint_runs():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"^lint:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    commands = [line.strip().removeprefix("@") for line in recipe.splitlines()]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = [hook["entry"] for repository in hooks["repos"] for hook in repository["hooks"]]
    assert [entry.removeprefix(".venv/bin/") for entry in entries] == commands
