"""The one Spark session of the golden tests."""

import pytest

from golden.session import session


@pytest.fixture(scope="session")
def spark():
    return session("local[2]")
