"""What every test shares: a missing tool is a skip that names the tool."""

import pytest
from amaranth.hdl import Elaboratable
from amaranth.lib.wiring import Component

from tb.harness.errors import ToolMissingError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except ToolMissingError as missing:
        pytest.skip(str(missing))


def _warn_of_unused(self, warn=Elaboratable.__del__):
    """amaranth's warning of what is made and never elaborated, which fails a test.

    It counts from the moment in which a constructor begins. A component that refuses its
    parameters was never made: it has no signature yet.
    """
    if not isinstance(self, Component) or hasattr(self, "signature"):
        warn(self)


Elaboratable.__del__ = _warn_of_unused
