"""Which entry of the table each tuple's key has, computed without hardware."""

import numpy as np

from rtl.keyed.table.key_hash import KeyHash


def indices(key_hash, keys):
    """The index of each key of an array of raw numbers, as :meth:`KeyHash.index_of` has it.

    A key's bits above ``key_width`` are left out, so a negative number stands for its bit pattern.
    For instance 1,000 keys of 64 bits take 1,000 parities for each bit of the index, not 1,000
    CRCs.
    """
    zero, found = key_hash.index_of(0), np.zeros(len(keys), np.int64)
    if key_hash.key_width > 64:
        numbers = [int(key) for key in keys]
        for place, mask in enumerate(key_hash.masks):
            ones = np.array([(number & mask).bit_count() for number in numbers], np.int64)
            found |= ((ones & 1) ^ (zero >> place & 1)) << place
        return found
    bits = np.asarray(keys).astype(np.uint64)
    for place, mask in enumerate(key_hash.masks):
        ones = np.bitwise_count(bits & np.uint64(mask)).astype(np.int64)
        found |= ((ones & 1) ^ (zero >> place & 1)) << place
    return found


class KeyPlaces:
    """The entries of :class:`~rtl.keyed.table.hash_table.HashTable` over one stream.

    A key without an entry takes the free one of its ``ways`` entries in the lowest way; if none is
    free, the entry whose key has not come for longest, of equals that of the lowest way. Stamps of
    the hardware wrap after 2^24 arrivals; they do not here.

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
        """(entry, whether the key begins anew there) for each tuple."""
        owner, last, place = {}, {}, {}
        for now, key in enumerate(self._number.tolist()):
            entry = place.get(key)
            fresh = entry is None
            if fresh:
                choices = self._entries[key]
                free = [choice for choice in choices if choice not in owner]
                entry = free[0] if free else min(choices, key=last.__getitem__)
                if not free:
                    del place[owner[entry]]
                owner[entry], place[key] = key, entry
            last[entry] = now
            yield entry, fresh
