"""Provides the Spark session that all golden tests share."""

import pytest

from golden.session import session


@pytest.fixture(scope="session")
def spark():
    return session("local[2]")
