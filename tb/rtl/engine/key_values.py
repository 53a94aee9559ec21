"""The values of keys in streams that rates are measured with, and what windows of them give."""

import numpy as np

from golden.codecs.blocks import restored_values
from golden.generate import pick
from golden.generate.changes import DECIMALS, MAX_OFFSET, changing
from golden.generate.cluster import requests

#: Of the tuples that change, in the project's own trace with the seed's ratios.
CHANGES = 0.15
#: How much smaller codecs make its values, in blocks that are full (docs/codecs.md).
RATIOS = {"none": 1.0, "base-delta": 5.3, "xor": 5.93, "grid": 6.23, "sz": 23.06}
#: By codec, the type of a value, and what is asked of its windows: doubles have no sums there.
VALUES = {
    "none": ("int(64)", "min(x), max(x), count(*), sum(x)"),
    "base-delta": ("fixed(40,24)", "min(x), max(x), count(*), sum(x)"),
    "xor": ("double", "min(x), max(x), count(*)"),
    "grid": ("double", "min(x), max(x), count(*)"),
    "sz": ("double", "min(x), max(x), count(*)"),
}
#: Options of a design that fit such values: SZ counts them in units of 2^-24. Its rings have 2,048
#: blocks, as 4 values may fill one: 16,384 of them are more than the DDR3 has place for.
FITTING = {"sz": {"exponent": -24, "entries": 8192}}
FIXED_BITS = 24
#: That a key begins with.
JUMPS = 8


def values_of(codec, key, rng):
    """The raw value of each tuple, by the number of its key.

    With a codec as ``cpu`` is in ``sluice trace cluster --changes 0.15``: each key has a request of
    its own, from which its tuples move away and come back. But each begins with other ones, as one
    that has had its jumps: else XOR's windows are narrow at first, and the ratio 7.5. Without a
    codec any number: nothing depends on it.
    """
    if codec == "none":
        return rng.integers(-(1 << 40), 1 << 40, len(key))
    asked, weights = requests()
    generator = np.random.Generator(np.random.PCG64(rng.integers(1 << 32)))
    home = pick(generator, weights, int(key.max()) + 1)
    told = changing(generator, key, home[key], asked, CHANGES)
    nth = number_of(key)
    jumps = nth < JUMPS
    told[jumps] = asked[(home[key] + 1 + 5 * nth)[jumps] % len(asked)] * 10 ** (DECIMALS - 3)
    told[jumps] += np.arange(jumps.sum()) % (2 * MAX_OFFSET + 1) - MAX_OFFSET
    return raw_of(codec, told / 10**DECIMALS)


def number_of(key):
    """Of each tuple so many of its key came before it."""
    order = np.argsort(key, kind="stable")
    number = np.empty(len(key), int)
    number[order] = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    return number


def raw_of(codec, numbers, bits=FIXED_BITS):
    """Numbers as the raw values of the codec's type: bits of doubles, or units of 2^-bits."""
    if VALUES[codec][0] == "double":
        return np.asarray(numbers, float).view(np.int64)
    return np.rint(np.asarray(numbers) * 2.0**bits).astype(np.int64)


def kept_of(model, key, value):
    """What comes out for each tuple's raw value, with the plain model of a codec; or the same."""
    if model is None:
        return value
    out, order = np.empty_like(value), np.argsort(key, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        patterns = [int(one) % (1 << model.width) for one in value[places]]
        out[places] = np.array(restored_values(model, patterns), np.uint64).view(np.int64)
    return out


def extremes(values, size):
    """Of each ``size`` successive values the least and the greatest.

    For instance 3 1 2 4 in twos: 1 1 2, and 3 2 4. By spans of powers of two, of which two cover a
    window.
    """
    found = []
    for better in np.minimum, np.maximum:
        best, span = values, 1
        while 2 * span <= size:
            best, span = better(best[:-span], best[span:]), 2 * span
        last = len(values) - size + 1
        found.append(better(best[:last], best[size - span :][:last]))
    return tuple(found)


def windows_of(key, value, ws, wa, sums=True):
    """Places of the tuples that close windows, and of each its row.

    That is its number, its key, the least, the greatest, ``ws``, and with ``sums`` the sum of its
    values. Of a key's n-th tuple, from 1 on, the window's sum is that of n tuples less that of
    n - ws. Bits of doubles are in the order of the doubles, as none is negative here.
    """
    order = np.argsort(key, kind="stable")
    mine = value[order]
    first = np.searchsorted(key[order], key[order])
    nth = np.arange(len(key)) - first + 1
    closes = np.flatnonzero((nth >= ws) & ((nth - ws) % wa == 0))
    closes = closes[np.argsort(order[closes])]
    number = (nth[closes] - ws) // wa
    told = [number, key[order[closes]]]
    if len(closes):
        told += [best[closes - ws + 1] for best in extremes(mine, ws)]
        told.append(np.full(len(closes), ws))
    if sums:
        total = np.concatenate([[0], np.cumsum(mine)])
        told.append(total[closes + 1] - total[closes + 1 - ws])
    return order[closes], list(zip(*(part.tolist() for part in told), strict=True))
