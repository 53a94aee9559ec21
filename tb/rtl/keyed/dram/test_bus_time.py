"""Cycles of a shared bus: each is given once, and the first free ones are."""

import random

import pytest

from rtl.keyed.dram.bus_time import BusTime


def test_gaps_are_filled():
    """The docstring's example, and what is free and taken then."""
    bus = BusTime()
    assert bus.take(10, 10) == 20
    assert bus.take(5, 8) == 23
    assert (bus.free(7), bus.free(2), bus.free(30)) == (23, 2, 30)
    assert bus.share(23, 36) == 18 / 36


@pytest.mark.parametrize("seed", range(5))
def test_each_request_gets_the_first_free_cycles(seed):
    """Whole cycles, marked one by one in a list."""
    rng, bus, taken = random.Random(seed), BusTime(), [False] * 2000
    for number in range(80):
        begin, count = 8 * number + rng.randint(0, 60), rng.randint(1, 9)
        end, left = begin, count
        while left:
            if not taken[end]:
                taken[end], left = True, left - 1
            end += 1
        assert bus.take(begin, count) == end
        probe = 8 * number
        assert bus.free(probe) == taken.index(False, probe)
