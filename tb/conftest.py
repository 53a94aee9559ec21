"""What every test shares: a missing tool is named, the longest tests go first."""

import pytest
from amaranth.hdl import Elaboratable
from amaranth.lib.wiring import Component

from tb import missing_tools
from tb.harness.errors import ToolMissingError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except ToolMissingError as missing:
        missing_tools.end(missing)


def pytest_collection_modifyitems(items):
    """So that no core is left with one of them at the end; workers take one test after another."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def _warn_of_unused(self, warn=Elaboratable.__del__):
    """amaranth's warning of what is made and never elaborated, which fails a test.

    It counts from the moment in which a constructor begins. A component that refuses its
    parameters was never made: it has no signature yet.
    """
    if not isinstance(self, Component) or hasattr(self, "signature"):
        warn(self)


Elaboratable.__del__ = _warn_of_unused
