"""Configures pytest for all tests: missing tools, the order of tests, and warnings."""

import gc
import os
import warnings
from pathlib import Path

import pytest
from amaranth.hdl import Elaboratable, UnusedElaboratable
from amaranth.lib.wiring import Component

from caching.place import VARIABLE
from gen.prediction import expected_rate as predicted
from sim.errors import ToolMissingError
from tb import missing_tools, passed_before
from tb.day import mark_cases_of_other_days

predicted.STOPS = True
# Results of tests stay in the tree, even of commands that have no option for a folder.
os.environ[VARIABLE] = str(Path(__file__).parents[1] / ".cache")
gc.set_threshold(50_000, 10, 10)  # a design has millions of objects, few of them garbage


pytest_addoption = passed_before.add_option
pytest_configure = passed_before.register


def pytest_collection_finish():
    """Excludes collected tests, which live until the end, from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Skips or fails a test whose tool is missing, see :func:`tb.missing_tools.end`."""
    try:
        return (yield)
    except ToolMissingError as missing:
        missing_tools.end(missing)
    except Exception as error:
        if isinstance(error.__cause__, ToolMissingError):
            missing_tools.end(error.__cause__)
        raise


@pytest.fixture
def free_components():
    """Frees the components that a test makes but never elaborates, without Amaranth's warning.

    Python may otherwise free them during a later test, which then fails by the warning.
    """
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusedElaboratable)
        gc.collect()


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups, and pytest the marks
def pytest_collection_modifyitems(items):
    """Sorts long tests first, and groups tests that build the same designs.

    Long tests go first, so that no core runs a long test alone at the end. With ``--dist
    loadgroup`` one worker runs all tests of a group, because a second worker could only wait for
    the same builds. A group is a file marked ``hdl``, or the long tests with the same value of the
    parameter that ``long(parameter)`` names. All other tests are distributed one by one.

    Of a test marked ``in_turn`` the cases of other days are left to `make regress`.
    """
    mark_cases_of_other_days(items)
    items.sort(key=lambda item: (_rank(item), str(item.path) if _rank(item) < 2 else ""))
    for item in items:
        if _rank(item) < 2:
            long = item.get_closest_marker("long")
            values = [item.callspec.params[name] for name in long.args] if long else []
            group = " ".join([item.nodeid.split("::")[0], *map(str, values)])
            item.add_marker(pytest.mark.xdist_group(group.replace("@", " ")))


def _rank(item):
    """Returns 0 for a long test, 1 for any other test with hardware, 2 for the remaining tests."""
    if item.get_closest_marker("long"):
        return 0
    return 1 if item.get_closest_marker("hdl") else 2


def _warn_if_unused(self, warn=Elaboratable.__del__):
    """Warns of a component that was never elaborated, except if its constructor raised an error.

    Amaranth's own method warns in both cases, and the warning fails a test. A component whose
    constructor raised an error has no signature.
    """
    if not isinstance(self, Component) or hasattr(self, "signature"):
        warn(self)


Elaboratable.__del__ = _warn_if_unused
