"""Values for compressed windows of keys, and damage to their blocks."""

from tb.rtl.keyed.key_windows_bench import entry_of

#: Largest step from value to value: compressible, not compressible, or both in turn.
STEPS = {"near": 100, "far": 1 << 30, "both": None}


def valued(rng, plan, streams, step):
    """Returns the streams with values that differ from the key's last value by up to ``step``."""
    half = 1 << plan.store.ring.codec.width - 1
    valued_streams, places = [], {}
    for size, slide, tuples in streams:
        changed = []
        for key, _ in tuples:
            largest_step = step or rng.choice((50, 50, 50, half))
            place = places.get(key, 0) + rng.randint(-largest_step, largest_step)
            places[key] = (place + half) % (2 * half) - half
            changed.append((key, places[key]))
        valued_streams.append((size, slide, changed))
    return valued_streams


def rival_tuples(rng, plan):
    """Returns tuples of two keys that have one entry, in 16 turns of 1 to 60 tuples.

    Each turn evicts the other key.
    """
    rivals = [key for key in range(64) if entry_of(plan, key) == entry_of(plan, 5)][:2]
    return [(rivals[turn % 2], 0) for turn in range(16) for _ in range(rng.randint(1, 60))]


class BitFlips:
    """Replaces the blocked cycles of a bench: flips bits of all memories in one cycle."""

    def __init__(self, bench, cycle, rng):
        self._bench, self._cycle, self._rng = bench, cycle, rng

    def __contains__(self, cycle):
        if cycle == self._cycle:
            for memory in self._bench.memories:
                for address in memory:
                    memory[address] ^= self._rng.getrandbits(512) & self._rng.getrandbits(512)
        return False
