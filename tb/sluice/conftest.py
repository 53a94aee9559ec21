"""Provides the Spark session and the cache of the tests of the library."""

import pytest

from golden.spark.session import session


@pytest.fixture(scope="session")
def spark():
    return session("local[2]")


@pytest.fixture(scope="session")
def cache(request):
    """Returns the path of the cache, which keeps results between runs of the tests."""
    return request.config.rootpath / ".cache"
