"""Beats as plain values, and random beats."""


def beat(slots, last):
    """Returns a beat of ``slots``; None is a lane that is not valid."""
    valid = sum(1 << lane for lane, slot in enumerate(slots) if slot is not None)
    return {"tuples": [0 if slot is None else slot for slot in slots], "valid": valid, "last": last}


def slots(beat_):
    """Returns the slots of a beat, with None for lanes that are not valid."""
    return [t if beat_["valid"] >> lane & 1 else None for lane, t in enumerate(beat_["tuples"])]


def dense(tuples, lanes):
    """Returns a stream as the fewest beats; an empty stream is one empty beat."""
    tuples = list(tuples)
    cuts = [tuples[k : k + lanes] for k in range(0, len(tuples), lanes)] or [[]]
    return [
        beat(cut + [None] * (lanes - len(cut)), int(k == len(cuts) - 1))
        for k, cut in enumerate(cuts)
    ]


def sparse(rng, count, lanes, draw, share):
    """Returns a stream of ``count`` beats; each lane is valid with probability ``share``."""
    return [
        beat([draw() if rng.random() < share else None for _ in range(lanes)], int(k == count - 1))
        for k in range(count)
    ]


def streams(beats):
    """Returns beats as (slots, last) without the contents of unused lanes, for comparison."""
    return [(slots(b), b["last"]) for b in beats]


def tuples(beats):
    """Returns every valid tuple, in order."""
    return [t for b in beats for t in slots(b) if t is not None]
