"""Finds the day of the commit, by which tests choose a part of a long list of cases."""

import shutil
import subprocess
from datetime import date
from pathlib import Path

from sim.errors import ToolMissingError

ROOT = Path(__file__).resolve().parents[1]


def day_of_head():
    """Returns the day of the commit; raises ToolMissingError without git or a repository."""
    if not (shutil.which("git") and (ROOT / ".git").exists()):
        raise ToolMissingError("git")
    command = ["git", "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return date.fromisoformat(text.strip())
