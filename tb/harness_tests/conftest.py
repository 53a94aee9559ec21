"""Fixtures of the harness tests."""

import pytest

from tb.harness.errors import ToolMissingError


@pytest.fixture(scope="session")
def build_cache(request):
    """Where builds are kept between runs of the tests, by content."""
    return request.config.rootpath / ".cache" / "harness"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """A missing tool is a skip with its name."""
    try:
        return (yield)
    except ToolMissingError as missing:
        pytest.skip(str(missing))
