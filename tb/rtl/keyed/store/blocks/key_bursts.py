"""Random values of two keys, for the rings of blocks."""

#: Number of keys, each with an entry.
ENTRIES = 2


def values_of(rng, count, fresh_share):
    """Returns values of the keys in bursts; most of them close a block.

    A value begins its key anew with the probability ``fresh_share``.
    """
    values, seen_entries = [], set()
    for number in range(count):
        entry = values[-1]["entry"] if values and rng.random() < 0.7 else rng.randrange(ENTRIES)
        fresh = entry not in seen_entries or rng.random() < fresh_share
        seen_entries.add(entry)
        closes = not fresh and rng.random() < 0.7
        value = {"entry": entry, "fresh": fresh, "closes": closes, "valid": 1, "passenger": number}
        values.append(value)
    return values
