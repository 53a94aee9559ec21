"""Random streams for :mod:`tb.gen.random_calls`: keys, times and values in many shapes."""

from random import Random

import numpy as np

#: Types of a key and of a value, with bits; those of a key have room for all the keys of a stream.
KEY_TYPES = ("uint(8)", "uint(16)", "int(20)", "string(2)", "string(5)", "uint(64)", "fixed(12,4)")
VALUE_TYPES = {
    "int(8)": 8,
    "uint(16)": 16,
    "int(32)": 32,
    "uint(64)": 64,
    "int(64)": 64,
    "fixed(8,8)": 16,
    "float": 32,
    "double": 64,
}
FLOATS = ("float", "double")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def key_numbers(rng: Random, count, most):
    """Draws the numbers of the keys of ``count`` tuples, from 0 to ``most`` - 1; and their mix."""
    distinct = min(most, rng.choice((1, 2, 3, 8, 20, 40, 100, 200)))
    generator = np.random.default_rng(rng.getrandbits(32))
    mix = rng.choice(("uniform", "uniform", "zipf", "zipf", "in turn", "bursts"))
    if mix == "uniform":
        keys = generator.integers(distinct, size=count)
    elif mix == "zipf":
        weights = 1 / np.arange(1, distinct + 1) ** rng.choice((0.7, 1.0, 1.3))
        keys = generator.choice(distinct, size=count, p=weights / weights.sum())
    elif mix == "in turn":
        keys = np.arange(count) % distinct
    else:
        lengths = generator.integers(1, rng.choice((4, 20, 100)) + 1, size=count)
        keys = np.repeat(generator.integers(distinct, size=count), lengths)[:count]
    return keys, f"{distinct} keys, {mix}"


def key_text(type_, number):
    """Returns the key of a number from 0 to 199; different numbers have different keys."""
    if type_.startswith("string"):
        return _LETTERS[number % 26] + _LETTERS[number // 26]
    if type_.startswith("fixed"):
        return str(number * 5 / 16)
    if type_ == "uint(8)":
        return str(number)
    return str(number * 257 - (20_000 if type_.startswith("int") else 0))


def times(rng: Random, count):
    """Draws times with a mean step and disorder; returns times, mean step, and disorder."""
    generator = np.random.default_rng(rng.getrandbits(32))
    pace = rng.choice((0.2, 1, 1, 3, 20))
    back = rng.choice((0, 0, 0, 5, 40))
    steps = generator.poisson(pace, size=count)
    if rng.random() < 0.2 and count:  # a pause
        steps[generator.integers(count)] += int(pace * rng.choice((50, 500)))
    current = np.cumsum(steps) + back
    return current - generator.integers(back + 1, size=count), pace, back


def values(rng: Random, type_, count):
    """Draws ``count`` values of a type, as texts: of any size, steady, repeated or small."""
    generator = np.random.default_rng(rng.getrandbits(32))
    bits, kind = VALUE_TYPES[type_], rng.choice(("any", "steady", "repeated", "small"))
    low = 0 if type_.startswith("u") else -(1 << bits - 1)
    high = low + (1 << bits) - 1
    if type_ in FLOATS:
        return _floats(generator, kind, count)
    if kind == "any":
        raws = [
            low + int(raw) % (1 << bits) for raw in generator.integers(1 << 63, size=count) * 2 + 1
        ]
    elif kind == "steady":
        raws = np.cumsum(generator.integers(-2, 4, size=count)) + 50
    elif kind == "repeated":
        raws = np.repeat(
            generator.integers(100, size=count), generator.integers(1, 60, size=count)
        )[:count]
    else:
        raws = generator.integers(10, size=count)
    raws = [min(max(int(raw), low), high) for raw in raws]
    return [str(raw / 256) if type_.startswith("fixed") else str(raw) for raw in raws]


def _floats(generator, kind, count):
    """Draws floating-point numbers that are exact in float and double, as texts."""
    if kind == "any":
        numbers = generator.normal(size=count) * 10.0 ** generator.integers(-30, 30, size=count)
    elif kind == "steady":
        numbers = 20 + np.cumsum(generator.normal(size=count)) / 100
    elif kind == "repeated":
        numbers = np.repeat(generator.normal(size=count), generator.integers(1, 60, size=count))[
            :count
        ]
    else:
        numbers = generator.integers(-40, 40, size=count) / 4
    return [repr(float(np.float32(number))) for number in numbers]
