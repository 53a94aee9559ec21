"""Finds the day of the commit, by which tests choose a part of a long list of cases."""

import shutil
import subprocess
import zlib
from collections import defaultdict
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from sim.errors import ToolMissingError

ROOT = Path(__file__).resolve().parents[1]
FIRST_DAY = date(1970, 1, 1)
#: Days in which all cases of a test marked ``in_turn`` run, if the mark names no other number.
DAYS = 20


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


def mark_cases_of_other_days(items):
    """Marks cases `regress` that another day runs, of tests marked ``in_turn(days)``.

    Without ``days`` the number is :data:`DAYS`.

    Of the cases of such a test each day runs every ``days``-th, in an order that mixes the values
    of all parameters: with ``in_turn(2)`` cases 0, 2, 4 ... on one day, and cases 1, 3, 5 ... on
    the next. With ``in_turn(2, by="name")`` the values of the parameter ``name`` take turns, so the
    cases of one design run on the same day. Cases that are already marked `regress` do not count.
    Without git, as in the copies of the tree for mutants, all cases run.
    """
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("in_turn") and not item.get_closest_marker("regress"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for test_cases in cases.values():
        mark = test_cases[0].get_closest_marker("in_turn")
        by = mark.kwargs.get("by")
        names = [
            item.nodeid if by is None else str(item.callspec.params[by]) for item in test_cases
        ]
        days = mark.args[0] if mark.args else DAYS
        mark_items_of_other_days(test_cases, names, days)


def mark_items_of_other_days(items, names, days):
    """Marks items `regress` whose names are those of another day.

    Each day runs every ``days``-th name, from a place that depends on the names. So tests with a
    single case are divided among the days. Without git no item is marked.
    """
    try:
        number = (day_of_head() - FIRST_DAY).days
    except ToolMissingError:
        return
    mixed = sorted((zlib.crc32(name.encode()), name) for name in set(names))
    number += mixed[0][0] if mixed else 0
    of_day = {name for k, (_, name) in enumerate(mixed) if (k + number) % days == 0}
    for item, name in zip(items, names, strict=True):
        if name not in of_day:
            item.add_marker(pytest.mark.regress)
