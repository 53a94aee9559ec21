"""Provides the Spark session of the operator's tests."""

import pytest

from golden.spark.session import session


@pytest.fixture(scope="session")
def spark():
    return session("local[2]")
