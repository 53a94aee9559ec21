"""Makes random jobs for a memory of copies, and the copies that their reads deliver."""

ENTRIES = 4


def jobs_of(rng, number, copies, bad_reads=()):
    """Returns writes and reads in random order, and the copies that the reads deliver.

    ``bad_reads`` has pairs of an entry and a place whose reads have an error; such a copy has no
    known block.
    """
    blocks, jobs, expected = {entry: [] for entry in range(ENTRIES)}, [], []
    for _ in range(number):
        entry = rng.randrange(ENTRIES)
        closed, older = blocks[entry], rng.random() < 0.3
        if rng.random() < 0.5:
            closed.append(rng.getrandbits(512))
            place = (len(closed) - 1) % copies
            jobs.append({"write": 1, "entry": entry, "place": place, "block": closed[-1]})
            continue
        count = rng.randint(0, min(copies, len(closed)))
        first = len(closed) - count
        jobs.append({"entry": entry, "place": first % copies, "count": count, "older": older})
        for k in range(count):
            error = (entry, (first + k) % copies) in bad_reads
            block = None if error else closed[first + k]
            expected.append((block, k == 0, k + 1 == count, older and k == 0, False, error))
        if not count:
            expected.append((None, True, True, older, True, False))
    return jobs, expected


def copies_of(payloads):
    """Returns copies as (block, opens, last, older, absent, error); block None if unknown."""
    return [
        (None if o["absent"] or o["error"] else o["block"], *map(bool, list(o.values())[1:]))
        for o in payloads
    ]
