"""Keys of every temper, and the beats of streams of them."""

from collections import defaultdict
from functools import partial

from tb.rtl.keyed.table.models import TableModel
from tb.rtl.keyed.table.parents import mixed

TEMPERS = ("one", "uniform", "bursts", "colliding", "colliding in turn", "many", "skewed")


def _updated(passenger, state):
    return mixed(state, passenger)


def colliding(rng, model, count):
    """Keys that share all of their entries, as many as can be found up to ``count``."""
    groups = defaultdict(set)
    for _ in range(1500):
        key = rng.getrandbits(model.key_width)
        groups[tuple(model.candidates(key))].add(key)
    return sorted(max(groups.values(), key=len))[:count]


def keys_of(rng, temper, model, n):
    """``n`` keys for the table of ``model``."""
    entries = model.size * model.ways
    some = [rng.getrandbits(model.key_width) for _ in range(entries * 5 // 4)]
    if temper == "one":
        return some[:1] * n
    if temper == "uniform":
        return rng.choices(some, k=n)
    if temper == "bursts":
        return [k for _ in range(n) for k in [rng.choice(some)] * rng.randint(1, 6)][:n]
    if temper == "colliding":
        return rng.choices(colliding(rng, model, model.ways + 2), k=n)
    if temper == "colliding in turn":
        found = colliding(rng, model, model.ways + 1)
        return [found[k % len(found)] for k in range(n)]
    if temper == "many":
        return [rng.getrandbits(model.key_width) for _ in range(n)]
    return [some[min(int(rng.paretovariate(0.7)), len(some)) - 1] for _ in range(n)]


def beats_of(rng, keys, *, holes=0.0):
    """The beats of one stream: its last tuple has ``last``, or an empty beat behind it has.

    ``holes`` is how often there is a beat without a tuple.
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


def answers(model: TableModel, beats):
    """What the table says to ``beats``, as :func:`plain` shows it."""
    said = []
    for beat in beats:
        one = {name: int(beat[name]) for name in ("passenger", "valid", "last")}
        if beat["valid"]:
            answer = model.arrive(beat["key"], partial(_updated, beat["passenger"]))
            state = {"count": 0, "mix": 0} | answer.pop("state")
            one |= {"key": beat["key"], "state": state, **answer}
        said.append(one)
        if beat["last"]:
            model.end()
    return said


def plain(payload):
    """Of a payload of the table's output what has a meaning."""
    one = {name: payload[name] for name in ("passenger", "valid", "last")}
    if payload["valid"]:
        one |= {name: payload[name] for name in ("key", "entry", "fresh", "state")}
        one["evicted"] = payload["evicted_key"] if payload["evicted"] else None
    else:
        assert not payload["fresh"]
        assert not payload["evicted"]
    return one
