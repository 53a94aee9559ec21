"""Rates for data of a shape, by hand."""

import pytest

from rtl.contract.shape import Pace, Shape


def test_even_data():
    assert Shape().by_time(10) == ((10, 1),)
    assert Shape(tuples_per_time=0.05).by_time(10) == ((1, 2),)
    assert Shape(tuples_per_time=0.5, counted_share=0.1).by_time(10) == ((10, 2),)
    assert Shape(counted_share=0.25).by_rows(8) == ((32, 1),)
    assert Pace(slide_cycles=3, shared_cycles=1).rate(((3, 1),)) == 3 / 5


def test_measured_data_replace_the_numbers():
    ends = ((3, 1), (5, 2))
    shape = Shape(window_ends=ends, counted_share=0.5, tuples_per_time=7)
    assert shape.by_rows(8) == shape.by_time(10) == ends


def test_slides_and_windows_that_are_read_take_cycles():
    """8 tuples and 3 slides of 3 cycles take 8 + 9 cycles, less one for each of the two ends."""
    assert Pace(slide_cycles=3, shared_cycles=1).rate(((3, 1), (5, 2))) == 8 / 15
    # A single pair is repeated for ever: the slower one of both stages counts, by itself.
    assert Pace(slide_cycles=3, window_cycles=4, window_backlog=9).rate(((3, 2),)) == 3 / 9
    assert Pace(slide_cycles=3, window_cycles=5, window_backlog=9).rate(((3, 2),)) == 3 / 10
    # Slides end at 2 + 3 = 5, at 8 and at 8 + 4 + 3 = 15, and reads at 5, 5 + 4 = 9 and 15.
    pace = Pace(slide_cycles=3, shared_cycles=1, window_cycles=4, window_backlog=9)
    assert pace.rate(((3, 2), (5, 1))) == 8 / 15


def test_numbers_whose_product_is_below_all_floats():
    """One tuple in 10^330 units of time counts, and no number is divided by 0."""
    ((tuples, slides),) = Shape(counted_share=1e-300, tuples_per_time=1e-30).by_time(10)
    assert tuples > 1e200
    assert slides > 1e300


def test_a_stage_that_falls_behind_holds_the_other_only_when_it_is_too_far():
    """Windows are read for 4 cycles; 3 end in 3 cycles, then 9 tuples come before the next."""
    ends = ((1, 1), (1, 1), (1, 1), (9, 1))
    # The first window is read from 0 on: reads end at 4, 8, 12; the last window ends at 12, too.
    assert Pace(window_cycles=4, window_backlog=9).rate(ends) == 12 / 16
    # Without a backlog the second window ends at 4, the third at 8, the last one 9 cycles later.
    assert Pace(window_cycles=4, window_backlog=0).rate(ends) == 12 / 17


def test_rows_leave_after_their_window_one_window_after_the_other():
    """Windows end after every 4 tuples; rows of the first two leave for 9 cycles each."""
    ends, row_cycles = ((4, 1), (4, 1), (4, 1), (4, 1)), [9, 9, 0, 0]
    # The rows leave from 4 to 13 and to 22, when all tuples have been taken.
    assert Pace(window_backlog=9).rate(ends, row_cycles) == 16 / 22
    # Without a backlog the second window ends at 13, the third at 22, the last 4 cycles later.
    assert Pace(window_backlog=0).rate(ends, row_cycles) == 16 / 26
    # Each window is read for 9 cycles, from cycle 0 on, even if its rows take fewer cycles.
    pace = Pace(window_cycles=9, window_backlog=9)
    assert pace.rate(ends, [0, 0, 0, 0]) == pace.rate(ends) == 16 / 36
    assert pace.rate(ends, [20, 0, 0, 0]) == 16 / (4 + 20 + 3 * 9)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"counted_share": 0}, "counted_share must be above 0 and at most 1, not 0"),
        ({"counted_share": 1.01}, "counted_share must be above 0 and at most 1, not 1.01"),
        ({"tuples_per_time": 0}, "tuples_per_time must be above 0, not 0"),
        ({"window_ends": ()}, "window_ends must have at least one end of windows, not none"),
    ],
)
def test_numbers_out_of_range(arguments, text):
    with pytest.raises(ValueError, match=f"^{text}$"):
        Shape(**arguments)
