"""Checks by hand how many levels the items of a block take."""

import random

import pytest

from rtl.network.sum_steps import (
    cycles_of_block,
    sum_steps,
    sum_tail,
    usual_sum_steps,
    usual_sum_tail,
)


def changing_blocks(rng, share):
    """Yields 400 blocks of 60 values that change with a probability, and their decoder steps."""
    for _ in range(400):
        values, parts = [0], 1
        for _ in range(59):
            values.append(values[-1] + (rng.random() < share))
        for value in set(values):
            parts += 1 - (value == 0) + -(-(values.count(value) - 1) // 16)
        yield values, parts


@pytest.mark.parametrize(
    ("values", "begin", "steps"),
    [
        ([5], 0, 1),  # waits on level 0
        ([5], 1, 1),  # a left node of level 0
        ([5, 6], 0, 3),  # the 6 takes the sum to level 1
        ([5] * 4, 0, 3),  # node 0 of level 2
        ([5, 5, 5, 7, 7, 7, 7], 3, 5),
        ([5, 6, 7, 8], 0, 7),
    ],
)
def test_by_hand(values, begin, steps):
    assert sum_steps(values, 8, begin) == steps


@pytest.mark.parametrize(
    ("values", "begin", "tail"),
    [
        ([5], 0, 0),
        ([5, 6], 0, 6),  # the 6 takes two levels
        ([5] * 4 + [7], 0, 12 - 2),
        ([5] * 4 + [7] * 18, 0, 24),  # the 7s end with the node of the tuples 0 to 15
        ([5] * 4 + [6, 7, 8, 9], 1, 12 - 2),  # the 8 ends with the node of the tuples 4 to 7
    ],
)
def test_tails_by_hand(values, begin, tail):
    assert sum_tail(values, 8, begin) == tail


@pytest.mark.parametrize("share", [0.01, 0.05, 0.15, 0.5, 1.0])
def test_the_usual_tail_is_that_of_values_that_change_at_random(share):
    rng, tails, decodings = random.Random(share), 0, 0
    for values, parts in changing_blocks(rng, share):
        tails, decodings = tails + sum_tail(values, 8, rng.randrange(512)), decodings + parts
    assert usual_sum_tail(60, decodings / 400, 8) == pytest.approx(tails / 400, rel=0.2)


def test_the_slowest_part_decides():
    parts = ((14, 27), (30, 27), (14, 12), (8, 6))
    assert [cycles_of_block(*each, 8) for each in parts] == [27, 30, 14, 10]


def test_the_top_ends_every_item():
    assert sum_steps([5] * 8, 3) == 4
    assert sum_steps([5] * 8, 2) == 3


@pytest.mark.parametrize("share", [0.01, 0.05, 0.15, 0.5, 1.0])
def test_the_usual_steps_are_those_of_values_that_change_at_random(share):
    rng, sums, decodings = random.Random(share), 0, 0
    for values, parts in changing_blocks(rng, share):
        sums, decodings = sums + sum_steps(values, 8, rng.randrange(512)), decodings + parts
    assert usual_sum_steps(60, decodings / 400) == pytest.approx(sums / 400, rel=0.15)
