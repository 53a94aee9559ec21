"""Finds the smallest table of keys that evicts no key of the data.

Each way has one entry for a key, at the index that the hash function of the way gives. A new key
takes its entry in the first way where this entry is free
(:class:`rtl.keyed.table.hash_table.HashTable`). Within a stream no entry becomes free again. So the
table evicts no key if and only if each new key, in the order of arrival, finds a free entry. This
module tries one size after the other, with the same hash functions.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from gen.prediction.selected_tuples import passing, raw_columns
from golden.tuples import Tuples
from query.query import Query
from rtl.contract.design import Design
from rtl.contract.options import option_fields
from rtl.keyed.table.key_hash import KeyHash

#: Number of keys that are hashed at a time, which limits the memory used.
_PART = 1 << 16


def size_advice(design: Design, tuples: Tuples) -> str:
    """Returns a phrase with the options of a table for all keys, or the reason why none fits.

    For instance ``entries=2048 would hold all 1,100 keys``. The phrase names ``ways``, too, if no
    table with the design's number of ways holds all keys. If the design's other options refuse the
    size, the phrase ends with their message.
    """
    keys, width = keys_of(design.query, tuples), design.query.partition.type.width
    options_in_use: Any = design.options
    options = {field.name: field for field in option_fields(type(options_in_use))}
    if not {"entries", "ways"} <= options.keys():
        return f"engine {design.engine} has no table for all {len(keys):,} keys"
    sizes = options["entries"].metadata["range"]
    for ways in _ways(options_in_use.ways, options["ways"].metadata["range"][1]):
        entries = entries_for(keys, width, ways, options_in_use.entries, sizes[1])
        if entries is None:
            continue
        changed = {"entries": entries} | ({} if ways == options_in_use.ways else {"ways": ways})
        text = " and ".join(f"{name}={value}" for name, value in changed.items())
        try:
            replace(options_in_use, **changed)
        except ValueError as error:
            return f"{text} would hold all {len(keys):,} keys, but {error}"
        return f"{text} would hold all {len(keys):,} keys"
    return f"no table of up to {sizes[1]:,} entries holds all {len(keys):,} keys"


def keys_of(query: Query, tuples: Tuples) -> list[int]:
    """Returns the raw keys of tuples that pass NaN and WHERE, each once, by first arrival."""
    raws = raw_columns(query, tuples)
    keys = raws[query.partition.name][passing(query, raws)]
    _, first = np.unique(keys, return_index=True)
    return keys[np.sort(first)].tolist()


def entries_for(keys: list[int], width: int, ways: int, least: int, most: int) -> int | None:
    """Returns the least number of entries that holds all ``keys``: ``least`` times a power of two.

    Parameters
    ----------
    keys : list of int
        Keys, in the order of their first arrival.
    width : int
        Bits of a key.
    ways : int
        Ways of the table.
    least, most : int
        Bounds of the number of entries, of all ways together; ``least`` is a power of two of at
        least ``ways``.

    Returns
    -------
    int or None
        None if ``most`` entries are too few.
    """
    if not keys:
        return least
    hashes = _hashes(keys, width, ways)
    entries = least
    while entries <= most:
        if entries >= len(keys) and _fits(hashes, entries // ways):
            return entries
        entries *= 2
    return None


def _ways(ways, most):
    """Yields ``ways``, then twice as many ways each time, up to ``most``."""
    while ways <= most:
        yield ways
        ways *= 2


def _fits(hashes, depth):
    """Returns True if each key, in order, finds a free entry in ways of ``depth`` entries each.

    For instance with one way of 4 entries the hashes 1, 6 and 3 fit, and 1, 6 and 5 do not: 5 and 1
    have the index 1.
    """
    is_taken = [bytearray(depth) for _ in hashes]
    for indices in zip(*((way & (depth - 1)).tolist() for way in hashes), strict=True):
        for way, index in zip(is_taken, indices, strict=True):
            if not way[index]:
                way[index] = 1
                break
        else:
            return False
    return True


def _hashes(keys, width, ways):
    """Returns for each way the hashes of all keys: 32 bits, of which the lowest are the index."""
    size, mask = -(-width // 8), (1 << width) - 1
    parts = [
        np.frombuffer(
            b"".join((key & mask).to_bytes(size, "little") for key in keys[at : at + _PART]),
            np.uint8,
        ).reshape(-1, size)
        for at in range(0, len(keys), _PART)
    ]
    return [
        np.concatenate(
            [_hashes_of_part(part, KeyHash(way=way, key_width=width, bits=32)) for part in parts]
        )
        for way in range(ways)
    ]


def _hashes_of_part(part, function):
    """Returns the hash of each key of ``part``, an array with the bytes of a key in each row.

    A CRC is the XOR of the CRC of 0 and of the change that each 1 of the key causes.
    """
    bits = np.unpackbits(part, axis=1, bitorder="little")
    zero = function.index_of(0)
    hashes = np.full(len(part), zero, np.uint32)
    for bit in range(function.key_width):
        hashes ^= bits[:, bit] * np.uint32(function.index_of(1 << bit) ^ zero)
    return hashes
