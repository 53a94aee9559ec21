"""Sequences of keys in several patterns, and beats of streams of keys."""

from collections import defaultdict
from functools import partial

from tb.rtl.keyed.table.models import TableModel
from tb.rtl.keyed.table.parents import mixed

PATTERNS = ("one", "uniform", "bursts", "colliding", "colliding in turn", "many", "skewed")


def _updated(passenger, state):
    return mixed(state, passenger)


def colliding(rng, model, count):
    """Returns keys that share all of their entries, up to ``count`` keys."""
    groups = defaultdict(set)
    for _ in range(1500):
        key = rng.getrandbits(model.key_width)
        groups[tuple(model.candidates(key))].add(key)
    return sorted(max(groups.values(), key=len))[:count]


def keys_of(rng, pattern, model, n):
    """Returns ``n`` keys for the table of ``model``, in the pattern ``pattern``."""
    entries = model.size * model.ways
    pool = [rng.getrandbits(model.key_width) for _ in range(entries * 5 // 4)]
    if pattern == "one":
        return pool[:1] * n
    if pattern == "uniform":
        return rng.choices(pool, k=n)
    if pattern == "bursts":
        return [k for _ in range(n) for k in [rng.choice(pool)] * rng.randint(1, 6)][:n]
    if pattern == "colliding":
        return rng.choices(colliding(rng, model, model.ways + 2), k=n)
    if pattern == "colliding in turn":
        keys = colliding(rng, model, model.ways + 1)
        return [keys[k % len(keys)] for k in range(n)]
    if pattern == "many":
        return [rng.getrandbits(model.key_width) for _ in range(n)]
    return [pool[min(int(rng.paretovariate(0.7)), len(pool)) - 1] for _ in range(n)]


def beats_of(rng, keys, *, holes=0.0):
    """Returns the beats of one stream; the last tuple, or an empty beat after it, has ``last``.

    ``holes`` is the share of beats without a tuple.
    """
    beats = []
    for key in keys:
        while rng.random() < holes:
            beats.append({"valid": 0})
        beats.append({"key": key, "valid": 1})
    if not beats or rng.random() < holes:
        beats.append({"valid": 0})
    return [
        {"key": 0, **beat, "passenger": rng.randrange(256), "last": k == len(beats) - 1}
        for k, beat in enumerate(beats)
    ]


def expected_outputs(model: TableModel, beats):
    """Returns the expected outputs of the table for ``beats``, in the form of :func:`plain`."""
    outputs = []
    for beat in beats:
        output = {name: int(beat[name]) for name in ("passenger", "valid", "last")}
        if beat["valid"]:
            answer = model.arrive(beat["key"], partial(_updated, beat["passenger"]))
            state = {"count": 0, "mix": 0} | answer.pop("state")
            output |= {"key": beat["key"], "state": state, **answer}
        outputs.append(output)
        if beat["last"]:
            model.end()
    return outputs


def plain(payload):
    """Returns the defined members of a payload of the table's output."""
    output = {name: payload[name] for name in ("passenger", "valid", "last")}
    if payload["valid"]:
        output |= {name: payload[name] for name in ("key", "entry", "fresh", "state")}
        output["evicted"] = payload["evicted_key"] if payload["evicted"] else None
    else:
        assert not payload["fresh"]
        assert not payload["evicted"]
    return output
