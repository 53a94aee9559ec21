"""Generates seeded streams of (group, value) tuples, sorted by group, for corner cases of engines.

:func:`random_stream` calls a kind by name and sorts the tuples. A kind is a function
``kind(rng, count, group, value, lanes)`` in ``KINDS``, which returns ``count`` tuples of raw
integers. ``group`` and ``value`` are ``query.types`` types.
"""

import random

from query.types import Type


def random_stream(kind, count, group, value, *, lanes=4, seed=0):
    """Returns a stream of ``count`` tuples, sorted by group and then by value.

    Parameters
    ----------
    kind : str
        One of ``KINDS``.
    count : int
        Number of tuples; 0 for the empty stream.
    group, value : query.types.Type
        Types of groups and values. NaN does not occur.
    lanes : int
        Number of tuples in a beat, for ``runs``.
    seed : int

    Returns
    -------
    list of (int, int)
        Raw group and raw value of each tuple.
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind}")
    rng = random.Random(f"{kind} {count} {group} {value} {lanes} {seed}")
    tuples = KINDS[kind](rng, count, group, value, lanes) if count else []
    return sorted(tuples, key=lambda t: (order_key(group, t[0]), order_key(value, t[1])))


def lengths(lanes):
    """Returns stream lengths near whole beats: 0, 1, 3, 4, 5, 8 and 23 with 4 lanes."""
    return sorted({0, 1, lanes - 1, lanes, lanes + 1, 2 * lanes, 5 * lanes + lanes // 2 + 1})


def order_key(type_: Type, raw):
    """Returns an integer in the order of the values of a type: IEEE-754 totalOrder for floats."""
    if not type_.floating:
        return raw
    negative = raw >> (type_.width - 1)
    return -(raw - (1 << (type_.width - 1))) - 1 if negative else raw


def random_raw(rng, type_: Type):
    """Returns a raw integer of a type, with equal probabilities, but never a NaN."""
    while True:
        raw = rng.randint(type_.raw_min, type_.raw_max)
        if not (type_.floating and type_.is_nan(raw)):
            return raw


def extreme_raws(type_: Type):
    """Returns the ends of a type's range and numbers near zero; for floats also infinities."""
    if not type_.floating:
        candidates = (type_.raw_min, type_.raw_min + 1, -1, 0, 1, type_.raw_max - 1, type_.raw_max)
        return sorted({raw for raw in candidates if type_.raw_min <= raw <= type_.raw_max})
    infinity = {32: 0x7F80_0000, 64: 0x7FF0_0000_0000_0000}[type_.width]
    positive = (0, 1, infinity - 1, infinity)  # zero, smallest, largest, infinity
    return sorted({raw | sign << (type_.width - 1) for raw in positive for sign in (0, 1)})


def _distinct(rng, type_, count):
    """Returns ``count`` different raw integers of a type; raises ValueError if it has fewer."""
    if count > 1 << type_.width:
        raise ValueError(f"{type_} must have at least {count} values, not {1 << type_.width}")
    if type_.width <= 20 and not type_.floating:
        return rng.sample(range(type_.raw_min, type_.raw_max + 1), count)
    chosen = {}
    while len(chosen) < count:
        chosen[random_raw(rng, type_)] = None
    return list(chosen)


def _values(rng, value, count):
    return [random_raw(rng, value) for _ in range(count)]


def _one_group(rng, count, group, value, lanes):
    single = random_raw(rng, group)
    return [(single, v) for v in _values(rng, value, count)]


def _all_distinct(rng, count, group, value, lanes):
    return [*zip(_distinct(rng, group, count), _values(rng, value, count), strict=True)]


def _zipf(rng, count, group, value, lanes):
    group_count = min(max(2, count // 4), 1 << group.width)
    groups = _distinct(rng, group, group_count)
    weights = [1 / (rank + 1) for rank in range(group_count)]
    values = _values(rng, value, max(1, count // 8))  # few, so that values repeat
    drawn = rng.choices(groups, weights, k=count)
    return [(g, rng.choice(values)) for g in drawn]


def _runs(rng, count, group, value, lanes):
    """Returns groups whose lengths are 1 or near whole beats: 1, 7, 8, 9, 16 or 25 with 8 lanes.

    If the type has too few values for the groups, all tuples are in one group.
    """
    runs = []
    total = 0
    while total < count:
        run = rng.choice((1, max(1, lanes - 1), lanes, lanes + 1, 2 * lanes, 3 * lanes + 1))
        runs.append(min(run, count - total))
        total += runs[-1]
    if len(runs) > 1 << group.width:
        runs = [count]
    groups = _distinct(rng, group, len(runs))
    return [
        (g, random_raw(rng, value)) for g, run in zip(groups, runs, strict=True) for _ in range(run)
    ]


def _extremes(rng, count, group, value, lanes):
    groups, values = extreme_raws(group), extreme_raws(value)
    return [(rng.choice(groups), rng.choice(values)) for _ in range(count)]


KINDS = {
    "one group": _one_group,
    "all distinct": _all_distinct,
    "zipf": _zipf,
    "runs": _runs,
    "extremes": _extremes,
}
