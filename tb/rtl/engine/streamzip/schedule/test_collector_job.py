"""Checks the values and lines that remain of a window whose oldest blocks have given way."""

import pytest

from rtl.engine.streamzip.schedule.collector_job import CollectorJob
from rtl.engine.streamzip.schedule.key_stream import Life, Window


@pytest.mark.parametrize(
    ("block", "values", "lines"),
    [
        (3, 30, 4),
        (4, 30, 4),  # the first block of the window
        (5, 25, 3),
        (6, 15, 2),
        (7, 5, 1),  # the growing block alone
    ],
)
def test_a_window_loses_the_values_of_blocks_that_gave_way(block, values, lines):
    """Blocks 4 to 6 have the values 40 to 69, and 5 values grow in block 7."""
    life = Life(block_begins=[0, 10, 20, 30, 40, 50, 60, 70])
    window = Window(first=4, count=7, lines=4, values=30, life=life, growing=5)
    job = CollectorJob(None, window, 3, 0.0, 0)
    assert (job.values, job.lines) == (30, 4)
    job.lose_blocks_before(block)
    assert (job.values, job.lines) == (values, lines)


def test_a_line_that_is_to_be_changed_has_no_values():
    assert CollectorJob(None, None, 1, 0.0, 0).values == 0
