"""Compares the shares of the ports with the map of lines, line by line."""

from collections import defaultdict

import pytest

from rtl.keyed.dram.lines import LineMap
from rtl.keyed.dram.port_shares import line_share, stretch_shares


def home_of(lines, ring, line):
    """Returns (port, local line in the ring) as LineMap's description says.

    Lines beyond the end of the ring continue at the next numbers: the ports fold them back.
    """
    stripe = line // lines.stripe_lines
    local = stripe // lines.ports * lines.stripe_lines + line % lines.stripe_lines
    return (stripe + ring) % lines.ports, local


@pytest.mark.parametrize(("ports", "stripe"), [(1, 1), (2, 1), (2, 2), (4, 1), (4, 4)])
def test_each_line_is_in_the_share_of_its_port(ports, stripe):
    lines = LineMap(rings=4, ring_lines=16, ports=ports, stripe_lines=stripe)
    for ring in range(4):
        for begin in range(16):
            assert line_share(lines, ring, begin) == (*home_of(lines, ring, begin), 1)
            for count in range(1, 17):
                expected = defaultdict(list)
                for line in range(begin, begin + count):
                    port, local = home_of(lines, ring, line)
                    expected[port].append(local)
                shares = [
                    (port, list(range(first, first + number)))
                    for port, first, number in stretch_shares(lines, ring, begin, count)
                ]
                assert sorted(shares) == sorted(expected.items())
