"""What every test shares: a missing tool is named, and who takes which test when."""

import gc
import os
from pathlib import Path

import pytest
from amaranth.hdl import Elaboratable
from amaranth.lib.wiring import Component

from caching.place import VARIABLE
from gen.prediction import expected_rate as predicted
from sim.errors import ToolMissingError
from tb import missing_tools

predicted.STOPS = True
# What a test makes stays in its tree, also in a command that names no folder.
os.environ[VARIABLE] = str(Path(__file__).parents[1] / ".cache")
gc.set_threshold(50_000, 10, 10)  # of a design's millions of objects few are garbage


def pytest_collection_finish():
    """What lives as long as the tests do is not looked at again for garbage."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except ToolMissingError as missing:
        missing_tools.end(missing)


@pytest.hookimpl(tryfirst=True)  # xdist reads the groups in the same hook
def pytest_collection_modifyitems(items):
    """The longest go first, so that no core is left with one of them at the end.

    With ``--dist loadgroup`` a worker takes what builds the same designs all by itself, for another
    one could only wait for it: of the long tests those that agree in the parameter which
    ``long(parameter)`` names, and else a file of ``hdl``. All others are taken one by one.
    """
    items.sort(key=lambda item: (_rank(item), str(item.path) if _rank(item) < 2 else ""))
    for item in items:
        if _rank(item) < 2:
            long = item.get_closest_marker("long")
            values = [item.callspec.params[name] for name in long.args] if long else []
            group = " ".join([item.nodeid.split("::")[0], *map(str, values)])
            item.add_marker(pytest.mark.xdist_group(group.replace("@", " ")))


def _rank(item):
    """0 for a long test, 1 for another one with hardware, 2 for the others."""
    if item.get_closest_marker("long"):
        return 0
    return 1 if item.get_closest_marker("hdl") else 2


def _warn_of_unused(self, warn=Elaboratable.__del__):
    """amaranth's warning of what is made and never elaborated, which fails a test.

    It counts from the moment in which a constructor begins. A component that refuses its
    parameters was never made: it has no signature yet.
    """
    if not isinstance(self, Component) or hasattr(self, "signature"):
        warn(self)


Elaboratable.__del__ = _warn_of_unused
