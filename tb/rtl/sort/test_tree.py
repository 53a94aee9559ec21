"""The merge tree against Python's sorted."""

import random
from itertools import chain

import pytest

from rtl.sort.tree import MergeTree
from tb.harness.unit import run_streams
from tb.rtl.sort.lists import ORDER, beats_of, lists_of, random_list


def run(lanes, lists, seed=0, **options):
    """``lists``: for each merge, a list for each leaf."""
    dut = MergeTree(ORDER, lanes, depth=4)
    inputs = {f"leaf{leaf}": beats_of([merge[leaf] for merge in lists], 1) for leaf in range(lanes)}
    beats = sum(_beats([len(leaf) for leaf in merge], lanes) for merge in lists)
    return run_streams(dut, inputs, {"o": beats}, seed=seed, **options)


def _beats(lengths, lanes):
    """Beats at the root: level by level, as `merged_beats` counts them for one merger."""
    width, beats = 1, [max(1, length) for length in lengths]
    while width < lanes:
        width *= 2
        rows = [-(-count // 2) for count in beats]
        lengths = [a + b for a, b in zip(lengths[::2], lengths[1::2], strict=True)]
        rows = [a + b for a, b in zip(rows[::2], rows[1::2], strict=True)]
        beats = [min(r, n // width + 1) for r, n in zip(rows, lengths, strict=True)]
    return beats[0]


@pytest.mark.parametrize("stalls", [{}, {"stall_in": 0.3, "stall_out": 0.3}])
@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_lists_of_any_length(lanes, stalls):
    rng = random.Random(lanes)
    lists = [
        [sorted(random_list(rng, rng.choice([0, 1, 2, 9]))) for _ in range(lanes)]
        for _ in range(20)
    ]
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
