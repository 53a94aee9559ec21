"""Provides the Spark session that all golden tests share."""

import pytest

from golden.spark.session import session

#: Setting of Spark that compiles plans.
COMPILING = "spark.sql.codegen.wholeStage"


@pytest.fixture(scope="session")
def spark():
    return session("local[2]")


@pytest.fixture
def interpreted(spark):
    """Lets Spark interpret plans: to compile a plan takes longer than to answer a small frame."""
    spark.conf.set(COMPILING, "false")
    yield
    spark.conf.unset(COMPILING)
