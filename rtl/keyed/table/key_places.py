"""Model of the hash table: the entry of each tuple's key, computed without hardware."""

import numpy as np

from rtl.keyed.table.key_hash import KeyHash


def indices(key_hash, keys):
    """Returns the index that :meth:`KeyHash.index_of` gives each key of an array of raw numbers.

    The bits of a key above ``key_width`` are ignored, so a negative number counts as its bit
    pattern. A bit of the index is the parity of some bits of the key, so numpy computes the bit
    for all keys at once, without a CRC for each key.
    """
    zero = key_hash.index_of(0)
    result = np.zeros(len(keys), np.int64)
    if key_hash.key_width > 64:
        numbers = [int(key) for key in keys]
        for bit, mask in enumerate(key_hash.masks):
            ones = np.array([(number & mask).bit_count() for number in numbers], np.int64)
            result |= ((ones & 1) ^ (zero >> bit & 1)) << bit
        return result
    bits = np.asarray(keys).astype(np.uint64)
    for bit, mask in enumerate(key_hash.masks):
        ones = np.bitwise_count(bits & np.uint64(mask)).astype(np.int64)
        result |= ((ones & 1) ^ (zero >> bit & 1)) << bit
    return result


class KeyPlaces:
    """Computes the entries of :class:`~rtl.keyed.table.hash_table.HashTable` for one stream.

    Each key may lie in ``ways`` entries, one in each way. A key without an entry gets the first
    free entry of these, from way 0 on. If none is free, the key replaces the least recently used of
    the keys in these entries. Stamps of the hardware wrap after 2^24 arrivals; stamps of the model
    do not wrap.

    Parameters
    ----------
    keys : array
        Raw keys, in the order of their arrival.
    key_width, entries, ways : int
        As for the table.
    """

    def __init__(self, keys, key_width, entries, ways):
        names, self._number = np.unique(np.asarray(keys), return_inverse=True)
        depth = entries // ways
        bits = (depth - 1).bit_length()
        columns = [
            indices(KeyHash(way=way, key_width=key_width, bits=bits), names) + way * depth
            for way in range(ways)
        ]
        self._entries = np.stack(columns, 1).tolist()

    def tuples(self):
        """Yields a pair (entry, True if the entry is new) for each tuple."""
        owner = {}
        last = {}
        entry_of = {}
        for arrival, key in enumerate(self._number.tolist()):
            entry = entry_of.get(key)
            fresh = entry is None
            if fresh:
                choices = self._entries[key]
                free_places = [choice for choice in choices if choice not in owner]
                entry = free_places[0] if free_places else min(choices, key=last.__getitem__)
                if not free_places:
                    del entry_of[owner[entry]]
                owner[entry] = key
                entry_of[key] = entry
            last[entry] = arrival
            yield entry, fresh
