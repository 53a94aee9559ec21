"""Checks the model of passes with pivots by hand."""

import pytest

from rtl.engine.streamzip.rates.pass_times import Passes, PassTimes, first_passes, usual_passes


def passes(**changed):
    numbers = {"latency": 20, "decoding": 0, "first": 3.0, "usual": 1.0, "ahead": 1, "lines": 64}
    return Passes(**numbers | changed)


def test_windows_of_a_key_wait_for_answers():
    """Two windows of 10 lines: the answer of the first is known 20 cycles after its last pass."""
    times = PassTimes(passes())
    assert times.begin(3) == 0
    assert times.extra(3, 10) == 2 * (10 + 20)  # a first window takes three passes
    times.end(3, 70)
    assert (times.begin(3), times.begin(4)) == (90, 0)
    assert times.extra(3, 10) == 0


def test_several_windows_of_a_key_are_under_way():
    times = PassTimes(passes(ahead=2))
    times.end(0, 10)
    assert times.begin(0) == 0
    times.end(0, 25)
    assert times.begin(0) == 30


def test_room_of_the_buffer():
    """A buffer of 64 lines has room for six windows of 10 lines, and for 32 windows of one."""
    times = PassTimes(passes())
    for k in range(40):
        times.end(k, 100 * k)
    assert times.room(10) == 100 * 34 + 20
    assert times.room(1) == 100 * 8 + 20
    assert times.room(100) == 100 * 39 + 20


def test_serial_decoders_take_their_steps_in_each_pass():
    assert passes(decoding=28).cycles_of(10, 3) == 10 + 2 * (10 + 20 + 28)


@pytest.mark.parametrize(("slide", "usual"), [(1, 1), (4, 1), (8, 1.6), (64, 3.4)])
def test_usual_passes(slide, usual):
    assert usual_passes(slide, 4) == pytest.approx(usual)
    assert first_passes(slide * 4, 4 * slide) == 1
    assert first_passes(64, 1) == pytest.approx(6.4)
