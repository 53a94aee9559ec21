"""Fixtures of the tests of the room `sim`."""

import pytest


@pytest.fixture(scope="session")
def build_cache(request):
    """Returns the folder of builds, which later test runs and the tests of rtl reuse."""
    return request.config.rootpath / ".cache" / "tb"
