"""Model of the hash table in plain Python."""

import zlib
from functools import cache

#: Polynomial of each way's CRC without x^32, lowest power last. All four are reflected, and begin
#: and end with all ones.
POLYNOMIALS = (0x04C11DB7, 0x1EDC6F41, 0xF4ACFB13, 0xA833982B)


@cache
def _divided(polynomial, byte):
    """Returns the remainder of a byte in a reflected CRC-32, by long division bit by bit."""
    reflected = int(f"{polynomial:032b}"[::-1], 2)
    for _ in range(8):
        byte = byte >> 1 ^ (reflected if byte & 1 else 0)
    return byte


def crc(polynomial, message):
    """Returns a reflected CRC-32, computed byte by byte."""
    register = 0xFFFFFFFF
    for byte in message:
        register = register >> 8 ^ _divided(polynomial, (register ^ byte) & 0xFF)
    return register ^ 0xFFFFFFFF


def message_of(key, width):
    """Returns the bytes of a key, lowest first."""
    return bytes(key >> 8 * k & 0xFF for k in range((width + 7) // 8))


class TableModel:
    """Dicts of the entries; ``arrive`` is called for each tuple, ``end`` after a stream.

    ``stamp`` is the number of bits of an arrival's number.
    """

    def __init__(self, *, key_width, entries, ways, stamp=24):
        self.key_width, self.ways, self.size = key_width, ways, entries // ways
        self.stamp, self.arrivals = stamp, 0
        self.places = {}
        self.end()

    def end(self):
        self.keys, self.used, self.states = {}, {}, {}

    def candidates(self, key):
        """Returns the entries in which a key may lie, way by way."""
        if key not in self.places:
            message = message_of(key, self.key_width)
            sums = [zlib.crc32(message), *(crc(p, message) for p in POLYNOMIALS[1:])]
            self.places[key] = [way * self.size + sums[way] % self.size for way in range(self.ways)]
        return self.places[key]

    def age(self, entry):
        return (self.arrivals - self.used[entry]) % (1 << self.stamp)

    def arrive(self, key, update):
        """Returns the output for a tuple; ``update`` computes the new state from the old state."""
        entries = self.candidates(key)
        holding = [e for e in entries if self.keys.get(e) == key]
        free_entries = [e for e in entries if e not in self.keys]
        evicted = None
        if holding:
            (entry,) = holding
        elif free_entries:
            entry = free_entries[0]
        else:
            entry = max(entries, key=self.age)
            evicted = self.keys[entry]
        if not holding:
            self.states[entry] = {}
        state = self.states[entry]
        self.keys[entry] = key
        self.used[entry] = self.arrivals
        self.arrivals += 1
        self.states[entry] = update(state)
        return {"entry": entry, "fresh": not holding, "evicted": evicted, "state": state}
