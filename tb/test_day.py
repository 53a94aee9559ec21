"""Tests the choice of points by the day of the commit."""

from datetime import date, timedelta

import pytest

from sim.errors import ToolMissingError
from tb import day
from tb.day import FIRST_DAY, daily, places_of_day


def test_places_follow_those_of_the_day_before():
    days = [places_of_day(5, 2, FIRST_DAY + timedelta(days=k)) for k in range(4)]
    assert days == [[0, 1], [2, 3], [4, 0], [1, 2]]


def test_a_short_list_is_run_whole_each_day():
    assert sorted(places_of_day(3, 4, date(2026, 11, 26))) == [0, 1, 2]
    assert places_of_day(0, 4, FIRST_DAY) == []


@pytest.mark.parametrize("days", [0, 1, 20783])
def test_points_of_other_days_are_for_regress(monkeypatch, days):
    monkeypatch.setattr(day, "day_of_head", lambda: FIRST_DAY + timedelta(days=days))
    points = daily(["a", ("b", 1), "c"], 2)
    assert [point.values for point in points] == [("a",), ("b", 1), ("c",)]
    of_day = [point.values[0] for point in points if not point.marks]
    assert of_day == {0: ["a", "b"], 1: ["a", "c"], 2: ["b", "c"]}[days % 3]
    others = [mark.name for point in points for mark in point.marks]
    assert others == ["regress"]


def test_without_git_the_points_are_those_of_the_first_day(monkeypatch):
    def no_git():
        raise ToolMissingError("git")

    monkeypatch.setattr(day, "day_of_head", no_git)
    assert [bool(point.marks) for point in daily("abc", 1)] == [False, True, True]
