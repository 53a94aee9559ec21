"""Checks the floating-point divider: all quotients of narrow formats, corners, random ones."""

import random

import pytest

from gen.report.synthesis import synthesise
from gen.verilog.elaboration import to_rtlil
from rtl.aggregate.float_division import FloatDivider
from rtl.float.format import DOUBLE, HALF, SINGLE, Format
from tb.rtl.float.adding import corners, number_of, numpy_quotients, results_of, rounded

NARROW = [(Format(2, 2), 5), (Format(3, 2), 4), (Format(4, 3), 3), (Format(2, 4), 1)]


def quotients(format_, bits, pairs, stall=0.0):
    dut = FloatDivider(format_, bits)
    return results_of(dut, (dut.dividend, dut.divisor), dut.quotient, pairs, stall)


def exact_quotient(format_, dividend, divisor):
    number = number_of(format_, dividend)
    if number == "nan":
        return format_.nan
    if isinstance(number, str) or number == 0:
        return dividend
    return rounded(format_, number / divisor) | (dividend & format_.minus_zero)


def pairs_of(format_, bits, seed, number):
    """Returns corners divided by powers of two and neighbours, and random, often tiny, numbers."""
    rng, greatest = random.Random(seed), (1 << bits) - 1
    near = {(1 << k) + offset for k in range(bits + 1) for offset in (-1, 0, 1)}
    pairs = [(a, d) for a in corners(format_) for d in sorted(near) if 0 < d <= greatest]
    for _ in range(number):
        divisor = rng.randint(1, rng.choice((3, 20, greatest)))
        dividend = rng.getrandbits(rng.choice((format_.width, format_.mantissa + 3)))
        pairs.append((dividend, divisor))
    return pairs


@pytest.mark.parametrize(("format_", "bits"), NARROW, ids=str)
def test_every_quotient(format_, bits):
    pairs = [(a, d) for a in range(1 << format_.width) for d in range(1, 1 << bits)]
    assert quotients(format_, bits, pairs) == [exact_quotient(format_, *pair) for pair in pairs]


@pytest.mark.in_turn
@pytest.mark.parametrize(("format_", "bits"), [(HALF, 11), (SINGLE, 9), (DOUBLE, 13)], ids=str)
def test_corners_and_random_numbers(format_, bits):
    pairs = pairs_of(format_, bits, 1, 200)
    assert quotients(format_, bits, pairs, stall=0.2) == numpy_quotients(format_, pairs)


@pytest.mark.parametrize("format_", [HALF, SINGLE, DOUBLE], ids=str)
def test_numpy_is_exact(format_):
    pairs = pairs_of(format_, 11, 2, 1000)
    assert numpy_quotients(format_, pairs) == [exact_quotient(format_, *pair) for pair in pairs]


@pytest.mark.regress
@pytest.mark.parametrize("format_", [HALF, SINGLE, DOUBLE], ids=str)
def test_many_numbers(format_):
    pairs = pairs_of(format_, 11, 3, 100_000)
    assert quotients(format_, 11, pairs) == numpy_quotients(format_, pairs)


def test_by_hand():
    """The quotients: 3 / 2; 1 / 3; ties of subnormal numbers to even; zeros, infinities, a NaN."""
    pairs = {
        (0x4200, 2): 0x3E00,
        (0x3C00, 3): 0x3555,
        (0x0003, 2): 0x0002,
        (0x0005, 2): 0x0002,
        (0x8001, 2): 0x8000,
        (0x0400, 2): 0x0200,
        (0x8000, 7): 0x8000,
        (0xFC00, 7): 0xFC00,
        (0x7C00, 1): 0x7C00,
        (0xFE01, 1): 0x7E00,
        (0x7BFF, 1): 0x7BFF,
    }
    assert quotients(HALF, 3, list(pairs)) == list(pairs.values())


def test_a_signed_divisor_is_refused():
    with pytest.raises(ValueError, match="divisor must be unsigned"):
        FloatDivider(HALF, range(-1, 2))


@pytest.mark.regress
def test_depth_on_an_fpga():
    """The depth is at most that of the adder of doubles, 9 (`tb/rtl/float/test_adder.py`)."""
    report = synthesise(to_rtlil(FloatDivider(DOUBLE, 13)), "xcup", ".cache")
    assert report.depth <= 9
