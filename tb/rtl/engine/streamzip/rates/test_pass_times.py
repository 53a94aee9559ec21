"""Checks the typical numbers of passes with pivots, and their cycles, by hand."""

import pytest

from rtl.engine.streamzip.rates.pass_times import Passes, first_passes, usual_passes


def passes(**changed):
    numbers = {
        "latency": 20,
        "decoding": 0,
        "first": 3.0,
        "usual": 1.0,
        "under_way": 1,
        "lines": 64,
    }
    return Passes(**numbers | changed)


def test_serial_decoders_take_their_steps_in_each_pass():
    """A further pass takes its 10 lines, the latency 20, 2 cycles more, and the decoding."""
    assert passes(decoding=28).cycles_of(10, 3) == 10 + 2 * (10 + 20 + 2 + 28)
    assert passes(decoding=28).cycles_of(10, 1) == 10


def test_windows_that_are_searched_together_share_further_passes():
    """A further pass takes 10 + 22 cycles, into which the passes of 3.2 windows fit."""
    assert passes().cycles_of(10, 2, together=2) == 10 + 32 / 2
    assert passes().cycles_of(10, 3, together=10) == pytest.approx(10 + 2 * 10)


@pytest.mark.parametrize(("slide", "usual"), [(1, 1), (4, 1), (8, 1.6), (64, 3.4)])
def test_usual_passes(slide, usual):
    assert usual_passes(slide, 4) == pytest.approx(usual)
    assert first_passes(slide * 4, 4 * slide) == first_passes(slide, 4 * slide) == 1
    assert first_passes(64, 1) == pytest.approx(6.4)
