"""Checks the floating-point adder: all pairs of narrow formats, corners and random pairs."""

import random

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.float.adder import FloatAdder
from rtl.float.format import DOUBLE, HALF, SINGLE, Format
from tb.bench.unit import simulate
from tb.rtl.float.adding import NUMPY, adder_sums, exact_sum, numpy_sums, pairs_of

NARROW = [Format(2, 2), Format(2, 3), Format(3, 2), Format(4, 2)]


@pytest.mark.in_turn
@pytest.mark.parametrize("format_", NARROW, ids=str)
def test_every_pair(format_):
    """Sums of all pairs are exact; in most pairs the smaller number affects only the rounding."""
    every = range(1 << format_.width)
    pairs = [(a, b) for a in every for b in every]
    assert adder_sums(FloatAdder(format_), pairs) == [exact_sum(format_, *pair) for pair in pairs]


@pytest.mark.regress
@pytest.mark.parametrize(
    "format_", [Format(3, 4), Format(4, 3), Format(5, 2), Format(2, 6)], ids=str
)
def test_every_pair_of_8_bits_and_more(format_):
    test_every_pair(format_)


@pytest.mark.in_turn
@pytest.mark.parametrize("format_", NUMPY, ids=str)
def test_corners_and_random_pairs(format_):
    pairs = pairs_of(format_, 1, 2000)
    assert adder_sums(FloatAdder(format_), pairs, stall=0.2) == numpy_sums(format_, pairs)


@pytest.mark.regress
@pytest.mark.parametrize("format_", NUMPY, ids=str)
def test_many_pairs(format_):
    pairs = pairs_of(format_, 2, 100_000)
    assert adder_sums(FloatAdder(format_), pairs) == numpy_sums(format_, pairs)


@pytest.mark.parametrize("format_", NUMPY, ids=str)
def test_numpy_is_exact(format_):
    """NumPy adds halves as singles, which is exact: singles have over twice the bits."""
    pairs = pairs_of(format_, 3, 2000)
    assert numpy_sums(format_, pairs) == [exact_sum(format_, *pair) for pair in pairs]


def test_by_hand():
    """The sums: 1 + 1; 1 - 1; two -0; both zeros; inf - inf; ties to even."""
    pairs = {
        (0x3C00, 0x3C00): 0x4000,
        (0x3C00, 0xBC00): 0x0000,
        (0x8000, 0x8000): 0x8000,
        (0x8000, 0x0000): 0x0000,
        (0x7C00, 0xFC00): 0x7E00,
        (0xFC00, 0xFC00): 0xFC00,
        (0x3C00, 0x1000): 0x3C00,  # 1 + 2**-11
        (0x3C01, 0x1000): 0x3C02,
        (0x0001, 0x03FF): 0x0400,  # subnormal numbers that make a normal one
        (0x0401, 0x8400): 0x0001,  # normal numbers that make a subnormal one
        (0x7BFF, 0x4C00): 0x7C00,  # half a unit above the greatest number: an overflow
        (0x7BFF, 0x4BFF): 0x7BFF,
        (0xFE01, 0x3C00): 0x7E00,  # a NaN with a sign
    }
    assert adder_sums(FloatAdder(HALF), list(pairs)) == list(pairs.values())


def test_nothing_moves_while_disabled():
    dut, seen = FloatAdder(HALF), []

    async def bench(ctx):
        ctx.set(dut.enable, 1)
        ctx.set(dut.left, 0x3C00)
        await ctx.tick().repeat(dut.latency)
        ctx.set(dut.enable, 0)
        ctx.set(dut.right, 0x3C00)
        for _ in range(2 * dut.latency):
            seen.append(ctx.get(dut.sum))
            await ctx.tick()

    simulate(dut, bench)
    assert set(seen) == {0x3C00}


def test_minus_zero_changes_nothing():
    rng = random.Random(5)
    values = [value for value, _ in pairs_of(HALF, 5, 200) if exact_sum(HALF, value, 0) != HALF.nan]
    pairs = [rng.choice(((x, HALF.minus_zero), (HALF.minus_zero, x))) for x in values]
    assert adder_sums(FloatAdder(HALF), pairs) == values


@pytest.mark.regress
@pytest.mark.parametrize(
    ("format_", "lut", "depth"), [(SINGLE, 500, 8), (DOUBLE, 1050, 9)], ids=str
)
def test_size_on_an_fpga(format_, lut, depth):
    report = synthesise(to_rtlil(FloatAdder(format_)), "xcup", ".cache")
    assert report.lut <= lut
    assert report.depth <= depth
    assert report.dsp == report.bram36 == 0
