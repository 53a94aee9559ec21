"""The merge tree against Python's sorted."""

import random
from itertools import chain

import pytest

from rtl.sort.tree import MergeTree
from tb.harness.unit import run_streams
from tb.rtl.sort.lists import ORDER, lists_of, random_list


def leaf_beats(items, length):
    """A leaf's list, filled up to ``length`` with beats that are not valid."""
    count = len(items)
    items = sorted(items) + [(0, 0)] * (length - len(items))
    return [
        {
            "tuples": [{"key": key, "value": value}],
            "valid": int(k < count),
            "last": int(k == length - 1),
        }
        for k, (key, value) in enumerate(items)
    ]


def run(lanes, lists, seed=0, **options):
    """``lists``: for each merge, a list for each leaf."""
    dut = MergeTree(ORDER, lanes, depth=4)
    lengths = [max(1, *map(len, merge)) for merge in lists]
    inputs = {
        f"leaf{leaf}": [
            beat
            for merge, length in zip(lists, lengths, strict=True)
            for beat in leaf_beats(merge[leaf], length)
        ]
        for leaf in range(lanes)
    }
    beats = sum(
        min(length, sum(map(len, merge)) // lanes + 1)
        for merge, length in zip(lists, lengths, strict=True)
    )
    return run_streams(dut, inputs, {"o": beats}, seed=seed, **options)


@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.3}])
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_lists_of_any_length(lanes, stalls):
    rng = random.Random(lanes)
    lists = [[random_list(rng, rng.choice([0, 1, 2, 9])) for _ in range(lanes)] for _ in range(20)]
    runs = run(lanes, lists, **stalls)
    assert lists_of(runs["o"].payloads) == [sorted(chain(*merge)) for merge in lists]


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_all_lanes_in_every_cycle(lanes):
    rng = random.Random(lanes)
    # No ties: those of one leaf would all come before the other's, and use up its head start.
    items = sorted(rng.sample([(k, v) for k in range(32) for v in range(-8, 8)], 60 * lanes))
    runs = run(lanes, [[items[leaf::lanes] for leaf in range(lanes)]])
    # The first rows of a merger come half by half, so it begins with a gap.
    cycles = runs["o"].cycles[lanes:60]
    assert cycles == list(range(cycles[0], cycles[0] + 60 - lanes))


def test_lanes_must_be_a_power_of_two_of_at_least_two():
    for lanes, text in (
        (1, "lanes must be at least 2, not 1"),
        (6, "lanes must be a power of two, not 6"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            MergeTree(ORDER, lanes)
