"""Reference sums and quotients of floating point, and runs of an adder or divider."""

import random
from fractions import Fraction

import numpy as np

from rtl.float.format import DOUBLE, HALF, SINGLE
from tb.bench.unit import simulate

#: NumPy's types of a format: its numbers and their bits.
NUMPY = {
    HALF: (np.float16, np.uint16),
    SINGLE: (np.float32, np.uint32),
    DOUBLE: (np.float64, np.uint64),
}


def exact_sum(format_, left, right):
    """Returns the bits of the exact sum, rounded as IEEE-754 defines."""
    a, b = (number_of(format_, bits) for bits in (left, right))
    if "nan" in (a, b) or (isinstance(a, str) and isinstance(b, str) and a != b):
        return format_.nan
    for number, bits in ((a, left), (b, right)):
        if isinstance(number, str):
            return bits
    if a + b == 0:
        return format_.minus_zero if left == right == format_.minus_zero else 0
    return rounded(format_, a + b)


def numpy_sums(format_, pairs):
    """Returns NumPy's sums of pairs of bits, with the format's own NaN."""
    number, bits = NUMPY[format_]
    left, right = (np.array(side, bits).view(number) for side in zip(*pairs, strict=True))
    with np.errstate(all="ignore"):
        sums = left + right
    return np.where(np.isnan(sums), bits(format_.nan), sums.view(bits)).tolist()


def numpy_quotients(format_, pairs):
    """Returns NumPy's quotients of bits and whole numbers, with the format's own NaN.

    NumPy divides halves as singles and rounds again. The result is exact, because singles have more
    than twice the bits of halves.
    """
    number, bits = NUMPY[format_]
    dividends = np.array([dividend for dividend, _ in pairs], bits).view(number)
    with np.errstate(all="ignore"):
        quotients = dividends / np.array([divisor for _, divisor in pairs]).astype(number)
    return np.where(np.isnan(quotients), bits(format_.nan), quotients.view(bits)).tolist()


def corners(format_):
    """Returns bits of the corner cases of a format, of both signs."""
    units_of_least, greatest = 1 << format_.mantissa, format_.infinity - 1
    one = ((1 << (format_.exponent - 1)) - 1) << format_.mantissa
    above = [0, 1, 2, units_of_least - 1, units_of_least, units_of_least + 1, one - 1, one, one + 1]
    above += [greatest - 1, greatest, format_.infinity, format_.infinity + 1, format_.nan]
    return [sign | bits for sign in (0, format_.minus_zero) for bits in above]


def pairs_of(format_, seed, number):
    """Returns all pairs of corners and ``number`` random pairs, often of similar magnitude."""
    rng, ends = random.Random(seed), corners(format_)
    pairs = [(a, b) for a in ends for b in ends]
    for _ in range(number):
        a = rng.getrandbits(format_.width)
        near = a ^ rng.choice((0, format_.minus_zero))
        near += rng.randrange(-2, format_.mantissa + 4) << format_.mantissa
        near ^= rng.getrandbits(rng.randrange(1, format_.mantissa))
        b = rng.choice((rng.getrandbits(format_.width), rng.choice(ends), near, near, near))
        pair = (a, b % (1 << format_.width))
        pairs.append(pair if rng.random() < 0.5 else pair[::-1])
    return pairs


def adder_sums(dut, pairs, stall=0.0, seed=0):
    """Returns the adder's sums of ``pairs``, one per enabled cycle."""
    return results_of(dut, (dut.left, dut.right), dut.sum, pairs, stall, seed)


def results_of(dut, sides, result, pairs, stall=0.0, seed=0):
    """Drives ``pairs`` to both ``sides``, one per enabled cycle; returns the results."""
    rng, results = random.Random(seed), []

    async def bench(ctx):
        enabled = 0
        while enabled < len(pairs) + dut.latency:
            enable = rng.random() >= stall
            ctx.set(dut.enable, enable)
            if enable:
                for side, value in zip(sides, pairs[min(enabled, len(pairs) - 1)], strict=True):
                    ctx.set(side, value)
                if enabled >= dut.latency:
                    results.append(ctx.get(result))
            else:
                ctx.set(sides[0], rng.getrandbits(len(sides[0])))
            enabled += enable
            await ctx.tick()

    simulate(dut, bench)
    return results


def number_of(format_, bits):
    """Returns the exact number, or "nan", "inf" or "-inf"."""
    sign, magnitude = divmod(bits, format_.minus_zero)
    if magnitude > format_.infinity:
        return "nan"
    if magnitude == format_.infinity:
        return "-inf" if sign else "inf"
    exponent, mantissa = divmod(magnitude, 1 << format_.mantissa)
    significand = mantissa + (bool(exponent) << format_.mantissa)
    return (-1) ** sign * significand * _unit(format_, max(exponent, 1))


def rounded(format_, number):
    """Returns the bits of the nearest value, ties to the one with even bits."""
    units_of_least = abs(number) / _unit(format_, 1)
    exponent = max(1, int(units_of_least).bit_length() - format_.mantissa)
    units = round(units_of_least / (1 << (exponent - 1)))  # ties to even
    bits = min(((exponent - 1) << format_.mantissa) + units, format_.infinity)
    return bits | format_.minus_zero if number < 0 else bits


def _unit(format_, exponent):
    """Returns the weight of a mantissa's last bit, for a biased exponent."""
    bias = (1 << (format_.exponent - 1)) - 1
    return Fraction(2) ** (exponent - bias - format_.mantissa)
