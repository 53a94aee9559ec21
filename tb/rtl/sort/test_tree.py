"""Checks the merge tree against Python's sorted."""

import random
from itertools import chain

import pytest

from rtl.sort.tree import MergeTree
from tb.bench.unit import run_streams
from tb.rtl.sort.lists import COUNTED, ORDER, counted, lists_of, payload, random_list


def leaf_beats(items, length, order):
    """Returns a leaf's sorted list, extended to ``length`` with beats that are not valid."""
    valid = [1] * len(items) + [0] * (length - len(items))
    filler = (2, 0, 99) if order.cardinality else (2, 0)
    items = sorted(items) + [filler] * (length - len(items))
    return [
        {"tuples": [payload(item)], "valid": valid[k], "last": int(k == length - 1)}
        for k, item in enumerate(items)
    ]


def run(lanes, lists, seed=0, order=ORDER, **options):
    """Runs merges; ``lists`` has a list per leaf for each merge."""
    dut = MergeTree(order, lanes, depth=8)
    lengths = [max(1, *map(len, merge)) for merge in lists]
    inputs = {
        f"leaf{leaf}": [
            beat
            for merge, length in zip(lists, lengths, strict=True)
            for beat in leaf_beats(merge[leaf], length, order)
        ]
        for leaf in range(lanes)
    }
    beats = sum(
        min(length, sum(map(len, merge)) // lanes + 1)
        for merge, length in zip(lists, lengths, strict=True)
    )
    return run_streams(dut, inputs, {"o": beats}, seed=seed, **options)


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.3}])
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_lists_of_any_length(lanes, stalls):
    rng = random.Random(lanes)
    lists = [[random_list(rng, rng.choice([0, 1, 2, 9])) for _ in range(lanes)] for _ in range(20)]
    runs = run(lanes, lists, **stalls)
    assert lists_of(runs["o"].payloads) == [sorted(chain(*merge)) for merge in lists]


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.3}])
@pytest.mark.parametrize(("lanes", "count"), [(2, 60), (4, 30), (8, 10)])
def test_cardinalities_of_all_leaves_add_up(lanes, count, stalls):
    rng = random.Random(lanes)
    lists = []
    for _ in range(count):
        lengths = rng.choice([[0, 1, 2, 9], [9], [16]])
        lists.append([random_list(rng, rng.choice(lengths)) for _ in range(lanes)])
    counted_lists = [[counted(leaf) for leaf in merge] for merge in lists]
    runs = run(lanes, counted_lists, order=COUNTED, **stalls)
    expected = [sorted(counted([*chain(*merge)])) for merge in lists]
    assert lists_of(runs["o"].payloads) == expected


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_all_lanes_in_every_cycle(lanes):
    rng = random.Random(lanes)
    # No ties, because ties of one leaf would leave first and exhaust the leaf's lead.
    items = sorted(rng.sample([(k, v) for k in range(32) for v in range(-8, 8)], 60 * lanes))
    runs = run(lanes, [[items[leaf::lanes] for leaf in range(lanes)]])
    # The first row of a merger arrives in two halves, so the output begins with a gap.
    cycles = runs["o"].cycles[lanes:60]
    assert cycles == list(range(cycles[0], cycles[0] + 60 - lanes))


def test_lanes_must_be_a_power_of_two_of_at_least_two():
    for lanes, text in (
        (1, "lanes must be at least 2, not 1"),
        (6, "lanes must be a power of two, not 6"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            MergeTree(ORDER, lanes)
