"""Values that are hard for SZ with scales, and codecs with bounds of all kinds."""

import random

import numpy as np

from golden.codecs.scaled_sz import ScaledSz
from tb.golden.codecs.kinds import EXTREMES, doubles, kinds
from tb.golden.codecs.scaled import unit


def floats(values):
    """Returns the bit patterns of floats of 32 bits."""
    return [int(bits) for bits in np.array(values, np.float32).view(np.uint32)]


def absolute(width, number):
    """Returns an absolute bound, which must have at most 21 significant bits."""
    return floats([number])[0] if width == 32 else doubles([number])[0] >> 32


CODECS = [
    ScaledSz(64),
    ScaledSz(64, 0, absolute(64, 0.25)),
    ScaledSz(64, 1, absolute(64, 1e300)),
    ScaledSz(64, 65535, absolute(64, 3 * 2.0**-1019)),
    ScaledSz(64, 100, (0x7FF << 20) - 1),
    ScaledSz(64, 0),
    ScaledSz(32),
    ScaledSz(32, 30, absolute(32, 0.1)),
    ScaledSz(32, 0, (0xFF << 23) - 1),
]


def streams(codec, count, seed):
    """Returns values of all kinds, and values that are hard for this codec, by their names."""
    rng = random.Random(seed)
    width, patterns = codec.width, doubles if codec.width == 64 else floats
    largest, span = (1e308, 307) if width == 64 else (3e38, 37)
    values = dict(kinds(width, count, seed))
    walk, place, step = [], 1.0, 1.01
    for _ in range(count):  # through all scales, up and down, with pauses
        step = rng.choice((step, step, 1 / step, rng.uniform(0.2, 5), 1.0))
        place = min(max(place * step, 10.0**-span), 10.0**span) * rng.choice((1, 1, 1, -1))
        walk.append(place)
    values["walk through scales"] = patterns(walk)
    decades = [10.0 ** rng.choice((-30, 0, 30)) for _ in range(count)]
    values["60 decades"] = patterns(decades)
    tiny_huge = [(1e-36, largest)[k % 2] * rng.choice((1, -1)) for k in range(count)]
    values["tiny and huge"] = patterns(tiny_huge)
    values["zeros, then 1e-30"] = patterns([0.0] * 9 + [1e-30] * 5 + [0.0] * 3 + [-1e-30] * 9)
    values["powers of two"] = patterns([2.0 ** (k // 3 % 60) for k in range(count)])
    edges = [unit(codec, scale) for scale in (3, 4, 5, 16, 30)]
    near = [
        float(edge * rng.choice((1, 2**12, 2**15, 2**22, 2**23, 50, 0.5))) for edge in edges * 9
    ]
    near_bits = [bits + rng.randint(-2, 2) for bits in patterns(near) for _ in range(3)]
    values["ends of scales"] = [rng.choice(near_bits) % (1 << width) for _ in range(count)]
    line = [1000.0 + 60 * k for k in range(count)]
    values["line"] = patterns(line)
    values["parabola"] = patterns([3.0 * (k - count / 2) ** 2 for k in range(count)])
    # After a change of the scale 1100 is an outlier, and only the polynomial prediction is 1300.
    jumps = [(1e30, 1000.0, 1100.0, 1300.0, 1600.0)[k % 5] for k in range(count)]
    values["parabolas after jumps"] = patterns(jumps)
    odd = patterns([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.5, -2.5, largest, -largest, 1e-45])
    odd += [(1 << width - 1) | 1, *(EXTREMES if width == 64 else [(1 << 23) - 1, (0xFF << 23) + 1])]
    values["odd floats"] = [rng.choice(odd) for _ in range(count)]
    values["NaN runs"] = patterns(([np.nan] * 5 + [1.5] * 5) * (count // 10))
    return values
