"""Checks the FLiMS merger with cardinalities: the sums of two lists, group by group."""

import random
import re

import pytest
from amaranth.back import rtlil

from rtl.sort.flims import FlimsMerger
from tb.bench.unit import run_streams
from tb.rtl.sort.lists import COUNTED, ORDER, beats_of, lists_of, merged_beats, rows

STALLS = {"stall_in": 0.4, "stall_out": 0.4}


def dealt(rng, sizes):
    """Deals groups to two lists of (key, value, number); group k has sizes[k] tuples in all.

    All tuples of a group in a list have one random number, 0 included.
    """
    lists = [], []
    for key, size in enumerate(sizes):
        share = rng.choice([0, 0.5, 1, rng.random()])  # probability of list b
        numbers = [rng.choice([0, 1, rng.randrange(128)]) for _ in lists]
        values = rng.choice([1, 16])
        for _ in range(size):
            b = rng.random() < share
            lists[b].append((key, rng.randrange(values) - 8, numbers[b]))
    return [sorted(items) for items in lists]


def totals(a, b):
    """Merges two lists; each tuple gets the sum of its group's numbers."""
    numbers = [{key: number for key, _, number in items} for items in (a, b)]
    return sorted((k, v, sum(n.get(k, 0) for n in numbers)) for k, v, _ in a + b)


def merge(lanes, input_lanes, pairs, **options):
    dut = FlimsMerger(COUNTED, lanes, input_lanes=input_lanes)
    a, b = zip(*pairs, strict=True)
    inputs = {"a": beats_of(a, input_lanes, COUNTED), "b": beats_of(b, input_lanes, COUNTED)}
    count = sum(merged_beats(len(x), len(y), input_lanes, lanes) for x, y in pairs)
    runs = run_streams(dut, inputs, {"o": count}, **options)
    assert lists_of(runs["o"].payloads) == [totals(x, y) for x, y in pairs]
    return runs


def sizes_of(rng, lanes):
    """Draws sizes of groups: one group, many small groups, groups over rows or full rows."""
    return rng.choice(
        [
            [rng.randrange(4 * lanes + 1)],
            [rng.randrange(3) for _ in range(rng.randrange(min(32, 3 * lanes)))],
            [rng.randrange(3 * lanes) for _ in range(3)],
            [lanes, 0, 2 * lanes, lanes],
        ]
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(
    ("lanes", "count"),
    [*((1, 150), (2, 150), (4, 100), (8, 40)), pytest.param(32, 12, marks=pytest.mark.regress)],
)
def test_random_lists_under_stalls(lanes, count, half):
    rng = random.Random(f"{lanes} {half}")
    input_lanes = max(1, lanes // 2) if half else lanes
    for case in range(2) if lanes < 16 else [int(half)]:
        pairs = [dealt(rng, sizes_of(rng, lanes)) for _ in range(count)]
        for a, b in pairs:
            while input_lanes < lanes and sum(rows(len(x), input_lanes) for x in (a, b)) % 2:
                b.append((31, 7, 3))
        merge(lanes, input_lanes, pairs, seed=case, **(STALLS if case else {}))


@pytest.mark.parametrize("lanes", [1, 2, 4])
def test_a_group_whose_tuples_in_one_list_all_come_first(lanes):
    """Rows of one list follow or precede all rows of the other list."""
    for first, second in (((0, 5), (1, 9)), ((1, 5), (0, 9))):
        runs = [[(3, first[0], first[1])] * 5 * lanes, [(3, second[0], second[1])] * 4 * lanes]
        pairs = [runs, runs[::-1], [runs[0], []], [[], runs[1]]]
        merge(lanes, lanes, pairs)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_w_tuples_in_every_cycle(lanes):
    rng = random.Random(lanes)
    a, b = ([(rng.randrange(12), rng.randrange(8), 1) for _ in range(12 * lanes)] for _ in "ab")
    runs = merge(lanes, lanes, [(sorted(a), sorted(b))] * 2)
    first = runs["o"].cycles[0]
    assert runs["o"].cycles == list(range(first, first + 48))
    latency = FlimsMerger.latency_of(COUNTED, lanes)
    assert first == max(runs["a"].cycles[0], runs["b"].cycles[0]) + latency


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_groups_are_compared_as_often_as_the_docstring_says(lanes):
    for order in (COUNTED, ORDER):
        text = rtlil.convert(FlimsMerger(order, lanes), emit_src=False)
        # A group of 5 bits is compared in parts of 3 and 2 bits; only groups have a part of 2.
        part = r"cell \$eq [^\n]*(\n +parameter[^\n]*)*\n +parameter \\A_WIDTH 2\n"
        assert len(re.findall(part, text)) == (lanes + 1 if order.cardinality else 0)
        widths = f"({order.width + 1}|{order.width + 2})"  # with the pad, and the tie-break bit
        wide = rf"cell \$lt [^\n]*(\n +parameter[^\n]*)*\n +parameter \\A_WIDTH {widths}\n"
        assert len(re.findall(wide, text)) == lanes + lanes // 2 * (lanes.bit_length() - 1)
