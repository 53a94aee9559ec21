"""Generates streams of values for codecs, as bit patterns: noise, walks, repetitions, extremes."""

import random
import struct

import numpy as np


def doubles(values):
    """Returns the bit patterns of values as doubles."""
    return [struct.unpack("<Q", struct.pack("<d", value))[0] for value in values]


def walk(rng, count, step):
    """Returns the values of a random walk, whose neighbours differ by at most ``step``."""
    value, values = rng.randrange(1 << 20), []
    for _ in range(count):
        value += rng.randint(-step, step)
        values.append(value)
    return values


def changing_values(rng, count, share, draw):
    """Returns values, each with the probability ``share`` a new ``draw()``, otherwise the last."""
    value, values = draw(), []
    for _ in range(count):
        value = draw() if rng.random() < share else value
        values.append(value)
    return values


# The least subnormal and the least normal number, the greatest number, and infinity.
_ENDS = [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, np.inf]
#: Doubles at the ends of the format, zeros, 0.1, and 1.0 with the next greater number.
EXTREMES = doubles([0.0, -0.0, 0.1, 1.0, np.nextafter(1.0, 2.0), *_ENDS, *(-v for v in _ENDS)])


def kinds(width, count, seed):
    """Returns (name, values) of each kind; values are unsigned numbers of 32 or 64 bits.

    "begins as a mark" has values whose top bits equal the mark of a coded block.
    """
    rng = random.Random(seed)
    mask = (1 << width) - 1
    noise = [rng.getrandbits(width) for _ in range(count)]
    mark = 0b1010010 << width - 7
    mixed = [v for k in range(0, count, 40) for v in [noise[k]] * 20 + noise[k : k + 20]][:count]
    shares = [v / 1000 for v in changing_values(rng, count, 0.05, lambda: rng.randrange(1000))]
    streams = {
        "noise": noise,
        "one value": [noise[0]] * count,
        "walk": [v & mask for v in walk(rng, count, 100)],
        "wide walk": [v & mask for v in walk(rng, count, 300)],
        "across 0": [v - (1 << 20) & mask for v in walk(rng, count, 1 << 19)],
        "noise and rest": mixed,
        "begins as a mark": [mark | v >> 7 for v in noise],
        "ends of the type": [
            rng.choice((0, 1, mask, mask - 1, mask >> 1, (mask >> 1) + 1)) for _ in noise
        ],
    }
    if width == 64:
        streams |= {
            "shares": doubles(shares),
            "sensor": doubles([v / 16 for v in walk(rng, count, 5)]),
            "extremes": [rng.choice(EXTREMES) for _ in noise],
        }
    else:
        as_floats = np.array(shares, np.float32).view(np.uint32)
        streams["shares"] = [int(v) for v in as_floats]
    return streams.items()
