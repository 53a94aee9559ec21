"""Provides a session in which a union of frames has the partitions of the frames."""

import pytest

from tb.golden.frames.split_frames import UNION


@pytest.fixture
def separate_partitions(spark, interpreted):
    """Lets a union of frames have the partitions of the frames."""
    spark.conf.set(UNION, "false")
    yield
    spark.conf.unset(UNION)
