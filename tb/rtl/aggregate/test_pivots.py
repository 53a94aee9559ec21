"""Checks the search for a percentile with a pivot, as a plain model, against sorted values."""

import random
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil

import pytest

from tb.rtl.aggregate.pivots import Search, one_pass, percentile, select

HALF = Fraction(1, 2)
FRACTIONS = (HALF, Fraction(9, 10), Fraction(1, 100), Fraction(1))


def expected(values, fraction):
    return sorted(values)[ceil(fraction * len(values)) - 1]


@pytest.mark.in_turn
@pytest.mark.parametrize("neighbours", [1, 2])
def test_every_window_of_up_to_six_values_of_three_bits(neighbours):
    """Every window, rank and pivot finds its answer; the order of values plays no part."""
    for size in range(1, 7):
        for values in combinations_with_replacement(range(8), size):
            for rank in range(1, size + 1):
                for pivot in range(8):
                    actual, passes = percentile(
                        values, Fraction(rank, size), pivot, neighbours, width=3
                    )
                    assert actual == values[rank - 1]
                    assert passes <= 2 * 3 + 2


def test_by_hand():
    """The window 5 5 7 8 9 with the pivot 5, the median of the window before it."""
    passed = one_pass((5, 5, 8, 9, 7), 5, neighbours=1)
    assert (passed.less, passed.upto, passed.above) == (0, 2, (7,))
    assert percentile((5, 5, 8, 9, 7), HALF, 5, neighbours=1, width=4) == (7, 1)


def test_next_pivots_by_hand():
    """Number 9 is missing among values that are 2 apart: K = 2, below and above the pivot 100.

    Number 5 is that of the example of `select`.
    """
    below = one_pass(range(2, 100, 2), 100, neighbours=2)
    assert below.below == (98, 96)
    search = Search(pivot=100, low=0, high=255, top=255)
    assert select(below, 49 - 5, search, neighbours=2).pivot == 80
    result = select(below, 49 - 9, search, neighbours=2)
    assert (result.pivot, result.low, result.high, result.tries) == (96 - 32, 0, 96, 1)
    above = one_pass(range(102, 200, 2), 100, neighbours=2)
    result = select(above, 1 + 9, search, neighbours=2)
    assert (result.pivot, result.low, result.high) == (104 + 32, 104, 255)
    # With both bounds known the next pivot is the middle.
    result = select(above, 1 + 9, Search(100, 7, 201, 255, tries=1), neighbours=2)
    assert (result.pivot, result.low, result.high, result.tries) == (153, 104, 201, 2)


def windows(stream, size, slide):
    """Yields the windows of ``size`` values, each ``slide`` values after the window before."""
    for end in range(size, len(stream) + 1, slide):
        yield stream[end - size : end]


def streams(rng, length):
    """Returns streams of noise, with ties, of a walk, ascending, of large steps, and constant."""
    steps = [rng.choice((-3, -1, 0, 0, 0, 2, 4)) for _ in range(length)]
    return {
        "noise": [rng.getrandbits(64) for _ in range(length)],
        "ties": [rng.randrange(5) for _ in range(length)],
        "walk": [(1 << 40) + sum(steps[:k]) for k in range(length)],
        "ascending": list(range(1000, 1000 + length)),
        "powers": [1 << rng.randrange(64) for _ in range(length)],
        "constant": [7] * length,
    }


@pytest.mark.parametrize("kind", streams(random.Random(0), 1))
@pytest.mark.parametrize("neighbours", [1, 2, 4])
def test_one_pass_suffices_if_the_slide_is_at_most_k(neighbours, kind):
    """The pivot is the answer of the window before, which may have left the window since."""
    rng = random.Random(f"{neighbours} {kind}")
    for _ in range(12):
        size = rng.randint(neighbours, 40)
        slide = rng.randint(1, neighbours)
        fraction = rng.choice(FRACTIONS)
        pivot = None
        for window in windows(streams(rng, size + 60)[kind], size, slide):
            first = pivot is None
            pivot, passes = percentile(window, fraction, pivot or 0, neighbours, width=64)
            assert pivot == expected(window, fraction)
            assert first or passes == 1


@pytest.mark.parametrize("kind", streams(random.Random(0), 1))
def test_large_slides_take_a_bounded_number_of_passes(kind):
    rng = random.Random(kind)
    for neighbours in (1, 4):
        pivot = 0
        for window in windows(streams(rng, 2000)[kind], 256, 64):
            pivot, passes = percentile(window, HALF, pivot, neighbours, width=64)
            assert pivot == expected(window, HALF)
            assert passes <= 2 * 64 + 2


@pytest.mark.parametrize("stale", [1, 2, 3])
def test_a_pivot_of_an_older_window_needs_more_neighbours(stale):
    """A pivot that is n windows older suffices if K covers the slides of n + 1 windows.

    With SLIDE 1 and n up to 3, K = 4 suffices in every window, and K = 1 does not.
    """
    rng = random.Random(stale)
    stream = [rng.randrange(64) for _ in range(300)]
    answers = [expected(window, HALF) for window in windows(stream, 32, 1)]
    passes = []
    for k, window in enumerate(windows(stream, 32, 1)):
        if k > stale:
            pivot = answers[k - 1 - stale]
            assert percentile(window, HALF, pivot, 4, width=6) == (answers[k], 1)
            passes.append(percentile(window, HALF, pivot, 1, width=6)[1])
    assert max(passes) > 1
