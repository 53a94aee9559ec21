"""Tests the choice of points by the day of the commit."""

from datetime import date, timedelta
from types import SimpleNamespace

import pytest

from sim.errors import ToolMissingError
from tb import day
from tb.day import FIRST_DAY, daily, mark_cases_of_other_days, places_of_day


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


class Case:
    """A collected case of a test, with its marks."""

    def __init__(self, nodeid, *marks):
        self.nodeid, self._marks = nodeid, {mark.name: mark.mark for mark in marks}

    def get_closest_marker(self, name):
        return self._marks.get(name)

    def add_marker(self, mark):
        self._marks[mark.name] = mark.mark


def cases_of_day(monkeypatch, days, *more):
    """Returns the names of the cases that one day runs, of a test in turn and of another."""
    monkeypatch.setattr(day, "day_of_head", lambda: FIRST_DAY + timedelta(days=days))
    turns = [Case(f"t.py::test_a[{k}]", pytest.mark.in_turn(2)) for k in range(5)]
    others = [Case(f"t.py::test_b[{k}]") for k in range(3)]
    items = [*turns, *more, *others]
    mark_cases_of_other_days(items)
    return [item.nodeid for item in items if not item.get_closest_marker("regress")]


def test_tests_with_one_case_are_divided_among_the_days(monkeypatch):
    names = [f"t.py::test_{k}" for k in range(20)]
    days = []
    for number in range(2):
        items = [Case(name, pytest.mark.in_turn(2)) for name in names]
        monkeypatch.setattr(day, "day_of_head", lambda n=number: FIRST_DAY + timedelta(days=n))
        mark_cases_of_other_days(items)
        days.append({item.nodeid for item in items if not item.get_closest_marker("regress")})
    assert days[0] | days[1] == set(names)
    assert not days[0] & days[1]
    assert all(days)


def test_cases_for_regress_change_nothing(monkeypatch):
    marks = pytest.mark.in_turn(2), pytest.mark.regress
    for days in range(2):
        long = [Case(f"t.py::test_a[long {k}]", *marks) for k in range(5)]
        assert cases_of_day(monkeypatch, days, *long) == cases_of_day(monkeypatch, days)


def test_without_git_all_cases_run(monkeypatch):
    def no_git():
        raise ToolMissingError("git")

    monkeypatch.setattr(day, "day_of_head", no_git)
    items = [Case(f"t.py::test_a[{k}]", pytest.mark.in_turn(2)) for k in range(5)]
    mark_cases_of_other_days(items)
    assert not any(item.get_closest_marker("regress") for item in items)


def test_cases_of_one_design_run_on_the_same_day(monkeypatch):
    monkeypatch.setattr(day, "day_of_head", lambda: FIRST_DAY)
    turn = pytest.mark.in_turn(2, by="name")
    items = [Case(f"t.py::test_a[{name}-{k}]", turn) for name in "abc" for k in range(3)]
    for item in items:
        item.callspec = SimpleNamespace(params={"name": item.nodeid[len("t.py::test_a[")]})
    mark_cases_of_other_days(items)
    of_day = [item.nodeid[-4] for item in items if not item.get_closest_marker("regress")]
    assert len(of_day) in (3, 6)
    assert all(of_day.count(name) == 3 for name in of_day)


def test_a_mark_without_days_means_twenty(monkeypatch):
    names = [f"t.py::test_a[{k}]" for k in range(40)]
    runs = []
    for k in range(20):
        monkeypatch.setattr("tb.day.day_of_head", lambda k=k: FIRST_DAY + timedelta(k))
        items = [Case(name, pytest.mark.in_turn) for name in names]
        mark_cases_of_other_days(items)
        runs.append([item.nodeid for item in items if item.get_closest_marker("regress") is None])
    assert [len(run) for run in runs] == [2] * 20
    assert sorted(name for run in runs for name in run) == sorted(names)


def test_two_days_run_all_cases_in_turn(monkeypatch):
    first, second = (cases_of_day(monkeypatch, days) for days in (20783, 20784))
    assert [sum("test_a" in name for name in names) for names in (first, second)] == [2, 3]
    assert sorted({*first, *second}) == [
        *(f"t.py::test_a[{k}]" for k in range(5)),
        *(f"t.py::test_b[{k}]" for k in range(3)),
    ]
    assert not {name for name in first if "test_a" in name} & {*second}
    assert cases_of_day(monkeypatch, 20785) == first
