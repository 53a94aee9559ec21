"""Checks counters and flags that blocks declare, and the merged counters of several blocks."""

import pytest

from rtl.contract.counters import LATE, NAN, OVERRUN, Counter, Flag, errors, events, merged_counters


@pytest.mark.parametrize(("max_increment", "width"), [(1, 1), (2, 2), (3, 2), (4, 3), (64, 7)])
def test_an_event_holds_the_most_of_a_cycle(max_increment, width):
    layout = events((Counter(name="n", doc="", max_increment=max_increment),))
    assert layout.size == width


def test_events_and_errors_stand_in_the_order_of_their_declaration():
    counters = (NAN, Counter(name="tuples", doc="", max_increment=4), LATE)
    assert list(events(counters).members) == ["nan", "tuples", "late"]
    flags = tuple(Flag(name=name, doc="") for name in "ba")
    assert list(errors(flags).members) == ["b", "a"]
    assert (errors(flags).size, errors(()).size, events(()).size) == (2, 0, 0)


def test_what_two_blocks_count_is_counted_once_for_both():
    """Two blocks that may drop 1 in a cycle and a block that may drop 4 may drop 6 together; the
    counter has the first one's place."""
    four = Counter(name="overrun", doc=OVERRUN.doc, max_increment=4, dropped=True)
    merged = merged_counters((LATE, OVERRUN), (OVERRUN,), (NAN, four))
    assert [(counter.name, counter.max_increment) for counter in merged] == [
        ("late", 1),
        ("overrun", 6),
        ("nan", 1),
    ]
    assert all(counter.dropped for counter in merged)
    assert merged_counters() == merged_counters((), ()) == ()
