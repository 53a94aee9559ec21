"""What every test shares: a missing tool is a skip that names the tool."""

import pytest

from tb.harness.errors import ToolMissingError


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    except ToolMissingError as missing:
        pytest.skip(str(missing))
