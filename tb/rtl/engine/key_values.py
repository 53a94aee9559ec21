"""Values of keys for measurements of rates, and the rows of windows over these values."""

import numpy as np

from golden.codecs.blocks import restored_values
from golden.generate import pick
from golden.generate.changes import DECIMALS, MAX_OFFSET, changing
from golden.generate.cluster import requests

#: Share of the tuples that change, in the project's own trace with the seed's ratios.
CHANGES = 0.15
#: Compression ratio of each codec for this trace, in full blocks (docs/codecs.md).
RATIOS = {"none": 1.0, "base-delta": 5.3, "xor": 5.93, "grid": 6.23, "sz": 23.06}
#: Type of a value and SELECT list of its windows, by codec: sums only of whole numbers.
VALUES = {
    "none": ("int(64)", "min(x), max(x), count(*), sum(x)"),
    "base-delta": ("fixed(40,24)", "min(x), max(x), count(*), sum(x)"),
    "xor": ("double", "min(x), max(x), count(*)"),
    "grid": ("double", "min(x), max(x), count(*)"),
    "sz": ("double", "min(x), max(x), count(*)"),
}
#: Options of a design for these values. SZ counts in units of 2^-24. Its rings have 2,048 blocks,
#: because 4 values may fill a block; the DDR3 has no room for 16,384 rings.
FITTING = {"sz": {"exponent": -24, "entries": 8192}}
FIXED_BITS = 24
#: Number of jumps at the beginning of each key.
JUMPS = 8


def values_of(codec, key, rng):
    """Returns the raw value of each tuple by the number of its key.

    With a codec the values are those of ``cpu`` in ``sluice trace cluster --changes 0.15``: each
    key has a requested value, from which its tuples move away and return. Each key begins with
    :data:`JUMPS` other requested values, because without jumps the windows of XOR are narrow at
    first, and its ratio is 7.5. Without a codec values are random, because the rate does not depend
    on values.
    """
    if codec == "none":
        return rng.integers(-(1 << 40), 1 << 40, len(key))
    requested, weights = requests()
    generator = np.random.Generator(np.random.PCG64(rng.integers(1 << 32)))
    home = pick(generator, weights, int(key.max()) + 1)
    changed = changing(generator, key, home[key], requested, CHANGES)
    nth = number_of(key)
    jumps = nth < JUMPS
    changed[jumps] = requested[(home[key] + 1 + 5 * nth)[jumps] % len(requested)] * 10 ** (
        DECIMALS - 3
    )
    changed[jumps] += np.arange(jumps.sum()) % (2 * MAX_OFFSET + 1) - MAX_OFFSET
    return raw_of(codec, changed / 10**DECIMALS)


def number_of(key):
    """Returns for each tuple the number of earlier tuples of its key."""
    order = np.argsort(key, kind="stable")
    number = np.empty(len(key), int)
    number[order] = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    return number


def raw_of(codec, numbers, bits=FIXED_BITS):
    """Returns numbers as raw values of the codec's type: bits of doubles, or units of 2^-bits."""
    if VALUES[codec][0] == "double":
        return np.asarray(numbers, float).view(np.int64)
    return np.rint(np.asarray(numbers) * 2.0**bits).astype(np.int64)


def restored_of(model, key, value):
    """Returns the raw values after compression and decompression by a codec's plain model.

    Without a model the values are unchanged.
    """
    if model is None:
        return value
    out, order = np.empty_like(value), np.argsort(key, kind="stable")
    for places in np.split(order, np.flatnonzero(np.diff(key[order])) + 1):
        patterns = [int(one) % (1 << model.width) for one in value[places]]
        out[places] = np.array(restored_values(model, patterns), np.uint64).view(np.int64)
    return out


def extremes(values, size):
    """Returns the minima and the maxima of each ``size`` successive values.

    For instance 3 1 2 4 with size 2 has the minima 1 1 2 and the maxima 3 2 4. The spans double
    from step to step; two spans cover a window.
    """
    result = []
    for better in np.minimum, np.maximum:
        best, span = values, 1
        while 2 * span <= size:
            best, span = better(best[:-span], best[span:]), 2 * span
        last = len(values) - size + 1
        result.append(better(best[:last], best[size - span :][:last]))
    return tuple(result)


def windows_of(key, value, ws, wa, sums=True):
    """Returns the places of the tuples that close windows, and the row of each window.

    A row has the window's number, the key, the minimum, the maximum, ``ws``, and with ``sums`` the
    sum of the values. Tuple n of a key, counted from 1, closes a window whose sum is the sum of the
    first n tuples minus the sum of the first n - ws. Bits of doubles sort like the doubles, because
    no double is negative in these streams.
    """
    order = np.argsort(key, kind="stable")
    sorted_values = value[order]
    first = np.searchsorted(key[order], key[order])
    nth = np.arange(len(key)) - first + 1
    closes = np.flatnonzero((nth >= ws) & ((nth - ws) % wa == 0))
    closes = closes[np.argsort(order[closes])]
    number = (nth[closes] - ws) // wa
    columns = [number, key[order[closes]]]
    if len(closes):
        columns += [best[closes - ws + 1] for best in extremes(sorted_values, ws)]
        columns.append(np.full(len(closes), ws))
    if sums:
        total = np.concatenate([[0], np.cumsum(sorted_values)])
        columns.append(total[closes + 1] - total[closes + 1 - ws])
    return order[closes], list(zip(*(part.tolist() for part in columns), strict=True))
