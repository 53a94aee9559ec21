"""Compares the measurement of panes with ``math.gcd``."""

import random
from itertools import product
from math import gcd

import pytest

from rtl.window.pane_measure import PaneMeasure
from tb.bench.unit import simulate


def measured(panes_max, width, pairs):
    """Returns (cycles, fits, pane, size, step) for each pair (range, slide), measured in turn."""
    dut, results = PaneMeasure(panes_max, width), []
    rng = random.Random(width)

    async def bench(ctx):
        for range_, slide in pairs:
            ctx.set(dut.range, range_)
            ctx.set(dut.slide, slide)
            ctx.set(dut.start, 1)
            await ctx.tick()
            ctx.set(dut.start, 0)
            ctx.set(dut.range, rng.getrandbits(width))
            ctx.set(dut.slide, rng.getrandbits(width))
            cycles = 0
            while ctx.get(dut.busy):
                cycles += 1
                assert cycles <= panes_max + 1, (range_, slide)
                await ctx.tick()
            for _ in range(rng.randrange(3)):  # the outputs stay
                await ctx.tick()
            values = (dut.fits, dut.pane, dut.size, dut.step)
            results.append((cycles, *(ctx.get(value) for value in values)))

    simulate(dut, bench)
    return results


def check(panes_max, width, pairs):
    """Checks the measurements of the pairs against math.gcd."""
    for (range_, slide), (cycles, fits, *panes) in zip(
        pairs, measured(panes_max, width, pairs), strict=True
    ):
        sane = 0 < slide <= range_
        pane = gcd(range_, slide)
        assert fits == (sane and range_ // pane <= panes_max), (range_, slide)
        assert sane or not cycles
        if fits:
            assert panes == [pane, range_ // pane, slide // pane], (range_, slide)
            if pane == slide:
                assert cycles == range_ // slide


@pytest.mark.parametrize("panes_max", [2, 5, 7, 8])
def test_every_small_range_and_slide(panes_max):
    check(panes_max, 4, list(product(range(16), repeat=2)))


@pytest.mark.parametrize("panes_max", [2, 16, 64])
def test_ranges_and_slides_of_32_bits(panes_max):
    """Measures windows with ``panes_max`` panes, with one pane more, and random pairs."""
    rng, max_length, pairs = random.Random(panes_max), (1 << 32) - 1, []
    for _ in range(60):
        size = rng.choice([panes_max, panes_max + 1, rng.randint(1, panes_max)])
        pane = rng.choice([1, max_length // size, rng.randint(1, max_length // size)])
        pairs.append((pane * size, pane * rng.randint(1, size)))
    pairs += [(rng.randint(1, max_length), rng.randint(1, max_length)) for _ in range(20)]
    pairs += [
        (max_length, max_length),
        (max_length, 1),
        (1, max_length),
        (max_length, max_length - 1),
        (max_length, 0),
        (0, 0),
        (0, 1),
    ]
    pairs += [(1 << 31, 1 << 30), (1 << 31, (1 << 31) - 1), (2971215073, 1836311903)]  # Fibonacci
    check(panes_max, 32, pairs)


def test_the_longest_windows_are_found_in_as_many_cycles():
    """64 panes take 64 cycles. A window with more panes takes 65 cycles, the maximum."""
    cycles = [results[0] for results in measured(64, 16, [(64, 1), (65, 1), (999, 1), (64, 63)])]
    assert cycles == [64, 65, 65, 64]
