"""Checks the selection of percentiles by a pivot against sorted windows and the plain model."""

import random
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import combinations_with_replacement
from math import ceil

import pytest
from amaranth.hdl import unsigned

from gen.units.pivot_pass import PivotPass
from rtl.aggregate.neighbours import Neighbours
from rtl.aggregate.pivot_selection import PivotSelection
from tb.bench.unit import run_streams
from tb.rtl.aggregate.pivots import Search, new_search, one_pass, select, state_of
from tb.rtl.lines import payloads, window

HALF = Fraction(1, 2)
MEMBERS = ("pivot", "low", "high", "tries")


def members(search):
    """Returns the members of a search that the hardware has."""
    return {name: value for name, value in asdict(search).items() if name in MEMBERS}


def passes(dut, windows, searches, lanes, stalls=(0.0, 0.0)):
    """Runs a pass over each window; returns the results."""
    lines = [window(values, lanes) for values in windows]
    extra = [{"passenger": members(search)} for search in searches]
    stall_in, stall_out = stalls
    runs = run_streams(
        dut,
        {"i": payloads(lines, lambda: 0, extra)},
        {"o": len(windows)},
        stall_in=stall_in,
        stall_out=stall_out,
    )
    return runs["o"].payloads


@pytest.mark.parametrize(
    ("neighbours", "fraction", "width"),
    [
        (1, HALF, 4),
        (2, Fraction(9, 10), 4),
        pytest.param(4, HALF, 16, marks=pytest.mark.regress),
    ],
)
def test_passes_until_all_are_found(neighbours, fraction, width):
    """Windows whose answer is not found are repeated with the search that the hardware returns."""
    rng = random.Random(f"{neighbours} {fraction}")
    largest = (1 << width) - 1
    windows = [
        [
            rng.choice((0, largest, *[rng.randint(0, largest)] * 4))
            for _ in range(rng.randint(1, 16))
        ]
        for _ in range(40)
    ]
    searches = [new_search(rng.randint(0, largest), width) for _ in windows]
    rounds = 0
    while windows:
        dut = PivotPass(unsigned(width), 4, tuples=16, neighbours=neighbours, fraction=fraction)
        results = passes(dut, windows, searches, 4, (0.2, 0.3))
        remaining = []
        for values, search, result in zip(windows, searches, results, strict=True):
            rank = ceil(fraction * len(values))
            expected = select(one_pass(values, search.pivot, neighbours), rank, search, neighbours)
            assert (result["found"], result["search"]) == (expected.found, members(expected))
            if result["found"]:
                assert result["search"]["pivot"] == sorted(values)[rank - 1]
            else:
                remaining.append((values, expected))
        windows = [values for values, _ in remaining]
        searches = [search for _, search in remaining]
        rounds += 1
    assert 2 <= rounds <= 2 * width + 2


def selected(neighbours, cases, stalls=(0.0, 0.0), width=3):
    """Runs the selection alone on states of windows; returns the run of its output."""
    operator = Neighbours("x", unsigned(width), tuples=6, neighbours=neighbours)
    dut = PivotSelection(operator, HALF, passenger=7)
    items = [
        {
            "state": state_of(values, search.pivot, neighbours, width),
            "search": members(search),
            "passenger": k % 128,
        }
        for k, (values, search) in enumerate(cases)
    ]
    stall_in, stall_out = stalls
    return run_streams(dut, {"i": items}, {"o": len(items)}, stall_in=stall_in, stall_out=stall_out)


@pytest.mark.parametrize("neighbours", [1, 2])
def test_every_median_of_up_to_four_values_of_three_bits(neighbours):
    cases = [
        (values, new_search(pivot, 3))
        for size in range(1, 5)
        for values in combinations_with_replacement(range(0, 8), size)
        for pivot in (0, 3, 4, 7)
    ]
    results = selected(neighbours, cases)["o"].payloads
    for k, ((values, search), result) in enumerate(zip(cases, results, strict=True)):
        passed = one_pass(values, search.pivot, neighbours)
        expected = select(passed, ceil(len(values) / 2), search, neighbours)
        assert result["found"] == expected.found
        assert result["search"] == members(expected)
        assert result["passenger"] == k % 128


def test_latency_rate_and_a_window_without_values():
    cases = [((), Search(5, 2, 6, 7)), ((1, 2, 3), new_search(2, 3)), ((7,), new_search(0, 3))]
    runs = selected(1, cases)
    assert runs["o"].cycles == [PivotSelection.latency + k for k in range(3)]
    first, *others = runs["o"].payloads
    assert (first["found"], first["search"]["pivot"]) == (1, 5)
    assert [(r["found"], r["search"]["pivot"]) for r in others] == [(1, 2), (1, 7)]


def test_stalls_stop_all_levels():
    rng = random.Random(1)
    cases = [([rng.randrange(8) for _ in range(5)], new_search(3, 3)) for _ in range(60)]
    calm, stalled = (selected(1, cases, s)["o"].payloads for s in ((0.0, 0.0), (0.4, 0.5)))
    assert calm == stalled


def test_tries_saturate():
    """The median 7 is the second value above the pivot 3, so a list of one value lacks it."""
    search = Search(3, 0, 7, 7, tries=127)
    (result,) = selected(1, [((6, 7, 7, 7), search)])["o"].payloads
    assert (result["found"], result["search"]["tries"]) == (0, 127)


@pytest.mark.parametrize("width", [16, 32, 64])
def test_the_next_pivot_among_wide_keys(width):
    """The step doubles with each try: for instance by 2^60, where the nearest value is 2^3 away."""
    rng, largest = random.Random(width), (1 << width) - 1
    cases = []
    for tries in (0, 1, 7, 31, 32, 59, 60, 63, 64, 126, 127):
        for distance in (1, 1 << 3, 1 << width - 2, rng.getrandbits(width - 2)):
            for pivot in (1, largest // 2, largest - 1, rng.getrandbits(width)):
                for values in ([pivot + distance] * 6, [pivot - distance] * 6):
                    search = new_search(pivot, width)
                    search = replace(search, tries=tries)
                    cases.append(([min(max(v, 0), largest) for v in values], search))
    results = selected(1, cases, width=width)["o"].payloads
    missed = 0
    for (values, search), result in zip(cases, results, strict=True):
        expected = select(one_pass(values, search.pivot, 1), 3, search, 1)
        assert (result["found"], result["search"]) == (expected.found, members(expected))
        missed += not expected.found
    assert missed > 200
