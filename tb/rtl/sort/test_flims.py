"""Checks the FLiMS merger against heapq.merge."""

import heapq
import random
import re

import pytest
from amaranth.back import rtlil

from rtl.sort.flims import FlimsMerger
from tb.bench.unit import run_streams
from tb.rtl.sort.lists import ORDER, beats_of, lists_of, merged_beats, random_list, rows

STALLS = {"stall_in": 0.4, "stall_out": 0.4}


def merge(lanes, input_lanes, a, b, **options):
    """Merges list k of ``a`` with list k of ``b``, and checks the result."""
    dut = FlimsMerger(ORDER, lanes, input_lanes=input_lanes)
    expected = [list(heapq.merge(x, y)) for x, y in zip(a, b, strict=True)]
    inputs = {"a": beats_of(a, input_lanes), "b": beats_of(b, input_lanes)}
    count = sum(merged_beats(len(x), len(y), input_lanes, lanes) for x, y in zip(a, b, strict=True))
    runs = run_streams(dut, inputs, {"o": count}, **options)
    assert lists_of(runs["o"].payloads) == expected
    return runs


def some_lists(rng, lanes, count):
    lengths = [rng.choice([0, 1, lanes, rng.randrange(2 * lanes + 2)]) for _ in range(count)]
    return [sorted(random_list(rng, length)) for length in lengths]


@pytest.mark.in_turn
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize(("lanes", "count"), [(1, 600), (2, 500), (4, 400), (8, 200), (32, 12)])
def test_random_lists_under_stalls(lanes, count, half):
    rng = random.Random(f"{lanes} {half}")
    input_lanes = max(1, lanes // 2) if half else lanes
    for case in range(2):
        a, b = (some_lists(rng, lanes, count // 2) for _ in "ab")
        for x, y in zip(a, b, strict=True):
            while input_lanes < lanes and sum(rows(len(z), input_lanes) for z in (x, y)) % 2:
                y.append((31, 7))
        merge(lanes, input_lanes, a, b, seed=case, **(STALLS if case else {}))


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8, pytest.param(32, marks=pytest.mark.regress)])
def test_w_tuples_in_every_cycle(lanes):
    """Checks the full rate for lists of different skews, without gaps between lists."""
    rng = random.Random(lanes)
    size = 12 * lanes
    tuples = sorted((rng.randrange(32), rng.randrange(-8, 8)) for _ in range(2 * size))
    alternating = (tuples[::2], tuples[1::2])
    by_chance = (sorted(rng.sample(tuples, size)), sorted(rng.sample(tuples, size)))
    one_first = (tuples[:size], tuples[size:])
    equal = ([(3, 3)] * size, [(3, 3)] * size)
    skews = [alternating, by_chance, one_first, one_first[::-1], equal]
    pairs = [pair for skew in skews for pair in (skew, skew)]
    runs = merge(lanes, lanes, *zip(*pairs, strict=True))
    first = runs["o"].cycles[0]
    assert runs["o"].cycles == list(range(first, first + 24 * len(pairs)))
    latency = FlimsMerger.latency_of(ORDER, lanes)
    assert first == max(runs["a"].cycles[0], runs["b"].cycles[0]) + latency


@pytest.mark.parametrize("lanes", [2, 4, 8])
def test_equal_tuples_drain_both_inputs_alike(lanes):
    """Inputs of half the width, as in a tree, reach the full rate only together."""
    size = 30 * lanes
    cycles = merge(lanes, lanes // 2, [[(3, 3)] * size], [[(3, 3)] * size])["o"].cycles
    assert len(cycles) == 2 * size // lanes
    assert cycles[-1] - cycles[0] < len(cycles) + 2  # one pause is allowed, for the first rows


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("late", ["a", "b"])
@pytest.mark.parametrize("lanes", [1, 4])
def test_one_input_runs_far_ahead(lanes, late):
    """One input fills its banks while the other is late; no tuple is lost."""
    rng = random.Random(lanes)
    a, b = ([sorted((rng.randrange(32), 0) for _ in range(60 * lanes))] for _ in "ab")
    stalls = {"a": 0.0, "b": 0.0} | {late: 0.95}
    merge(lanes, lanes, a, b, stall_in=stalls)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_comparators_are_as_many_as_the_docstring_says(lanes):
    text = rtlil.convert(FlimsMerger(ORDER, lanes), emit_src=False)
    widths = f"({ORDER.width + 1}|{ORDER.width + 2})"  # with the pad, and the tie-break bit
    wide = rf"cell \$lt [^\n]*(\n +parameter[^\n]*)*\n +parameter \\A_WIDTH {widths}\n"
    assert len(re.findall(wide, text)) == lanes + lanes // 2 * (lanes.bit_length() - 1)


def test_wrong_parameters_are_refused():
    for settings, text in (
        ({"lanes": 3}, "lanes must be a power of two, not 3"),
        ({"lanes": 8, "input_lanes": 2}, "input_lanes must be 8 or 4, not 2"),
        ({"lanes": 4, "depth": 4}, "depth must be a power of two of at least 8, not 4"),
        ({"lanes": 4, "depth": 12}, "depth must be a power of two of at least 8, not 12"),
    ):
        with pytest.raises(ValueError, match=f"^{text}$"):
            FlimsMerger(ORDER, **settings)
