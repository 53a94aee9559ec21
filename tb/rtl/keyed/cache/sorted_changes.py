"""Random changes of the sorted values of cached keys, and the percentiles of their windows."""

from fractions import Fraction
from math import ceil

from rtl.keyed.windows.key_times import KeyTimes
from tb.rtl.keyed.cache.plans import MAX_VALUES

FRACTIONS = (Fraction(1, 2), Fraction(9, 10), Fraction(1))
TIMES = KeyTimes(time=12, overlap=4, places=MAX_VALUES, items=1, number_bits=12)
#: Rank keys of 9 bits: the ends of the type, and few values in between, so that many are equal.
KEYS = (0, 1, 200, 255, 256, 257, 510, 511)


def percentiles(values):
    """Returns the percentiles of the values, by their definition."""
    values = sorted(values)
    return [values[ceil(p * len(values)) - 1] for p in FRACTIONS]


def payloads(changes):
    """Returns the changes without the full numbers of slides and windows."""
    return [{k: v for k, v in c.items() if k not in ("slide", "number")} for c in changes]


def some_key(rng):
    return rng.choice(KEYS) if rng.random() < 0.5 else rng.randrange(512)


def row_changes(rng, places, size, count):
    """Returns changes of windows of rows, and the percentiles of each hit."""
    values, numbers, changes, answers = [None] * places, [0] * places, [], []
    for _ in range(count):
        place, key = rng.randrange(places), some_key(rng)
        change = {"place": place, "value": key, "tag": numbers[place], "size": size, "stored": 1}
        change["oldest"] = (numbers[place] - size) % (2 * MAX_VALUES)
        if values[place] is None or rng.random() < 0.03:
            values[place] = []
            change |= {"claims": 1, "closes": 1}
        elif len(values[place]) + 1 >= size and rng.random() < 0.7:
            change |= {"closes": 1, "hit": 1}
            answers.append(percentiles([*values[place], key][-size:]))
        values[place].append(key)
        numbers[place] = (numbers[place] + 1) % (2 * MAX_VALUES)
        changes.append(change)
    return changes, answers


class TimeKey:
    """Values of a key with a place, as (slide, rank key), and the next window to be closed."""

    def __init__(self):
        self.values, self.next, self.newest, self.is_known = [], 0, 0, False

    def arrive(self, rng, place, joins):
        """Returns the changes of a random tuple, and the percentiles of the windows it closes.

        The last window of the tuple and the value come in one change if ``joins`` is true.
        """
        first = self.next + rng.choice((0, 0, 0, 1, 1, 2, 40))
        slide = rng.randint(first, first + 3)
        changes, answers = [], []
        while self.values and self.next < first and self.next <= self.newest:
            window_keys = [key for q, key in self.values if q >= self.next]
            change = {"closes": 1, "window": self.next % 16, "size": len(self.values)}
            change["number"] = self.next
            if not self.is_known or rng.random() < 0.02:
                change["claims"], self.values, self.is_known = 1, [], True
            elif rng.random() < 0.8:
                change["hit"] = 1
                answers.append(percentiles(window_keys))
            changes.append(change)
            self.values = [(q, key) for q, key in self.values if q > self.next]
            self.next += 1
        self.next = max(self.next, first)
        if self.is_known and len(self.values) < MAX_VALUES - 1:
            key = some_key(rng)
            self.values.append((slide, key))
            if not (joins and changes):
                changes.append({})
            changes[-1] |= {"stored": 1, "value": key, "tag": slide % 16, "slide": slide}
        elif not self.is_known:
            self.values.append((slide, 0))  # not stored; it lets the first window close
        self.newest = max(self.newest, slide)
        return [{"place": place, **change} for change in changes], answers


def time_changes(rng, places, count, joins):
    """Returns changes of windows of time, and the percentiles of each hit."""
    keys, changes, answers = [TimeKey() for _ in range(places)], [], []
    for _ in range(count):
        place = rng.randrange(places)
        key_changes, results = keys[place].arrive(rng, place, joins)
        changes += key_changes
        answers += results
    return changes, answers
