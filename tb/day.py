"""Finds the day of the commit, by which tests choose a part of a long list of cases."""

import shutil
import subprocess
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from sim.errors import ToolMissingError

ROOT = Path(__file__).resolve().parents[1]
FIRST_DAY = date(1970, 1, 1)


@cache
def day_of_head():
    """Returns the day of the commit; raises ToolMissingError without git or a repository."""
    if not (shutil.which("git") and (ROOT / ".git").exists()):
        raise ToolMissingError("git")
    command = ["git", "log", "-1", "--format=%cd", "--date=format:%Y-%m-%d"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return date.fromisoformat(text.strip())


def places_of_day(length, count, day):
    """Returns ``count`` places of a list that belong to a day, counted from 0.

    The places follow those of the day before, and the last place is followed by the first. So each
    place has a day within ``ceil(length / count)`` days. Example: of 5 places, 2 a day, the first
    days have (0, 1), (2, 3), (4, 0), (1, 2).
    """
    first = (day - FIRST_DAY).days * count
    return [(first + k) % length for k in range(min(count, length))]


def daily(points, count):
    """Returns the points of a test, of which `make test` runs ``count``: each day the next ones.

    All other points are marked `regress`, so `make regress` runs all. Without git the points are
    those of the first day.

    Parameters
    ----------
    points : iterable
        Each element is a tuple of parameters, or one parameter.
    count : int
        Number of points of a day.
    """
    points = [point if isinstance(point, tuple) else (point,) for point in points]
    try:
        day = day_of_head()
    except ToolMissingError:
        day = FIRST_DAY
    places = places_of_day(len(points), count, day)
    return [
        pytest.param(*point, marks=() if place in places else pytest.mark.regress)
        for place, point in enumerate(points)
    ]
