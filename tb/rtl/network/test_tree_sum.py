"""Checks floating-point sums of windows against the tree over the numbers of tuples."""

import random

import numpy as np
import pytest

from rtl.float.adder import FloatAdder
from rtl.float.format import DOUBLE, HALF, SINGLE
from rtl.network.tree_sum import TreeSum, line_levels
from tb.bench.unit import run_streams
from tb.rtl.float.adding import NUMPY
from tb.rtl.float.tree import tree_sum
from tb.rtl.lines import payloads, random_window

REGRESS = pytest.mark.regress
STALLS = [(0.0, 0.0), (0.3, 0.4)]


def drawer(rng, format_):
    """Returns a function that draws numbers, mostly of similar magnitude to force rounding."""
    one = ((1 << (format_.exponent - 1)) - 1) << format_.mantissa

    def draw():
        bits = one + rng.getrandbits(format_.mantissa + 2) | rng.getrandbits(1) * format_.minus_zero
        strange = (
            0,
            format_.minus_zero,
            1,
            format_.infinity,
            format_.minus_zero | format_.infinity,
        )
        return rng.choice(strange) if rng.random() < 0.02 else bits

    return draw


def numbered(window, first, lanes):
    """Returns a window's values by their tuples' numbers; ``first`` is the first line's."""
    places = enumerate((slot for line in window for slot in line), first * lanes)
    return {number: slot for number, slot in places if slot is not None}


def run(format_, lanes, lines, windows, firsts, stalls=(0.0, 0.0), seed=0):
    rng = random.Random(seed)
    dut = TreeSum(format_, lanes, lines, passenger=4)
    side = [{"passenger": k % 16} for k in range(len(windows))]
    if lines > 1:
        ring = len(dut.i.p.number)
        side = [b | {"number": n % (1 << ring)} for b, n in zip(side, firsts, strict=True)]
    beats = payloads(windows, lambda: rng.getrandbits(format_.width), side)
    stall_in, stall_out = stalls
    return dut, run_streams(
        dut, {"i": beats}, {"o": len(windows)}, stall_in=stall_in, stall_out=stall_out, seed=seed
    )


@pytest.mark.in_turn
@pytest.mark.parametrize("stalls", STALLS, ids=str)
@pytest.mark.parametrize(
    ("format_", "lanes", "lines"),
    [
        (HALF, 4, 9),
        pytest.param(DOUBLE, 2, 5, marks=REGRESS),
        (SINGLE, 1, 6),
        (HALF, 8, 1),
        (HALF, 2, 2),
        (HALF, 1, 3),
    ],
    ids=str,
)
def test_windows_back_to_back(format_, lanes, lines, stalls):
    """Windows begin anywhere in the ring, with gaps and empty lines."""
    rng = random.Random(f"{format_} {lanes} {lines}")
    draw = drawer(rng, format_)
    sizes = [1, 1, lines, 1] + [rng.randint(1, lines) for _ in range(60)]
    windows = [random_window(rng, lanes, n, draw) for n in sizes]
    firsts = [rng.randrange(64) for _ in windows]
    _, runs = run(format_, lanes, lines, windows, firsts, stalls)
    expected = [
        tree_sum(format_, numbered(w, first, lanes))
        for w, first in zip(windows, firsts, strict=True)
    ]
    results = runs["o"].payloads
    assert [g["sum"] for g in results] == expected
    assert [g["passenger"] for g in results] == [k % 16 for k in range(len(windows))]


def test_by_hand():
    """The sum shows the order of additions, because 1 + 2**-11 is 1 in half precision."""
    one, small = 0x3C00, 0x1000
    windows = [[[None, None, one, small], [small, small, None, None]], [[None, small, small, one]]]
    _, runs = run(HALF, 4, 3, windows, [1, 3])
    assert [g["sum"] for g in runs["o"].payloads] == [0x3C01, 0x3C00]


def test_minus_zeros():
    """The sum of values -0 is -0, and with a +0 it is +0."""
    zero = HALF.minus_zero
    windows = [
        [[None, zero], [None, zero], [zero, None]],
        [[zero, None]],
        [[None, 0], [zero, zero]],
    ]
    _, runs = run(HALF, 2, 3, windows, [1, 0, 3])
    assert [g["sum"] for g in runs["o"].payloads] == [zero, zero, 0]


@pytest.mark.parametrize(
    ("lines", "levels"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (9, 4), (513, 10)]
)
def test_levels(lines, levels):
    assert line_levels(lines) == levels
    assert TreeSum.latency_of(8, lines) == FloatAdder.latency * (3 + levels)


@pytest.mark.parametrize(("lanes", "lines"), [(2, 5), (4, 1)])
def test_latency_and_rate(lanes, lines):
    """The rate is a line, and a window, per cycle."""
    rng = random.Random(lanes)
    sizes = [min(n, lines) for n in (1, 1, 1, 3, 1, 5, 2, 1)]
    windows = [random_window(rng, lanes, n, drawer(rng, HALF)) for n in sizes]
    dut, runs = run(HALF, lanes, lines, windows, [rng.randrange(4) for _ in windows])
    assert runs["i"].cycles == list(range(sum(sizes)))
    transfers = zip(runs["i"].cycles, runs["i"].payloads, strict=True)
    lasts = [cycle for cycle, payload in transfers if payload["last"]]
    assert dut.latency == TreeSum.latency_of(lanes, lines)
    assert runs["o"].cycles == [cycle + dut.latency for cycle in lasts]


def test_the_tree_by_hand():
    """The model adds tuples 3 to 9, and a subset, in NumPy's results of the stated order."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal(16).astype(np.float16)
    number, bits = NUMPY[HALF]
    values = {n: int(x[n].view(bits)) for n in range(3, 10)}
    full_sum = (x[3] + ((x[4] + x[5]) + (x[6] + x[7]))) + (x[8] + x[9])
    assert tree_sum(HALF, values) == int(number(full_sum).view(bits))
    subset = {n: values[n] for n in (3, 5, 7, 9)}
    assert tree_sum(HALF, subset) == int(number((x[3] + (x[5] + x[7])) + x[9]).view(bits))
