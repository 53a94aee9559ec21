"""Random evictions of the keys of a stream."""

from golden.plans.lives import Evictions
from tb.golden import reference
from tb.golden.random_queries import random_value


def random_evictions(rng, query, tuples):
    """Returns evictions of keys that occur and of others, also twice in a row, first and last."""
    seen = [t for t in tuples if reference.arrives(query, t)]
    last, occurring = len(seen) - 1, [t[query.key.name] for t in seen]
    arrivals = {0, 1, last - 1, last, *rng.sample(range(last), 12)}
    arrivals |= {n + 1 for n in rng.sample(range(last), 4)}
    keys, evictions = [], []
    for arrival in sorted(arrivals):
        again = keys and rng.random() < 0.3
        keys.append(keys[-1] if again else rng.choice(occurring))
        if rng.random() < 0.1:
            keys[-1] = random_value(rng, query.key, 0)
        if keys[-1] == keys[-1]:  # no NaN
            evictions.append((keys[-1], arrival))
    return evictions


def evictions_of(query, pairs):
    return Evictions.from_values(query, *map(list, zip(*pairs, strict=True)))
