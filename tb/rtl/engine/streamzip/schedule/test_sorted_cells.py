"""Checks the modelled cycles of sorted values by hand, and against the component's cycles."""

import random

import pytest

from rtl.engine.streamzip.schedule.sorted_cells import SortedCells
from rtl.keyed.cache.sorted_values import SortedValues
from tb.bench.unit import run_streams
from tb.rtl.keyed.cache.plans import cache_of
from tb.rtl.keyed.cache.sorted_changes import FRACTIONS, TIMES, payloads, row_changes, time_changes


def test_a_value_takes_a_cycle_for_each_line():
    """Lines have 4 cells, and windows 10 values: the 5th and the 9th value begin a line."""
    cells = SortedCells(4, 4)
    assert [cells.enter("key", 10, False) for _ in range(12)] == [1] * 4 + [2] * 4 + [3] * 4
    assert cells.enter("key", 10, True) == 4
    assert cells.enter("key", 10, False) == 1


def test_values_that_leave_together_take_a_pass_each():
    """Window 0 expires the five values of slide 0, and one of them leaves with the next change.

    Window 1 waits until three more have left, one in each pass.
    """
    cells = SortedCells(4, 4)
    assert [cells.change("key", slide=0) for _ in range(5)] == [1, 1, 1, 1, 2]
    assert cells.change("key", closes=0, hit=True) == 2
    assert cells.change("key", slide=2) == 2  # one leaves, one enters: 5 cells
    # Of 5, 4, 3 and 2 cells, and room for one more.
    assert cells.change("key", closes=1, hit=True) == 2 + 2 + 1 + 1


def cycles_of(plan, changes, outputs):
    """Returns the cycles from the first change to the last."""
    run = run_streams(SortedValues(plan), {"i": payloads(changes)}, {"o": outputs})
    cycles = run["i"].cycles
    return cycles[-1] - cycles[0]


def test_the_component_takes_as_long_with_windows_of_rows():
    changes, answers = row_changes(random.Random(1), 2, 9, 90)
    cells = SortedCells(4, 4)
    modelled = [cells.enter(c["place"], 9, "claims" in c) for c in changes]
    cycle_count = cycles_of(cache_of(2, 4, FRACTIONS), changes, len(answers))
    assert cycle_count == sum(modelled[:-1])


@pytest.mark.parametrize("joins", [False, True])
def test_the_component_takes_as_long_with_windows_of_time(joins):
    changes, answers = time_changes(random.Random(2), 2, 120, joins)
    cells, modelled = SortedCells(4, 4), []
    for change in changes:
        named = {"claims": "claims" in change, "hit": "hit" in change}
        named |= {"closes": change.get("number"), "slide": change.get("slide")}
        modelled.append(cells.change(change["place"], **named))
    cycle_count = cycles_of(cache_of(2, 4, FRACTIONS, TIMES), changes, len(answers))
    assert cycle_count == sum(modelled[:-1])
