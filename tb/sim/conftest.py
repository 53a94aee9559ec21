"""Fixtures of the tests of the room `sim`."""

import pytest


@pytest.fixture(scope="session")
def build_cache(request):
    """Where builds are kept between runs of the tests, by content; shared with those of rtl/."""
    return request.config.rootpath / ".cache" / "tb"
