"""Measures rates of runs whose cycles are known."""

import numpy as np
import pytest

from gen.simulate.measured_rate import rate_of_input, rate_of_windows
from gen.simulate.steady_part import Stretch
from rtl.contract.shape import Shape
from sim.beats import Beats


def stretch(*counts, first=0):
    """Returns a stretch from window ``first`` on, with one window for each number of tuples."""
    ends = tuple((count, 1) for count in counts)
    return Stretch(first=first, last=first + len(counts), shape=Shape(window_ends=ends))


def output(sizes, last, width=4):
    """Returns beats with these numbers of bytes, and with ``last`` where the flag is 1."""
    keep = np.arange(width) < np.array(sizes)[:, None]
    return Beats(np.zeros(keep.shape, np.uint8), keep, np.array(last, bool))


def rate(sizes, last, cycles, windows, part, streams=1):
    beats = output(sizes, last)
    return rate_of_windows(beats, np.array(cycles), streams, np.array(windows), part)


def test_the_rate_is_from_the_first_windows_end_to_the_last():
    """Windows end at 50, 60 and 90: 8 and 10 tuples are taken in 40 cycles."""
    sizes, last, cycles = [2, 4, 2, 4, 2], [0, 1, 1, 0, 1], [48, 50, 60, 89, 90]
    windows = [0, 0, 0, 1, 2, 2, 2]
    assert rate(sizes, last, cycles, windows, stretch(8, 10)) == 18 / 40
    assert rate(sizes, last, cycles, windows, stretch(10, first=1)) == 10 / 30
    two_streams = [*cycles, *(900 + 2 * cycle for cycle in cycles)]
    assert rate(sizes * 2, last * 2, two_streams, windows, stretch(8, 10), streams=2) == 36 / 120


def test_a_last_packet_without_rows_does_not_count():
    sizes, last, cycles, windows = [4, 4, 4], [1, 1, 1], [10, 20, 40], [0, 1, 2]
    assert rate(sizes, last, cycles, windows, stretch(6, 6)) == 12 / 30
    assert rate([*sizes, 0], [*last, 1], [*cycles, 999], windows, stretch(6, 6)) == 12 / 30


def test_the_last_beat_of_a_longer_packet_does_not_count():
    """Beats 0 and 1 left when the next window ended, and beat 2 left at the end of the stream.

    The end also completes window 3, which is not in the stretch, so beat 2 left too early.
    """
    sizes, last, windows = [4, 4, 4], [0, 0, 1], [0, 1, 2]
    assert rate(sizes, last, [10, 20, 21], windows, stretch(6, 8)) == 6 / 10
    assert rate([*sizes, 4], [0, 0, 0, 1], [10, 20, 21, 22], range(4), stretch(6, 8)) == 6 / 10
    assert rate(sizes[:2], [0, 1], [10, 11], windows[:2], stretch(6)) is None


def test_windows_that_share_beats():
    """Windows 0 to 9 have rows of 1 byte, and end in beats 0 0 0 0 1 1 1 1 2 2.

    Beat 2 leaves at the end of the stream. So the 40 tuples between the ends of windows 3 and 7
    took 30 cycles. With two ends at once, windows 2 and 3 end after 30 tuples, 6 and 7 after 70.
    """
    sizes, last, cycles, windows = [4, 4, 2], [0, 0, 1], [50, 80, 999], range(10)
    assert rate(sizes, last, cycles, windows, stretch(*[10] * 9)) == 40 / 30
    part = Stretch(first=0, last=9, shape=Shape(window_ends=((10, 1), *[(20, 2)] * 4)))
    assert rate(sizes, last, cycles, windows, part) == 40 / 30
    irregular = stretch(1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert rate(sizes, last, cycles, windows, irregular) == (4 + 5 + 6 + 7) / 30
    # Each window is a packet: the last beat leaves at once, though it is not full.
    assert rate([2, 2, 2], [1, 1, 1], [50, 80, 100], range(3), stretch(10, 10)) == 20 / 50


def test_rows_that_beats_cut():
    """Rows of 6 bytes in beats of 4 end in beats 1, 2 and 4; the last beat does not count."""
    sizes, last, cycles = [4, 4, 4, 4, 2], [0, 0, 0, 0, 1], [5, 10, 20, 25, 99]
    assert rate(sizes, last, cycles, [0, 1, 2], stretch(7, 9)) == 7 / 10


@pytest.mark.parametrize(
    ("sizes", "last", "windows", "part"),
    [
        ([4, 4], [1, 1], [0, 1], stretch(8, 8)),  # window 2 is missing
        ([4, 4], [1, 1], [1, 2], stretch(8, 8)),  # window 0 is missing
        ([4], [1], [0, 1], stretch(8)),  # both windows end in one beat
        ([4, 3], [1, 1], [0, 1], stretch(8)),  # no whole number of bytes for each row
    ],
)
def test_no_rate_of_windows(sizes, last, windows, part):
    assert rate(sizes, last, [10, 20][: len(sizes)], windows, part) is None


def test_the_rate_of_the_input():
    """40 tuples in 10 beats of 4; the last need not be full, so 36 tuples from beat to beat."""
    cycles = np.array([5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
    assert rate_of_input(cycles, 1, 40, 4, 0) == 36 / 9
    two_streams = np.concatenate([cycles, 100 + 2 * cycles])
    assert rate_of_input(two_streams, 2, 40, 4, 0) == 72 / 27
    assert rate_of_input(cycles[:9], 1, 40, 4, 0) is None
    assert rate_of_input(None, 1, 40, 4, 0) is None
    assert rate_of_input(np.array([5]), 1, 4, 4, 0) is None


def test_beats_before_the_table_is_clear_do_not_count():
    """Two beats fit into the registers; eight follow from cycle 100 on."""
    cycles = np.array([5, 6, 100, *range(104, 118, 2)])
    assert rate_of_input(cycles, 1, 40, 4, 100) == 28 / 16
    assert rate_of_input(cycles, 1, 40, 4, 114) == 4 / 2
    assert rate_of_input(cycles, 1, 40, 4, 116) is None
