"""The number of lines at the busiest port, by counting, and for windows of any size."""

import pytest

from rtl.engine.streamzip.rates.line_counts import most_at_a_port


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
    """A quarter of the lines is at each port; counting 10^15 lines one by one would never end."""
    assert most_at_a_port(10**15, 4, 8) == 10**15 / 4
