"""Checks from which block on windows are read, by hand."""

from rtl.engine.streamzip.schedule.block_feedback import BlockFeedback


def test_windows_are_read_from_the_last_reported_block_on():
    feedback = BlockFeedback()
    feedback.report(50, 2)
    feedback.report(90, 3)
    assert [feedback.block_at(cycle) for cycle in (0, 49, 50, 89, 90, 500)] == [0, 0, 2, 2, 3, 3]


def test_the_first_report_of_a_block_or_a_later_one():
    feedback = BlockFeedback()
    feedback.report(50, 2)
    feedback.report(90, 4)
    assert [feedback.cycle_of(block) for block in (0, 1, 2, 3, 4, 5)] == [0, 50, 50, 90, 90, None]


def test_a_report_never_goes_back():
    """A walk reports block 4, the head of a chain, after a decoder has reported block 6."""
    feedback = BlockFeedback()
    for cycle, block in ((50, 6), (60, 4), (70, 8)):
        feedback.report(cycle, block)
    assert [feedback.block_at(cycle) for cycle in (55, 65, 75)] == [6, 6, 8]
    assert [feedback.cycle_of(block) for block in (4, 6, 7)] == [50, 50, 70]


def test_a_report_does_not_overtake_the_one_before():
    """A report for cycle 40 after one for cycle 50 counts from cycle 50 on."""
    feedback = BlockFeedback()
    for cycle, block in ((50, 2), (40, 3)):
        feedback.report(cycle, block)
    assert feedback.cycle_of(3) == 50
    assert [feedback.block_at(cycle) for cycle in (45, 50)] == [0, 3]
