"""Checks the cycles in which a queue has room, by hand."""

from rtl.engine.streamzip.schedule.queue_places import QueuePlaces


def test_the_third_item_waits_for_the_first():
    """Two places: two items enter in cycle 0, and leave in cycles 5 and 9."""
    queue = QueuePlaces(2)
    for _ in range(2):
        assert (queue.full, queue.next) == (False, 0)
        queue.enter()
    assert queue.full
    queue.leave(5)
    assert (queue.full, queue.next) == (False, 5)
    queue.enter()
    queue.leave(9)
    assert queue.next == 9
