"""Checks the mean numbers of lines and blocks by hand, and the busiest port by counting."""

from math import sqrt
from types import SimpleNamespace

import pytest

from rtl.engine.streamzip.rates.line_counts import (
    blocks_of,
    busiest,
    lines_of,
    most_at_a_port,
    split_blocks,
)


@pytest.mark.parametrize(
    ("size", "slide", "on_chip", "lines"),
    [
        (20, 4, 0, 2),  # windows begin at places 0 and 4 of a line of 8, and end in its third line
        (20, 4, 1, 1),
        (20, 4, 3, 0),  # not less than 0
        (8, 8, 0, 0),  # the window is the line being filled
        (9, 8, 0, 1),
        (8, 1, 0, 7 / 8),  # only the window from place 0 has no line before its last line
        (9, 1, 0, 1),
        (9, 1, 1, 0),
        (10, 1, 1, 1 / 8),  # only the window from place 7 has two lines before its last line
    ],
)
def test_lines_of_windows_by_hand(size, slide, on_chip, lines):
    assert lines_of(size, slide, 8, on_chip) == lines


@pytest.mark.parametrize(("most", "read"), [(100, 9), (8.5, 8.5), (4, 8)])
def test_blocks_of_windows_by_hand(most, read):
    """A quarter of 32 windows under way is of the key: 8 values more than the 64 after the first.

    A read has at most ``most`` blocks, and at least the blocks of its window.
    """
    four_keys = SimpleNamespace(mean=lambda number_of_share: number_of_share(1 / 4))
    assert blocks_of(65, 1, 8, four_keys, most) == (8, read)
    assert blocks_of(65, 2, 8, four_keys, 100) == (8, 10)


def test_blocks_that_the_chip_lacks():
    assert split_blocks(1.5, 4) == (0, 1.5)
    assert split_blocks(1.5, 1) == (0.5, 1)
    assert split_blocks(1.5, 0) == (1.5, 0)


def test_lines_at_random_ports():
    """32 lines at 4 ports: the variance at a port is 32 * 1/4 * 3/4 = 6; with one port it is 0."""
    assert busiest(32, 4) == pytest.approx(8 + 0.7 * sqrt(6))
    assert busiest(32, 1) == 32


@pytest.mark.parametrize("stripe", [1, 2, 3])
@pytest.mark.parametrize("ports", [1, 2, 4])
def test_lines_are_dealt_in_stripes(ports, stripe):
    for lines in range(1, 40):
        total = 0
        for begin in range(stripe):
            counts = [0] * ports
            for place in range(begin, begin + lines):
                counts[place // stripe % ports] += 1
            total += max(counts)
        assert most_at_a_port(lines, ports, stripe) == pytest.approx(total / stripe)


def test_a_large_window_takes_no_longer():
    """Each port has a quarter of the lines; counting 10^15 lines one by one would never end."""
    assert most_at_a_port(10**15, 4, 8) == 10**15 / 4
