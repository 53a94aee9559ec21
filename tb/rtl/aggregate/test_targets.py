"""Checks targets of percentiles against exact fractions."""

import random
from fractions import Fraction
from math import ceil

import pytest

from rtl.aggregate.targets import CompiledTargets, RunTimeTargets, scaled
from tb.bench.unit import simulate

FRACTIONS = [Fraction(1), Fraction(1, 2), Fraction(9, 10), Fraction(1, 3), Fraction(999, 1000)]
FRACTIONS += [Fraction(1, 65536), Fraction(65535, 65536)]
LARGEST = [1, 5, 100, 16384]


@pytest.mark.parametrize("fraction", [*FRACTIONS, Fraction("0.333333"), Fraction(1, 16385)])
@pytest.mark.parametrize("n_max", LARGEST)
def test_scaled_is_exact(fraction, n_max):
    multiple, shift = scaled(fraction, n_max)
    for n in range(n_max + 1):
        assert -(-multiple * n >> shift) == ceil(fraction * n)


def test_scaled_by_hand():
    assert scaled(Fraction(1, 2), 1000) == (1, 1)  # a median has no product
    assert scaled(Fraction(1), 1000) == (1, 0)
    # 0.9 * 10 is 9 exactly; 57/64 * 7 = 6.23, as 0.9 * 7 = 6.3
    assert scaled(Fraction(9, 10), 7) == (57, 6)


def run(dut, fraction, counts, rng, setting=None):
    """Feeds beats of counts, and checks the targets.

    Before some beats there are disabled cycles with other counts, in which the targets must not
    change.
    """
    lanes = len(counts[0])

    async def testbench(ctx):
        if setting is not None:
            ctx.set(dut.fraction, setting)
        expected = [None] * dut.latency

        async def cycle(beat, enable):
            ctx.set(dut.enable, enable)
            for lane, count in enumerate(beat):
                ctx.set(dut.counts[lane], count)
            await ctx.tick()
            if enable:
                expected.append([ceil(fraction * count) for count in beat])
            if (expected_beat := expected[-dut.latency]) is not None:
                assert [ctx.get(dut.targets[lane]) for lane in range(lanes)] == expected_beat

        for beat in counts:
            while rng.random() < 0.3:
                await cycle(rng.choice(counts), enable=0)
            await cycle(beat, enable=1)
        assert len(expected) == dut.latency + len(counts)

    simulate(dut, testbench)


def counts_of(rng, n_max):
    drawn = [(rng.randint(1, n_max), rng.randint(0, n_max)) for _ in range(60)]
    return [(1, n_max), (n_max, 0), *drawn]


@pytest.mark.parametrize("fraction", FRACTIONS)
@pytest.mark.parametrize("n_max", [*LARGEST, 1 << 20])
def test_compiled(fraction, n_max):
    rng = random.Random(n_max)
    run(CompiledTargets(fraction, 2, n_max), fraction, counts_of(rng, n_max), rng)


@pytest.mark.parametrize("n_max", [*LARGEST, 1 << 20])
@pytest.mark.parametrize("setting", [1, 32768, 58982, 65535, 65536, 43691])
def test_run_time(setting, n_max):
    rng = random.Random(n_max)
    dut = RunTimeTargets(2, n_max)
    run(dut, Fraction(setting, 65536), counts_of(rng, n_max), rng, setting)


def test_a_setting_goes_with_its_counts():
    dut, rng = RunTimeTargets(1, 1000), random.Random(1)
    pairs = [(rng.randint(1, 65536), rng.randint(0, 1000)) for _ in range(100)]

    async def testbench(ctx):
        ctx.set(dut.enable, 1)
        for k, (setting, count) in enumerate(pairs):
            ctx.set(dut.fraction, setting)
            ctx.set(dut.counts[0], count)
            await ctx.tick()
            if k >= dut.latency - 1:
                setting, count = pairs[k - dut.latency + 1]
                assert ctx.get(dut.targets[0]) == -(-setting * count // 65536)

    simulate(dut, testbench)


@pytest.mark.parametrize("fraction", [Fraction(0), Fraction(3, 2), Fraction(-1, 2)])
def test_refuses(fraction):
    with pytest.raises(ValueError, match=r"^fraction must be above 0 and at most 1, not "):
        CompiledTargets(fraction, 2, 7)
